import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConfigError } from '../../../../src/config/problem.ts'
import { PawlError } from '../../../../src/contract/exit.ts'
import { builtInTypesFolder, findTypes, loadType } from '../../../../src/modes/writing/project/types.ts'
import { newFolder } from '../../../support/folder.ts'

const builtIn = builtInTypesFolder()

const essay = `type: essay
title: Essay
says: An essay.
questions:
  - key: idea
    asks: What is it about?
exports: text
levels:
  - id: outline
    title: Outline
    saved: Outline
    folder: outline
    file: outline.md
    format: markdown
    context: []
    temperature: 0.5
    words: 200
    describes: An outline is a list of claims.
    rules: [Three claims.]
  - id: text
    title: Text
    saved: Text
    folder: text
    file: text.md
    format: markdown
    context: [outline]
    temperature: 0.7
    words: 2000
    describes: The essay itself.
    rules: []
`

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Returns the error's message with the folder left out. */
function refusal(folder: string, name = 'essay', more: readonly string[] = []): string {
  try {
    loadType(name, [folder, ...more])
  } catch (error) {
    expect(error).toBeInstanceOf(PawlError)
    return (error as PawlError).message.replaceAll(`${folder}/`, '')
  }
  throw new Error('it was loaded')
}

/** A copy of the essay with one text replaced. */
const change = (from: string, to: string): string => {
  expect(essay).toContain(from)
  return write(newFolder(), { 'essay/type.yaml': essay.replace(from, to) })
}

describe('types are found', () => {
  test('in each folder; the first folder wins', () => {
    const [own, user] = [newFolder(), newFolder()]
    write(own, { 'essay/type.yaml': essay, 'README.md': '', '.hidden/type.yaml': '', 'notes/other.md': '' })
    write(user, { 'essay/type.yaml': essay.replace('title: Essay', 'title: Of the user'), 'Bad Name/type.yaml': '' })
    expect(findTypes([own, user, builtIn, join(own, 'missing')])).toEqual([
      { name: 'essay', folder: own },
      { name: 'novel', folder: builtIn },
      { name: 'prd', folder: builtIn },
    ])
    expect(loadType('essay', [own, user, builtIn]).type.title).toBe('Essay')
    expect(loadType('essay', [user, own]).type.title).toBe('Of the user')
  })

  test('a type of the studio hides the built-in one of its name', () => {
    const own = newFolder()
    cpSync(join(builtIn, 'novel'), join(own, 'novel'), { recursive: true })
    const file = join(own, 'novel', 'type.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('parts: 15', 'parts: 30'))
    expect(loadType('novel', [own, builtIn]).type.parts).toBe(30)
  })

  test('an unknown name is answered with the nearest and all there are', () => {
    try {
      loadType('novl', [builtIn])
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        message: 'there is no project type "novl"',
        hint: `Did you mean novel? Known: novel, prd. A type is a folder with a type.yaml, in: ${builtIn}`,
      })
    }
  })

  test.for([['../novel'], ['novel/../novel'], ['/etc'], [''], ['.'], ['default'], ['__proto__'], ['NOVEL']])(
    '%j is no name of a type',
    ([name]) => {
      expect(() => loadType(name!, [builtIn])).toThrow('there is no project type')
    },
  )
})

