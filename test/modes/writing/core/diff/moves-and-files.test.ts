import { describe, expect, test } from 'vitest'
import { compareFiles, compareText } from './level.ts'

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

  test('also with a line before it that stands elsewhere too', () => {
    const scene = `“Yes.”\n\n${passage}`
    const { hunks } = compareFiles(
      { 'chapter-01.md': `One.\n\n${scene}\n\nTwo.`, 'chapter-02.md': 'Three.\n\n“Yes.”\n\nFour.' },
      { 'chapter-01.md': 'One.\n\nTwo.', 'chapter-02.md': `Three.\n\nFour.\n\n${scene}` },
    )
    expect(hunks.find(({ moved }) => moved !== null)).toMatchObject({ before: { text: scene } })
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
