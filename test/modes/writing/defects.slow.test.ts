import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { iterate } from '../../../src/index.ts'
import { beats, file, newNovel, prose } from './support/novel.ts'
import { createWriterModel, type WriterOptions } from './support/writer-model.ts'

// Mistakes of the program that seed 003 came from. Each test would fail on it.

async function play(
  novel: ReturnType<typeof newNovel>,
  target: string,
  feedback: string,
  writer: WriterOptions = {},
  more: { generate?: boolean; cullDownstream?: boolean; onRejected?: 'yes' | 'no' | 'abort' } = {},
) {
  const model = createWriterModel(writer)
  const result = await iterate(target, feedback, {
    project: novel.folder,
    model: 'writer',
    models: { writer: model },
    env: novel.env,
    ...more,
  })
  const debug = join(novel.studio, result.debug)
  return {
    result,
    model,
    debug: fs.readdirSync(debug).sort(),
    readDebug: (name: string) => fs.readFileSync(join(debug, name), 'utf8'),
  }
}

const third = {
  plan: () => [{ name: file(3) }],
  revise: (_name: string, text: string) => text.replace('Unease', 'Dread'),
}

test('all attempts of an iteration are in one debug folder', async () => {
  const novel = newNovel()
  const { debug } = await play(novel, 'chapters', 'Make chapter 3 darker', {
    ...third,
    verdict: (call) => (call < 3 ? 'needs_revision' : 'approved'),
  })
  expect(debug.filter((name) => name.endsWith('_raw.md'))).toHaveLength(3)
  expect(fs.readdirSync(join(novel.studio, '.pawl/debug/my-novel'))).toHaveLength(1)
})

test('the semantic diff and the decision are written', async () => {
  const { debug, readDebug } = await play(newNovel(), 'chapters', 'Make chapter 3 darker', third)
  expect(debug).toEqual(expect.arrayContaining(['final_semantic_diff.md', 'user_decision.txt']))
  expect([readDebug('user_decision.txt'), readDebug('final_semantic_diff.md').length > 200]).toEqual([
    'accepted\n',
    true,
  ])
})

test('files and lines are counted, not assumed', async () => {
  const novel = newNovel()
  await play(novel, 'chapters', 'Darker chapters 3 and 5', {
    plan: () => [{ name: file(3) }, { name: file(5) }],
    revise: (_name, text) =>
      text.replace('Unease', 'Dread').replace('- The watch arrives', '- It rains -> it pours\n- The watch arrives'),
  })
  const [entry] = (
    JSON.parse(novel.read('chapter-beats/iteration_history.json')) as { iterations: Record<string, unknown>[] }
  ).iterations
  expect(entry).toMatchObject({ files_changed: 2, lines_changed: 6 })
})