describe('type.yaml is checked strictly', () => {
  test.for<[string, string, string, string]>([
    [
      'an unknown key',
      'describes: An outline',
      'descibes: An outline',
      'essay/type.yaml:18:5 levels.0.descibes: unknown key, found descibes, allowed: id, title, saved, folder, file, series, reports, format, fields, context, leaf, temperature, revisionTemperature, words, describes, rules, leadRules, headings. Did you mean describes? Rename or remove it.',
    ],
    [
      'a missing key',
      'title: Essay\n',
      '',
      'essay/type.yaml:1:1 title: missing key, found nothing, allowed: text. Add it.',
    ],
    [
      'a missing key of a level',
      '    saved: Text\n',
      '',
      'essay/type.yaml:20:5 levels.1.saved: missing key, found nothing, allowed: text. Add it.',
    ],
    [
      'a wrong value',
      'temperature: 0.5',
      'temperature: hot',
      'essay/type.yaml:16:18 levels.0.temperature: wrong value, found hot, allowed: a number. Correct the value.',
    ],
    [
      'a word that is not in the list',
      'key: idea',
      'key: colour',
      'essay/type.yaml:5:10 questions.0.key: wrong value, found colour, allowed: genre, idea, words, parts, audience. Correct the value.',
    ],
    [
      'a path for a file',
      'file: text.md',
      'file: ../text.md',
      'levels.1.file: wrong value, found ../text.md, allowed: a plain file name.',
    ],
    [
      'a hidden folder',
      'folder: text',
      'folder: .git',
      'levels.1.folder: wrong value, found .git, allowed: a plain file name.',
    ],
    ['a placeholder in a file', 'file: text.md', 'file: text-{n}.md', 'found text-{n}.md, allowed: a plain file name.'],
    [
      'a series without a number',
      'file: text.md',
      'series: { pattern: part.md, one: part, many: parts }',
      'allowed: a plain file name with one {n}, such as chapter-{n}.md.',
    ],
    [
      'a series with two numbers',
      'file: text.md',
      "series: { pattern: 'part-{n}-{n}.md', one: part, many: parts }",
      'allowed: a plain file name with one {n}, such as chapter-{n}.md.',
    ],
    [
      'another name than the folder has',
      'type: essay',
      'type: novel',
      'essay/type.yaml:1:7 type: another name than its folder, found novel, allowed: essay.',
    ],
    ['broken YAML', 'exports: text', 'exports: [text', 'essay/type.yaml:8:1: invalid YAML'],
    ['a key twice', 'title: Essay', 'title: Essay\ntitle: Again', 'essay/type.yaml:3:1 title: duplicate key'],
    [
      'choices of another kind',
      'key: idea',
      'key: idea\n    choices: all',
      'questions.0.choices: wrong value, found all, allowed: genres or a list of answers.',
    ],
  ])('%s', ([, from, to, message]) => {
    expect(refusal(change(from, to))).toContain(message)
  })

  test('every problem is reported at once', () => {
    const folder = write(newFolder(), {
      'essay/type.yaml': essay.replace('words: 200', 'words: -1').replace('temperature: 0.7', 'temperature: 7'),
    })
    try {
      loadType('essay', [folder])
      expect.unreachable()
    } catch (error) {
      expect((error as ConfigError).problems.map(({ line }) => line)).toEqual([17, 27])
    }
  })

  test('an empty file and a folder in its place', () => {
    expect(refusal(write(newFolder(), { 'essay/type.yaml': '' }))).toContain('essay/type.yaml:1:1: wrong value')
    expect(refusal(write(newFolder(), { 'essay/type.yaml/x': '' }))).toContain('cannot be read, found a directory')
  })
})

describe('names in type.yaml must fit together', () => {
  test.for<[string, string, string, string]>([
    [
      'an unknown level',
      'context: [outline]',
      'context: [outlin]',
      'essay/type.yaml:26:15 levels.1.context.0: unknown level, found outlin, allowed: outline. Did you mean outline? Correct the value.',
    ],
    [
      'a taxonomy that is not there',
      'context: []',
      'context: [taxonomy]',
      'levels.0.context.0: unknown level, found taxonomy',
    ],
    [
      'neither file nor series',
      '    file: text.md\n',
      '',
      'levels.1: a level has one kind of files, found none of them, allowed: one of file, series, reports.',
    ],
    [
      'both',
      'file: text.md',
      "file: text.md\n    series: { pattern: '{n}.md', one: part, many: parts }",
      'a level has one kind of files, found file and series',
    ],
    [
      'follows a level without a series',
      'file: text.md',
      "series: { pattern: '{n}.md', one: part, many: parts, follows: outline }",
      'levels.1.series.follows: no level with a series, found outline, allowed: none.',
    ],
    [
      'a cycle',
      'context: []',
      'context: [text]',
      'levels.0.context: a level is made from itself, found outline from text from outline, allowed: earlier levels.',
    ],
    ['itself', 'context: []', 'context: [outline]', 'a level is made from itself, found outline from outline'],
    ['one id twice', 'id: text', 'id: outline', 'levels.1.id: used twice, found outline'],
    ['one folder twice', 'folder: text', 'folder: Outline', 'levels.1.folder: used twice, found Outline'],
    ['the id of the taxonomy', 'id: outline', 'id: taxonomy', 'levels.0.id: reserved name, found taxonomy'],
    [
      'an export of nothing',
      'exports: text',
      'exports: txt',
      'exports: unknown level, found txt, allowed: outline, text. Did you mean text?',
    ],
    [
      'genres without a taxonomy',
      'key: idea',
      'key: idea\n    choices: genres',
      'questions.0.choices: no taxonomy, found genres',
    ],
    ['JSON without fields', 'format: markdown', 'format: json', 'levels.0.fields: a JSON file needs fields'],
    ['Markdown in a JSON file', 'file: text.md', 'file: text.json', 'levels.1.file: wrong file name, found text.json'],
    [
      'a file of our own',
      'file: text.md\n    format: markdown',
      'file: sources.json\n    format: json\n    fields: [{ name: a, kind: text, says: A. }]',
      'levels.1.file: wrong file name, found sources.json',
    ],
    [
      'a lead that is a part',
      'file: text.md',
      "series: { pattern: 'p-{n}.md', lead: p-0.md, one: part, many: parts }",
      'levels.1.series.lead: the lead is named like a part, found p-0.md',
    ],
    [
      'analyses without a place',
      'exports: text',
      'exports: text\nanalyses: [{ name: pacing, asks: Where? }]',
      'analyses: no level for reports',
    ],
    [
      'a text made from reports',
      'rules: [Three claims.]',
      'rules: []\n    leaf: true',
      'levels.1.context.0: unknown level, found outline, allowed: none.',
    ],
  ])('%s', ([, from, to, message]) => {
    expect(refusal(change(from, to))).toContain(message)
  })
})

