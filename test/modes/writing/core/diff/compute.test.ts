import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hunk } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { compareFiles, compareText } from './level.ts'

/** Each hunk as `place: old => new`. */
const show = ({ hunks }: { hunks: readonly Hunk[] }): readonly string[] =>
  hunks.map(
    ({ before, after, field }) => `${field ?? `${before.start}+${before.lines}`}: ${before.text} => ${after.text}`,
  )

describe('prose is compared by sentences inside a paragraph', () => {
  const paragraph = 'Marcus woke at dawn. He felt refreshed. The magistrate was waiting. Nobody else knew.'

  test('a changed sentence of a paragraph on one line', () => {
    const diff = compareText(
      `# One\n\n${paragraph}\n\nThe end.\n`,
      `# One\n\n${paragraph.replace('He felt refreshed.', 'He was drenched in sweat. It was the dream again.')}\n\nThe end.\n`,
    )
    expect(diff.hunks).toEqual([
      {
        id: 'h1',
        unit: 'u1',
        before: { start: 3, lines: 1, text: 'He felt refreshed.' },
        after: { start: 3, lines: 1, text: 'He was drenched in sweat. It was the dream again.' },
        granularity: 'sentence',
        field: null,
        heading: 'One',
        words_before: 3,
        words_after: 10,
        moved: null,
      },
    ])
  })

  test('two changed sentences with an unchanged one between them are two hunks', () => {
    const after = paragraph.replace('dawn', 'noon').replace('waiting', 'gone')
    expect(show(compareText(paragraph, after))).toEqual([
      '1+1: Marcus woke at dawn. => Marcus woke at noon.',
      '1+1: The magistrate was waiting. => The magistrate was gone.',
    ])
  })

  test('an added and a removed sentence have an empty side, after the line they would stand on', () => {
    const after = paragraph.replace(' Nobody else knew.', '').replace('He felt', 'Rain fell. He felt')
    const { hunks } = compareText(paragraph, after)
    expect(hunks.map(({ before }) => before)).toEqual([
      { start: 1, lines: 0, text: '' },
      { start: 1, lines: 1, text: 'Nobody else knew.' },
    ])
    expect(hunks.map(({ after: side }) => side)).toEqual([
      { start: 1, lines: 1, text: 'Rain fell.' },
      { start: 1, lines: 0, text: '' },
    ])
  })

  test('a paragraph that was wrapped anew has no hunk', () => {
    const diff = compareText(`${paragraph}\n`, `${paragraph.replaceAll('. ', '.\n')}\n`)
    expect(diff.hunks).toEqual([])
    expect(diff.units[0]!.status).toBe('modified')
    expect(diff.stats).toMatchObject({ files_changed: 1, lines_added: 4, lines_removed: 1 })
  })

  test('sentences of several lines have the right lines', () => {
    const diff = compareText('One is\nhere. Two is\nthere.\nThree ends.', 'One is\nhere. Two was\nthere.\nThree ends.')
    expect(diff.hunks[0]).toMatchObject({
      before: { start: 2, lines: 2, text: 'Two is\nthere.' },
      after: { start: 2, lines: 2, text: 'Two was\nthere.' },
    })
  })

  test('a paragraph that was divided is shown, although no sentence changed', () => {
    const divided = paragraph.replace('refreshed. The', 'refreshed.\n\nThe')
    expect(show(compareText(paragraph, divided))).toEqual([
      '1+1: He felt refreshed. The magistrate was waiting. => He felt refreshed.\n\nThe magistrate was waiting.',
    ])
    expect(compareText(divided, paragraph).hunks).toHaveLength(1)
  })

  test('abbreviations, initials, decimals and quoted speech do not end a sentence', () => {
    const sentences = [
      'Dr. J. Moore paid 3.5 marks.',
      '“Stop! Thief!” he cried.',
      'It rained all day.',
      'Am 3. Mai kam Fr. Roth.',
    ]
    const text = sentences.join(' It was late. ')
    const after = text
      .replace('paid', 'owed')
      .replace('cried', 'said')
      .replace('rained', 'snowed')
      .replace('kam', 'ging')
    expect(compareText(text, after).hunks.map(({ before }) => before.text)).toEqual(
      sentences.with(1, 'Thief!” he cried.'),
    )
  })

  test('line ends of Windows count as those of Unix', () => {
    const diff = compareText('One here.\r\n\r\nTwo here.\r\n', 'One here.\n\nTwo there.\n')
    expect(show(diff)).toEqual(['3+1: Two here. => Two there.'])
    expect(diff.stats).toMatchObject({ lines_added: 1, lines_removed: 1 })
    expect(compareText('One.\r\n', 'One.\n')).toMatchObject({ hunks: [], stats: { files_changed: 0 } })
  })

  test('a rewritten page gives a hunk for each paragraph and its successor', () => {
    const before = [
      'The boat left the harbour at six.',
      'Anna watched the gulls above the mast.',
      'Nobody spoke of the storm.',
    ]
    const after = [
      'The boat left the harbour late, at nine.',
      'Anna ignored the gulls above the mast.',
      'Nobody dared to speak of the storm.',
    ]
    expect(show(compareText(before.join('\n\n'), after.join('\n\n')))).toEqual(
      before.map((text, at) => `${2 * at + 1}+1: ${text} => ${after[at]}`),
    )
  })
})

