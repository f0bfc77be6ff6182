import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareText, showHunks } from './level.ts'

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
    expect(showHunks(compareText(paragraph, after))).toEqual([
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
    expect(showHunks(compareText(paragraph, divided))).toEqual([
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
    expect(showHunks(diff)).toEqual(['3+1: Two here. => Two there.'])
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
    expect(showHunks(compareText(before.join('\n\n'), after.join('\n\n')))).toEqual(
      before.map((text, at) => `${2 * at + 1}+1: ${text} => ${after[at]}`),
    )
  })
})

test('a new paragraph before rewritten ones is not taken for one of them', () => {
  const before = ['The boat left the harbour at six.', 'Anna watched the gulls above the mast.']
  const after = ['It had rained.', 'The boat left the harbour at nine.', 'Anna counted the gulls above the mast.']
  expect(showHunks(compareText(before.join('\n\n'), after.join('\n\n')))).toEqual([
    `0+0:  => ${after[0]}`,
    `1+1: ${before[0]} => ${after[1]}`,
    `3+1: ${before[1]} => ${after[2]}`,
  ])
})

describe('Markdown is compared by lines', () => {
  test('items of a list and lines with a label', () => {
    const before = 'Tone: hopeful\nPOV: Marcus\nAct: I\n\n- He wakes\n- He fights\n- He wins\n'
    const after = 'Tone: dark\nPOV: Marcus\nAct: I\n\n- He wakes\n- He hesitates\n- He wins\n- He regrets it\n'
    const diff = compareText(before, after)
    expect(showHunks(diff)).toEqual([
      '1+1: Tone: hopeful => Tone: dark',
      '6+1: - He fights => - He hesitates',
      '7+0:  => - He regrets it',
    ])
    expect(diff.hunks.every(({ granularity }) => granularity === 'line')).toBe(true)
  })

  test('a renamed heading is a hunk, and the heading of what follows', () => {
    const diff = compareText('# Book\n\n## Arrival\n\nShe came home.\n', '# Book\n\n## The Return\n\nShe went home.\n')
    expect(showHunks(diff)).toEqual(['3+1: ## Arrival => ## The Return', '5+1: She came home. => She went home.'])
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
    expect(showHunks(compareText('- a\n- b\n', '- a\n  - b\n'))).toEqual(['2+1: - b =>   - b'])
  })

  test('a long addition is divided into hunks that can be read', () => {
    const sentences = Array.from({ length: 100 }, (_, at) => `Sentence number ${at} of the new scene says one thing.`)
    const { hunks } = compareText('# A\n\nOld.\n', `# A\n\nOld.\n\n## New\n\n${sentences.join('\n\n')}\n`)
    expect(hunks.length).toBeGreaterThan(5)
    expect(Math.max(...hunks.map((hunk) => hunk.words_after))).toBeLessThanOrEqual(120)
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