describe('the taxonomy', () => {
  const category = (name: string) => ({
    category_name: name,
    selection_rule: 'select_one',
    description: 'd',
    options: { a: { name: 'A', description: 'd', words: 5 } },
  })
  const taxonomy = (categories: object): string =>
    JSON.stringify({ taxonomy_version: '1', taxonomy_name: 't', description: 'd', categories }, null, 2)
  const type = `${essay}taxonomy:\n  base: base.json\n  genres:\n    memoir: memoir.json\n`
  const files = {
    'essay/type.yaml': type,
    'essay/taxonomy/base.json': taxonomy({ tone: category('Tone'), form: category('Form') }),
    'essay/taxonomy/memoir.json': taxonomy({ form: category('Form of a memoir'), years: category('Years') }),
  }

  test('a genre adds categories, and replaces those of the same key', () => {
    const loaded = loadType('essay', [write(newFolder(), files)])
    const names = (genre?: string) => Object.values(loaded.taxonomy(genre)).map((one) => one.category_name)
    expect(names()).toEqual(['Tone', 'Form'])
    expect(names('memoir')).toEqual(['Tone', 'Form of a memoir', 'Years'])
    expect(names(' Memoir ')).toEqual(names('memoir'))
    expect(names('romance')).toEqual(names())
    expect(loaded.taxonomy().tone!.options.a).toEqual({ name: 'A', description: 'd', words: 5 })
  })

  test('a file that is missing is named at its line, with the nearest', () => {
    const folder = write(newFolder(), { ...files, 'essay/type.yaml': type.replace('memoir.json', 'memoirs.json') })
    expect(refusal(folder)).toBe(
      'essay/type.yaml:34:13 taxonomy.genres.memoir: no such file, found memoirs.json, allowed: files in essay/taxonomy. Did you mean memoir.json? Correct the value.',
    )
  })

  test.for<[string, string, string]>([
    [
      'a wrong rule',
      taxonomy({ tone: { ...category('Tone'), selection_rule: 'any' } }),
      'memoir.json:8:25 categories.tone.selection_rule: wrong value, found "any", allowed: select_one, select_primary',
    ],
    [
      'no description',
      taxonomy({ tone: { ...category('Tone'), description: undefined } }),
      'memoir.json:6:5 categories.tone.description: missing key',
    ],
    [
      'a comment',
      '{\n  // note\n}',
      'memoir.json:2:3: invalid JSON, found InvalidCommentToken, allowed: JSON without comments.',
    ],
    ['a trailing comma', '{\n  "a": 1,\n}', 'memoir.json:3:1: invalid JSON'],
    ['half a file', '{ "a": ', 'memoir.json:1:8: invalid JSON'],
    ['YAML', 'a: 1', 'memoir.json:1:1: invalid JSON'],
    ['a key twice', '{ "a": 1, "a": 2 }', 'memoir.json:1:11 a: duplicate key'],
    ['a hostile key', '{ "__proto__": { "x": 1 } }', '__proto__: unknown key'],
  ])('%s is refused with its line', ([, text, message]) => {
    const folder = write(newFolder(), { ...files, 'essay/taxonomy/memoir.json': text })
    expect(refusal(folder)).toContain(message)
  })
})