describe('Markdown is compared by lines', () => {
  test('items of a list and lines with a label', () => {
    const before = 'Tone: hopeful\nPOV: Marcus\nAct: I\n\n- He wakes\n- He fights\n- He wins\n'
    const after = 'Tone: dark\nPOV: Marcus\nAct: I\n\n- He wakes\n- He hesitates\n- He wins\n- He regrets it\n'
    const diff = compareText(before, after)
    expect(show(diff)).toEqual([
      '1+1: Tone: hopeful => Tone: dark',
      '6+1: - He fights => - He hesitates',
      '7+0:  => - He regrets it',
    ])
    expect(diff.hunks.every(({ granularity }) => granularity === 'line')).toBe(true)
  })

  test('a renamed heading is a hunk, and the heading of what follows', () => {
    const diff = compareText('# Book\n\n## Arrival\n\nShe came home.\n', '# Book\n\n## The Return\n\nShe went home.\n')
    expect(show(diff)).toEqual(['3+1: ## Arrival => ## The Return', '5+1: She came home. => She went home.'])
    expect(diff.hunks.map(({ heading }) => heading)).toEqual(['Book', 'The Return'])
  })

  test('an underlined heading is a heading', () => {
    const diff = compareText('Arrival\n=======\n\nShe came home.\n', 'Arrival\n=======\n\nShe went home.\n')
    expect(diff.hunks[0]!.heading).toBe('Arrival')
  })

  test('a heading inside of code is no heading', () => {
    const diff = compareText('# A\n\n```\n# b\n\none\n```\n\nx y.\n', '# A\n\n```\n# b\n\ntwo\n```\n\nx z.\n')
    expect(diff.hunks.map(({ heading }) => heading)).toEqual(['A', 'A'])
  })

  test('the indentation of an item is a change', () => {
    expect(show(compareText('- a\n- b\n', '- a\n  - b\n'))).toEqual(['2+1: - b =>   - b'])
  })

  test('a long addition is divided into hunks that can be read', () => {
    const sentences = Array.from({ length: 100 }, (_, at) => `Sentence number ${at} of the new scene says one thing.`)
    const { hunks } = compareText('# A\n\nOld.\n', `# A\n\nOld.\n\n## New\n\n${sentences.join('\n\n')}\n`)
    expect(hunks.length).toBeGreaterThan(5)
    expect(Math.max(...hunks.map((hunk) => hunk.words_after))).toBeLessThanOrEqual(120)
  })
})

