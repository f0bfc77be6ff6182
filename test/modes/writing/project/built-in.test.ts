import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { findLevel } from '../../../../src/modes/writing/core/level/levels.ts'
import { builtInTypesFolder, findTypes } from '../../../../src/modes/writing/project/types.ts'
import { newFolder } from '../../../support/folder.ts'
import { order, plan } from '../../delivery/core/planner/planned.ts'
import { loadBuiltIn, novel, prd } from '../built-in.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')

test('two types come with the program', () => {
  expect(findTypes([builtInTypesFolder()]).map(({ name }) => name)).toEqual(['novel', 'prd'])
})

describe('the novel', () => {
  test('has the levels, files and context that the seed names', () => {
    const rows = novel.levels.map(({ id, folder, file, series, context }) =>
      [id, `${folder}/${file ?? series?.pattern ?? '*'}`, context.join(' ')].join(' | '),
    )
    expect(rows).toEqual([
      'premise | premise/premise_metadata.json | taxonomy',
      'treatment | treatment/treatment.md | premise taxonomy',
      'chapters | chapter-beats/chapter-{n}.md | premise taxonomy treatment',
      'prose | chapters/chapter-{n}.md | premise treatment chapters',
      'analysis | analysis/* | premise treatment chapters prose',
    ])
    expect(novel).toMatchObject({ words: 80_000, parts: 15, exports: ['prose'] })
  })

  test('asks two questions besides name and type', () => {
    expect(novel.questions.map(({ key }) => key)).toEqual(['genre', 'idea'])
    expect(novel.questions[0]!.choices).toBe('genres')
  })

  test('has lengths that add up to its words', () => {
    const prose = findLevel(novel, 'prose')!.words * novel.parts!
    expect(Math.abs(prose - novel.words!) / novel.words!).toBeLessThan(0.02)
  })
})