describe('templates', () => {
  test('of the type come before those of default, in the order of the folders', () => {
    const [own, user, shipped] = [newFolder(), newFolder(), newFolder()]
    write(own, {
      'essay/type.yaml': essay,
      'essay/prompts/judge.liquid': 'judge of the essay',
      'essay/prompts/_tone.liquid': 'a part',
      'essay/prompts/README.md': 'not a template',
    })
    write(user, { 'default/prompts/summarize.liquid': 'summarize of the user' })
    const names = ['generate', 'judge', 'summarize']
    write(shipped, Object.fromEntries(names.map((name) => [`default/prompts/${name}.liquid`, `${name} shipped`])))
    expect(loadType('essay', [own, user, shipped]).templates).toEqual({
      generate: 'generate shipped',
      judge: 'judge of the essay',
      summarize: 'summarize of the user',
      _tone: 'a part',
    })
  })

  test('of an unknown name are refused with the nearest', () => {
    const folder = write(newFolder(), {
      'default/prompts/generate.liquid': '',
      'essay/type.yaml': essay,
      'essay/prompts/genrate.liquid': '',
    })
    expect(refusal(folder)).toBe(
      'essay/prompts/genrate.liquid: unknown template, found genrate, allowed: generate, or a name with _ for a part of others. Did you mean generate? Rename it.',
    )
  })

  test('have plain names', () => {
    const folder = write(newFolder(), { 'essay/type.yaml': essay, 'essay/prompts/__proto__.liquid': '' })
    expect(refusal(folder)).toContain('essay/prompts/__proto__.liquid: wrong name')
  })
})

describe('a folder of types is not trusted', () => {
  const secret = (): string => write(newFolder(), { 'type.yaml': essay, 'key.liquid': 'private' })

  test('a link inside the folder may be followed', () => {
    const folder = write(newFolder(), { 'essay/type.yaml': essay, 'shared/judge.liquid': 'judge' })
    mkdirSync(join(folder, 'default', 'prompts'), { recursive: true })
    symlinkSync('../../shared/judge.liquid', join(folder, 'default', 'prompts', 'judge.liquid'))
    expect(loadType('essay', [folder]).templates).toEqual({ judge: 'judge' })
  })

  test('the folder itself may be a link', () => {
    const folder = write(newFolder(), { 'types/essay/type.yaml': essay })
    symlinkSync('types', join(folder, 'link'))
    expect(loadType('essay', [join(folder, 'link')]).type.type).toBe('essay')
  })

  test.for<[string, (folder: string, outside: string) => void]>([
    [
      'a file',
      (folder, outside) => {
        rmSync(join(folder, 'essay', 'type.yaml'))
        symlinkSync(join(outside, 'type.yaml'), join(folder, 'essay', 'type.yaml'))
      },
    ],
    [
      'the folder of a type',
      (folder, outside) => {
        rmSync(join(folder, 'essay'), { recursive: true })
        symlinkSync(outside, join(folder, 'essay'))
      },
    ],
    ['the folder of templates', (folder, outside) => symlinkSync(outside, join(folder, 'essay', 'prompts'))],
    [
      'a template',
      (folder, outside) => {
        mkdirSync(join(folder, 'default', 'prompts'), { recursive: true })
        symlinkSync(join(outside, 'key.liquid'), join(folder, 'default', 'prompts', 'judge.liquid'))
      },
    ],
  ])('%s that is a link to the outside is refused', ([, plant]) => {
    const [folder, outside] = [write(newFolder(), { 'essay/type.yaml': essay }), secret()]
    plant(folder, outside)
    expect(refusal(folder)).toMatch(/cannot be read, found a link to .*Replace the link with a copy of the file\.$/)
  })

  test('large files, bytes that are no text, loops of links and crowds are refused', () => {
    const large = write(newFolder(), { 'essay/type.yaml': `${essay}#${' '.repeat(1024 * 1024)}\n` })
    expect(refusal(large)).toContain('essay/type.yaml: cannot be read, found more than 1 MiB')
    const bytes = write(newFolder(), { 'essay/type.yaml': '' })
    writeFileSync(join(bytes, 'essay', 'type.yaml'), Buffer.from([0x61, 0x0a, 0xff, 0xfe]))
    expect(refusal(bytes)).toContain('essay/type.yaml:2:1: cannot be read, found bytes that are not UTF-8')
    const loop = write(newFolder(), { 'essay/type.yaml': essay })
    symlinkSync('prompts', join(loop, 'essay', 'prompts'))
    expect(refusal(loop)).toContain('essay/prompts: cannot be read, found a path that cannot be followed (ELOOP)')
    const crowd = write(newFolder(), { 'essay/type.yaml': essay })
    write(crowd, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`essay/prompts/a${at}.liquid`, ''])))
    expect(refusal(crowd)).toContain('essay/prompts: cannot be read, found 101 files')
  })
})