describe('moves', () => {
  const passage = 'The lantern swung above the door as the last guest left.'
  const others = [
    'First came the rain over the hills.',
    'Then came the wind from the sea.',
    'At last there was silence.',
  ]

  test('a paragraph that stands word for word at another place is marked on both ends', () => {
    const { hunks } = compareText([passage, ...others].join('\n\n'), [...others, passage].join('\n\n'))
    expect(hunks.map(({ id, moved }) => [id, moved])).toEqual([
      ['h1', 'h2'],
      ['h2', 'h1'],
    ])
  })

  test('also in another file, and with the short lines around it', () => {
    const scene = `“Who?”\n\n${passage}\n\n“Me.”`
    const { hunks } = compareFiles(
      { 'chapter-01.md': `One.\n\n${scene}\n\nTwo.`, 'chapter-02.md': 'Three.\n\nFour.' },
      { 'chapter-01.md': 'One.\n\nTwo.', 'chapter-02.md': `Three.\n\n${scene}\n\nFour.` },
    )
    expect(hunks).toHaveLength(2)
    expect(hunks[0]).toMatchObject({ unit: 'u1', before: { text: scene }, after: { text: '' }, moved: 'h2' })
    expect(hunks[1]).toMatchObject({ unit: 'u2', before: { text: '' }, after: { text: scene }, moved: 'h1' })
  })

  test('a sentence that went to another paragraph', () => {
    const { hunks } = compareText(
      `${others[0]} ${passage}\n\n${others[1]} Yes.`,
      `${others[0]}\n\n${others[1]} ${passage} Yes.`,
    )
    expect(hunks.map(({ moved }) => moved)).toEqual(['h2', 'h1'])
  })

  test.each([
    ['edited on the way', passage, passage.replace('last', 'first')],
    ['too short', 'He left the house.', 'He left the house.'],
    ['there twice', passage, `${passage}\n\nAnd again.\n\n${passage}`],
  ])('a passage that is %s is not marked', (_, before, after) => {
    const { hunks } = compareText([before, ...others].join('\n\n'), [...others, after].join('\n\n'))
    expect(hunks.length).toBeGreaterThan(1)
    expect(hunks.every(({ moved }) => moved === null)).toBe(true)
  })
})

describe('JSON is compared by fields', () => {
  const before = { premise: 'A hero.', themes: ['duty', 'loss', 'hope'], stakes: { personal: 1, old: true } }
  const compare = (after: unknown, indent = 2) =>
    compareFiles(
      { 'premise.json': JSON.stringify(before, null, 2) },
      { 'premise.json': JSON.stringify(after, null, indent) },
    )

  test('changed, added and removed fields have their paths', () => {
    const diff = compare({
      premise: 'An anti-hero.',
      themes: ['duty', 'guilt', 'hope', 'pride'],
      stakes: { personal: 1, 'a/b': [1] },
    })
    expect(show(diff)).toEqual([
      '/premise: "A hero." => "An anti-hero."',
      '/themes/1: "loss" => "guilt"',
      '/themes/3:  => "pride"',
      '/stakes/a~1b:  => [\n  1\n]',
      '/stakes/old: true => ',
    ])
    expect(diff.hunks[1]).toMatchObject({
      granularity: 'field',
      before: { start: 5, lines: 1 },
      after: { start: 5, lines: 1 },
    })
  })

  test('indentation and the order of keys are no change', () => {
    const { stakes, ...rest } = before
    expect(compare({ stakes, ...rest }, 0)).toMatchObject({ hunks: [], units: [{ status: 'modified' }] })
    const lists = compareFiles({ 'a.json': '["x", {"b": 1, "c": 2}]' }, { 'a.json': '[{"c": 2, "b": 1}]' })
    expect(show(lists)).toEqual(['/0: "x" => '])
  })

  test('items with the same id or name belong together', () => {
    const one = {
      list: [
        { id: 'R1', text: 'a' },
        { id: 'R2', text: 'b' },
      ],
    }
    const other = {
      list: [
        { id: 'R0', text: 'new' },
        { id: 'R1', text: 'aa' },
        { id: 'R2', text: 'bb' },
      ],
    }
    const diff = compareFiles({ 'a.json': JSON.stringify(one) }, { 'a.json': JSON.stringify(other) })
    expect(diff.hunks.map(({ field }) => field)).toEqual(['/list/0', '/list/1/text', '/list/2/text'])
  })

  test.each([
    ['broken JSON', '{"a": 1,\n"b": }', '{"a": 2,\n"b": }'],
    ['a key that is there twice', '{"a": 1,\n"a": 3}', '{"a": 2,\n"a": 3}'],
    ['nesting that is too deep', `${'['.repeat(99)}1,\n2${']'.repeat(99)}`, `${'['.repeat(99)}3,\n2${']'.repeat(99)}`],
  ])('%s is compared by lines', (_, old, young) => {
    const { hunks } = compareFiles({ 'a.json': old }, { 'a.json': young })
    expect(hunks).toHaveLength(1)
    expect(hunks[0]).toMatchObject({ granularity: 'line', field: null, before: { start: 1, lines: 1 } })
  })

  test('a number keeps its last digits', () => {
    const { hunks } = compareFiles(
      { 'a.json': '{"n": 12345678901234567890}' },
      { 'a.json': '{"n": 12345678901234567891}' },
    )
    expect(hunks[0]).toMatchObject({
      before: { text: '12345678901234567890' },
      after: { text: '12345678901234567891' },
    })
  })
})

