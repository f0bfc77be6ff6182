import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fitDocuments } from '../../../../src/modes/writing/core/reply/documents.ts'
import { chooseFileMarkers, readFileBlocks } from '../../../../src/modes/writing/core/reply/file-blocks.ts'
import { readJsonReply } from '../../../../src/modes/writing/core/reply/read-json.ts'
import { checkStructure } from '../../../../src/modes/writing/core/reply/structure.ts'

const read = (reply: string, names: readonly string[], isCut = false) => {
  const { texts, cut } = readFileBlocks(reply, chooseFileMarkers(names, []), { sources: [], isCut })
  return { texts: Object.fromEntries(texts), ...(cut && { cut }) }
}

describe('files in a reply', () => {
  test('each is what stands between its markers, without fences and blank lines around it', () => {
    const reply =
      'Here you go:\n<file name="a.md">\n```markdown\n# A\n\nText.\n```\n</file>\n\n<file name="b.md">\n\n# B\n</file>\nEnjoy!'
    expect(read(reply, ['a.md', 'b.md'])).toEqual({ texts: { 'a.md': '# A\n\nText.', 'b.md': '# B' } })
  })

  test('a missing file is missing, one that is cut off is told apart, and a forgotten end is forgiven', () => {
    expect(read('<file name="a.md">\nA\n</file>\n<file name="b.md">\nB and', ['a.md', 'b.md', 'c.md'], true)).toEqual({
      texts: { 'a.md': 'A' },
      cut: { name: 'b.md', text: 'B and' },
    })
    expect(read('<file name="a.md">\nA\n<file name="b.md">\nB\n</file>', ['a.md', 'b.md'])).toEqual({
      texts: { 'a.md': 'A', 'b.md': 'B' },
    })
  })

  test('a single file needs no markers, and its text keeps what looks like one of several', () => {
    expect(read('Just the text.', ['a.md'])).toEqual({ texts: { 'a.md': 'Just the text.' } })
    expect(read('<answer>\nText', ['a.md'], true)).toEqual({ texts: {}, cut: { name: 'a.md', text: 'Text' } })
    expect(read('  ', ['a.md'])).toEqual({ texts: {} })
  })

  test('markers occur in none of the texts', () => {
    const [first] = chooseFileMarkers(['a.md', 'b.md'], ['text with <file name="x"> inside'])
    expect(first).toEqual({ name: 'a.md', open: '<file-2 name="a.md">', close: '</file-2>' })
    expect(chooseFileMarkers(['a.md'], ['</answer>'])[0]!.open).toBe('<answer-2>')
  })
})

describe('an object in a reply', () => {
  const schema = z.strictObject({ verdict: z.enum(['yes', 'no']) })
  test('is parsed strictly', () => {
    expect(readJsonReply('{"verdict":"yes"}', schema)).toEqual({ value: { verdict: 'yes' } })
    expect(readJsonReply('```json\n{"verdict":"no"}\n```', schema)).toEqual({ value: { verdict: 'no' } })
    for (const reply of ['', 'yes', '{"verdict":"maybe"}', '{"verdict":"yes","more":1}', '{"verdict":', '[]'])
      expect(readJsonReply(reply, schema)).toHaveProperty('unreadable')
  })
})

describe('the structure of a text', () => {
  const markdown = { format: 'markdown', fields: [] } as const
  const long = `# Title\n\n${'word '.repeat(200)}`
  const check = (before: string | undefined, after: string, feedback = 'Make it darker') =>
    checkStructure(markdown, [{ name: 'a.md', before, after }], { feedback })

  test('an empty, shrunken or headless text is found, and one with a placeholder', () => {
    expect(check(long, '')).toEqual(['a.md is empty.'])
    expect(check(long, '# Title\n\nshort')).toEqual([expect.stringContaining('lost most of its text')])
    expect(check(long, 'word '.repeat(200))).toEqual([expect.stringContaining('has lost its heading "Title"')])
    expect(check(long, `${long}\n\n[The rest of the chapter remains unchanged]`)).toEqual([
      expect.stringContaining('leaves text out'),
    ])
  })

  test('a text that is meant to be shorter may be', () => {
    expect(check(long, '# Title\n\nshort', 'Cut this to one line')).toEqual([])
    expect(check(long, long.replace('word', 'other'))).toEqual([])
    expect(check(undefined, 'New.')).toEqual([])
    expect(check(undefined, '{"premise":"x"}')).toEqual(['a.md is JSON, not a text.'])
  })

  test('a JSON file has all its fields', () => {
    const level = { format: 'json', fields: [{ name: 'premise', kind: 'text', says: 'x' }] } as const
    const json = (after: string) =>
      checkStructure(level, [{ name: 'p.json', before: undefined, after }], { feedback: '' })
    expect([json('{"premise":"x"}'), json('{}'), json('[]'), json('{')]).toEqual([
      [],
      ['p.json lacks premise.'],
      ['p.json is not a JSON object.'],
      ['p.json is not a JSON object.'],
    ])
  })
})

describe('texts in a prompt', () => {
  const documents = [1, 2, 3].map((number) => ({
    name: `${number}.md`,
    text: `# Heading ${number}\n\n${'word '.repeat(1000)}`,
  }))
  const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
  test('are complete if they fit', () => {
    expect(fitDocuments(documents, { tokens: 10_000, estimateTokens })).toEqual({ documents, isShortened: false })
  })
  test('else keep their headings, and the ones to keep are complete', () => {
    const fitted = fitDocuments(documents, { tokens: 1600, estimateTokens, keep: new Set(['2.md']) })
    expect(fitted.isShortened).toBe(true)
    expect(fitted.documents[1]).toEqual(documents[1])
    expect(fitted.documents[0]!.text).toMatch(/^# Heading 1/)
    expect(fitted.documents[0]!.text.length).toBeLessThan(700)
  })
})