test('the history entry is part of the commit', async () => {
  const novel = newNovel()
  await play(novel, 'chapters', 'Make chapter 3 darker', third)
  expect(novel.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toContain(
    'my-novel/chapter-beats/iteration_history.json',
  )
  expect(novel.git('show', 'HEAD:my-novel/chapter-beats/iteration_history.json')).toContain('Make chapter 3 darker')
  expect(novel.git('status', '--porcelain')).toBe('')
})

test('culling includes the analysis reports', async () => {
  const novel = newNovel({ prose: 1, reports: 2 })
  await play(novel, 'chapters', 'Make chapter 3 darker', third, { cullDownstream: true })
  expect([fs.existsSync(join(novel.folder, 'analysis')), fs.existsSync(join(novel.folder, 'chapters'))]).toEqual([
    false,
    false,
  ])
})

test('a level that is generated with fewer files keeps none of the old ones', async () => {
  const novel = newNovel({ chapters: 6 })
  await play(novel, 'chapters', '', { parts: 4, create: (name) => `# ${name}\n\nNew.` }, { generate: true })
  const names = fs.readdirSync(join(novel.folder, 'chapter-beats')).filter((name) => name.startsWith('chapter-'))
  expect(names).toEqual([1, 2, 3, 4].map(file))
})

test('a revision that merges two chapters removes the one that is gone', async () => {
  const novel = newNovel({ chapters: 4 })
  await play(novel, 'chapters', 'Merge chapters 3 and 4', {
    plan: () => [{ name: file(3) }, { name: file(4), action: 'remove', task: 'merged into 3' }],
    revise: (_name, text) => `${text}\nAnd what was chapter 4.`,
  })
  expect(fs.existsSync(join(novel.folder, 'chapter-beats', file(4)))).toBe(false)
})

test('a scene break inside a chapter does not split it', async () => {
  const novel = newNovel({ chapters: 2 })
  const scenes = `${beats(2)}\n---\n\nA second scene.\n\n***\n\nA third one.\n`
  await play(novel, 'chapters', 'Change chapters 1 and 2', {
    plan: (_feedback, names) => names.filter((name) => name !== 'foundation.md').map((name) => ({ name })),
    revise: (name, text) => (name === file(2) ? scenes : text.replace('Unease', 'Dread')),
  })
  expect(novel.read(`chapter-beats/${file(2)}`)).toBe(scenes)
  expect(
    fs.readdirSync(join(novel.folder, 'chapter-beats')).filter((name) => name.startsWith('chapter-')),
  ).toHaveLength(2)
})

test('an iteration can be aborted when the judge rejects it, and nothing is saved', async () => {
  const novel = newNovel()
  const head = novel.git('rev-parse', 'HEAD')
  const { result, readDebug } = await play(
    novel,
    'chapters',
    'Make chapter 3 darker',
    { ...third, verdict: () => 'needs_revision' },
    { onRejected: 'abort' },
  )
  expect([result.reason?.code, result.commit, novel.git('rev-parse', 'HEAD')]).toEqual(['aborted', null, head])
  expect(readDebug('user_decision.txt')).toBe('rejected\n')
})

test('a script is never blocked by a question that nobody asked for', () => {
  const novel = newNovel()
  const { stdout, status } = spawnSync(join(import.meta.dirname, '../../../bin/agentic'), [], {
    cwd: novel.studio,
    env: novel.env,
    input: '/status\n/exit\n',
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Project: my-novel')])
})

test('the judge of prose is given the beats themselves, not their number', async () => {
  const novel = newNovel({ chapters: 3, prose: 3 })
  const { model } = await play(novel, 'prose', 'Make chapter 2 darker', {
    plan: () => [{ name: file(2) }],
    revise: () => prose(2).replace('refreshed', 'afraid'),
  })
  const judge = model.calls.find(({ system }) => system?.includes('strict and fair'))!
  for (const number of [1, 2, 3]) expect(judge.prompt).toContain(`the letter ${number} burns`)
})

test('a revised premise has the fields of a generated one, and the author’s own', async () => {
  const novel = newNovel()
  const before = JSON.parse(novel.read('premise/premise_metadata.json')) as Record<string, unknown>
  novel.write('premise/premise_metadata.json', `${JSON.stringify({ ...before, my_note: 'mine' }, null, 2)}\n`)
  const base = createWriterModel()
  const model = {
    ...base,
    call: async (...[request, signal]: Parameters<typeof base.call>) => {
      const reply = await base.call(request, signal)
      if (!request.system?.includes('You revise a written work')) return reply
      const { selections: _, ...fields } = before
      return {
        ...reply,
        text: JSON.stringify({
          ...fields,
          stakes: 'Everything',
          selections: [{ category: 'tone', values: ['dark', 'wry'] }],
        }),
      }
    },
  }
  await iterate('premise', 'Higher stakes', {
    project: novel.folder,
    model: 'writer',
    models: { writer: model },
    env: novel.env,
  })
  const after = JSON.parse(novel.read('premise/premise_metadata.json')) as Record<string, unknown>
  expect(after).toEqual({ ...before, stakes: 'Everything', selections: { tone: ['dark', 'wry'] }, my_note: 'mine' })
})

test('what a model says around a text never reaches a file', async () => {
  const novel = newNovel()
  const base = createWriterModel()
  const wrapped = `Sure! Here is the revised treatment:\n\n\`\`\`markdown\n${novel.read('treatment/treatment.md')}And more.\n\`\`\`\n\nLet me know if you want anything else!`
  const model = {
    ...base,
    call: async (...[request, signal]: Parameters<typeof base.call>) => {
      const reply = await base.call(request, signal)
      return request.system?.includes('You revise a written work') ? { ...reply, text: wrapped } : reply
    },
  }
  const before = novel.read('treatment/treatment.md')
  await iterate('treatment', 'Add an end', {
    project: novel.folder,
    model: 'writer',
    models: { writer: model },
    env: novel.env,
  })
  expect(novel.read('treatment/treatment.md')).toBe(`${before}And more.\n`)
})