describe('files', () => {
  const chapter = (number: number): string =>
    Array.from({ length: 10 }, (_, at) => `Line ${at} of ${number} is here.`).join('\n')

  test('added, removed, unchanged and modified files', () => {
    const diff = compareFiles(
      { 'chapter-01.md': 'Same.', 'chapter-02.md': 'Old.', 'chapter-03.md': 'Gone with the wind.' },
      { 'chapter-01.md': 'Same.', 'chapter-02.md': 'New.', 'chapter-04.md': 'Something else entirely.' },
    )
    expect(diff.units.map(({ label, status }) => [label, status])).toEqual([
      ['Chapter 1', 'unchanged'],
      ['Chapter 2', 'modified'],
      ['Chapter 3', 'removed'],
      ['Chapter 4', 'added'],
    ])
    expect(diff.stats).toMatchObject({ files_total: 4, files_changed: 3, words_before: 6, words_after: 5 })
    expect(diff.units[2]).toMatchObject({ hash_after: null, words_after: 0 })
  })

  test('a file with another name and at least 80 % of the lines was renamed', () => {
    const renamed = (after: string) => compareFiles({ 'chapter-02.md': chapter(2) }, { 'chapter-05.md': after }).units
    expect(renamed(chapter(2).replace('Line 3', 'Verse 3'))).toMatchObject([
      { path: 'chapter-05.md', from_path: 'chapter-02.md', status: 'renamed' },
    ])
    expect(renamed(chapter(2).replace(/Line [345]/g, 'Verse'))).toMatchObject([
      { status: 'removed' },
      { status: 'added' },
    ])
  })

  test('words are counted in any script', () => {
    const words = (text: string) => compareText(text, '').stats.words_before
    expect(words('Don’t count well-known words twice — ever.')).toBe(6)
    expect(words('Größe, naïve café, Übermut')).toBe(4)
    expect(words('Он сказал: «нет»')).toBe(3)
    expect(words('彼は死んだ')).toBe(5)
    expect(words('👍 ok 𝒳 12')).toBe(3)
  })
})

describe('any two texts', () => {
  const word = fc.constantFrom(
    'No.',
    'Yes.',
    'The door closed.',
    'Anna left',
    'at dawn.',
    '# One',
    '- item',
    '\n',
    '\n\n',
    '```',
    'Key: value',
    '\r\n',
    ' ',
    '---',
  )
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))

  test('nothing changed means no hunk, and hunks are in order, with texts that stand where they say', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { hunks, limited } = compareText(before, after)
        expect(limited).toBe(false)
        if (before === after) expect(hunks).toEqual([])
        for (const [side, source] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const lines = source.replaceAll('\r\n', '\n').split('\n')
          let last = 0
          for (const { [side]: part } of hunks) {
            expect(part.start).toBeGreaterThanOrEqual(last)
            last = part.start
            if (part.text !== '')
              expect(lines.slice(part.start - 1, part.start - 1 + part.lines).join('\n')).toContain(part.text)
            expect(part.lines).toBe(part.text === '' ? 0 : part.text.split('\n').length)
          }
        }
      }),
    )
  })
})