describe('its taxonomy', () => {
  const { type, taxonomy } = loadBuiltIn('novel')
  const genres = Object.keys(type.taxonomy!.genres)
  const base = taxonomy()

  test('offers enough: 8 categories of 4 options in the base and in each genre', () => {
    expect(genres).toEqual(['fantasy', 'mystery', 'science-fiction'])
    expect(Object.keys(base).length).toBeGreaterThanOrEqual(8)
    for (const genre of genres) {
      const own = Object.keys(taxonomy(genre)).filter((key) => !(key in base))
      expect(own.length).toBeGreaterThanOrEqual(8)
      for (const category of Object.values(taxonomy(genre))) {
        expect(Object.keys(category.options).length).toBeGreaterThanOrEqual(4)
      }
    }
  })

  test('says of each option something of its own, in whole sentences, under a plain key', () => {
    const all = new Map<string, string>()
    for (const categories of [base, ...genres.map(taxonomy)]) {
      for (const [key, { description, options }] of Object.entries(categories)) {
        expect(`${key} ${Object.keys(options).join(' ')}`).toMatch(/^[a-z_ ]+$/)
        for (const text of [description, ...Object.values(options).map((option) => option.description)]) {
          expect(text).toMatch(/^["A-Z].{15,}[.?]$/)
          expect(all.get(text) ?? key).toBe(key)
          all.set(text, key)
        }
      }
    }
  })

  test('gives lengths in words that follow on each other and contain the usual one', () => {
    const lengths = Object.values(base.length_scope!.options) as unknown as Record<string, number>[]
    expect(lengths.map(({ words_usual }) => words_usual)).toEqual([900, 4500, 13_750, 35_000, 80_000, 155_000])
    for (const [at, { words_from, words_to, words_usual }] of lengths.entries()) {
      expect([words_from! < words_usual!, words_usual! < words_to!]).toEqual([true, true])
      if (at > 0) expect(words_from).toBe(lengths[at - 1]!.words_to)
    }
  })
})

describe('the tasks of a product go to pawl deliver unedited', () => {
  const example = readFileSync(join(import.meta.dirname, 'tasks.md'), 'utf8')

  test('as the rules ask for them, they are stories with criteria and dependencies, and no line is ignored', () => {
    const { stories, ignored, unmapped } = plan(example, 'tasks.md')
    expect(order(example, 'tasks.md')).toEqual(['S1 US-1', 'S2 US-2 <- S1', 'S3 US-3 <- S2'])
    expect(stories.map(({ acceptance_criteria }) => acceptance_criteria.map(({ id }) => id))).toEqual([
      [null, 'AC-1.1', 'AC-1.2'],
      [null, 'AC-2.1', 'AC-2.2'],
      [null, 'AC-3.1', 'AC-3.2'],
    ])
    expect(ignored ?? []).toEqual([])
    expect(unmapped.map(({ text }) => text)).toEqual([
      'No network access after the first run of the year.',
      'Python standard library only.',
    ])
  })

  test('the form that the rules show is the form of the example', () => {
    const form = findLevel(prd, 'tasks')!.rules.find((rule) => rule.includes('### US-1'))!
    const shown = form.slice(form.indexOf('### US-1'))
    const stories = [
      shown.replace('**Depends on:** US-2, US-3\n\n', ''),
      shown.replaceAll('US-1', 'US-4').replaceAll('AC-1.', 'AC-4.').replace('US-2, US-3', 'US-1'),
    ]
    expect(order(`# Tides\n\n## User stories\n\n${stories.join('\n\n')}\n`)).toEqual(['S1 US-1', 'S2 US-4 <- S1'])
    const labels = (text: string): string[] => [...text.matchAll(/^\*\*(.+?):\*\*/gm)].map(([, label]) => label!)
    expect(new Set(labels(shown))).toEqual(new Set(labels(example)))
  })

  test('by the program itself', () => {
    const folder = newFolder()
    cpSync(join(import.meta.dirname, 'tasks.md'), join(folder, 'tasks.md'))
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'tasks')
    const pawl = (...args: string[]) => spawnSync(join(root, 'bin', 'pawl'), args, { cwd: folder, encoding: 'utf8' })
    expect(pawl('plan', 'tasks.md').stdout).toMatch(/^3 stories from the user stories of tasks\.md/)
    const dry = pawl('deliver', 'tasks.md', '--dry-run', '--verify', 'true')
    expect([dry.status, dry.stdout]).toEqual([0, expect.stringContaining('S3  Mark the dry hours')])
  })
})

describe('the types are shipped', () => {
  test('the build copies them as they are', () => {
    for (const file of ['novel/type.yaml', 'novel/taxonomy/base.json', 'prd/type.yaml']) {
      expect(readFileSync(join(root, 'dist', 'types', file))).toEqual(readFileSync(join(builtInTypesFolder(), file)))
    }
  })

  test('bundled code finds them in dist, wherever the package is', async () => {
    const installed = newFolder()
    mkdirSync(join(installed, 'bin'))
    writeFileSync(join(installed, 'bin', 'pawl.cjs'), '')
    writeFileSync(join(installed, 'package.json'), '{ "type": "module" }')
    cpSync(join(root, 'dist', 'types'), join(installed, 'dist', 'types'), { recursive: true })
    const bundler = await rolldown({
      cwd: root,
      input: join(root, 'src/modes/writing/project/types.ts'),
      platform: 'node',
      resolve: { mainFields: ['module', 'main'] },
    })
    await bundler.write({ dir: join(installed, 'dist', 'chunks'), format: 'esm', entryFileNames: 'types.js' })
    await bundler.close()
    const program = `
      import { builtInTypesFolder, loadType } from './dist/chunks/types.js'
      console.log(builtInTypesFolder(), loadType('novel', [builtInTypesFolder()]).type.title)
    `
    writeFileSync(join(installed, 'program.mjs'), program)
    const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: installed, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual([`${join(installed, 'dist', 'types')} Novel\n`, ''])
  })
})
