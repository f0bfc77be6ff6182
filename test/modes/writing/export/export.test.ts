import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { splitDraft } from '../../../../src/modes/writing/core/split-draft.ts'
import { parseBlocks } from '../../../../src/modes/writing/export/blocks.ts'
import { exportDocx } from '../../../../src/modes/writing/export/docx.ts'
import { exportMarkdown } from '../../../../src/modes/writing/export/markdown.ts'
import { type ExportedWork, toDocument } from '../../../../src/modes/writing/export/work.ts'
import { fixZipDates } from '../../../../src/modes/writing/export/zip-dates.ts'
import { newFolder } from '../../../support/folder.ts'
import { novel } from '../built-in.ts'
import { unzip } from './unzip.ts'

const first = `---
id: c1
---

# Chapter 1: The *Slipway*

The tide was **out**, and _cold_; ***both*** ~~never~~ \`lie\`.
It went on.${'  '}
After a break.

A second paragraph. <!-- check the date -->

---

> The sea keeps
> its own books.
>
> Twice.

He left.
---
Morning.

#

Noon.
`

const second = `1. rope
2. tar
   - black
   - clear

     It smells.

Again:

5. five
6. six

| knot | use |
|------|-----|
| bowline | **all** |

\`\`\`text
x = 1
  <y>
\`\`\`

See [the tables](https://example.org/t?a=1&b=2) and <https://example.org/>. ![a boat](boat.png)
`

const work: ExportedWork = {
  title: 'Salt & Rope',
  author: 'A. <Writer>',
  layout: 'book',
  parts: [
    { label: 'Chapter 1', text: first },
    { label: 'Chapter 2', text: second.replaceAll('\n', '\r\n') },
    { label: 'Chapter 3', text: '# Chapter 3\n\n1. rope\n' },
  ],
}

describe('Markdown', () => {
  const read = (given: ExportedWork): string => new TextDecoder().decode(exportMarkdown(given))

  test('has a title, the author, and the chapters as they are, each with a heading', () => {
    const text = read(work)
    expect(text).toMatch(
      /^# Salt & Rope\n\nby A\. <Writer>\n\n# Chapter 1: The \*Slipway\*\n\nThe tide was \*\*out\*\*/,
    )
    expect(text).toContain('\n\nNoon.\n\n# Chapter 2\n\n1. rope\n2. tar\n')
    expect(text).toMatch(/\n\n# Chapter 3\n\n1\. rope\n$/)
    expect(text).not.toContain('\r')
    expect(text).not.toContain('id: c1')
  })

  test('without an author there is no line for one, and a title is one line', () => {
    expect(read({ title: 'Salt\nand Rope', layout: 'book', parts: [] })).toBe('# Salt and Rope\n')
  })

  test('one file has one title: its own, or else that of the project', () => {
    const text = '---\nid: t\n---\n\n# Brief: *Bells*\n\nThey ring.\n'
    expect(read(toDocument('bells', undefined, text))).toBe('# Brief: *Bells*\n\nThey ring.\n')
    expect(read(toDocument('bells', 'A', 'They ring.\n\n## Why\n'))).toBe('# bells\n\nby A\n\nThey ring.\n\n## Why\n')
  })

  test('can be imported again, chapter by chapter', () => {
    const parts = ['# Chapter 1\n\nThe tide.\n\n***\n\nOut.', '# Chapter 2\n\nIn.'].map((text) => ({ label: '', text }))
    const { files } = splitDraft(read({ title: 'Salt', author: 'A', layout: 'book', parts }), novel)
    expect(files.map(({ name, text }) => [name, text.trim()])).toEqual([
      ['front-matter.md', '# Salt\n\nby A'],
      ['chapter-01.md', parts[0]!.text],
      ['chapter-02.md', parts[1]!.text],
    ])
  })
})

describe('a Word document', () => {
  let files: ReturnType<typeof unzip>
  let xml: string
  beforeAll(async () => {
    files = unzip(await exportDocx(work))
    xml = files.get('word/document.xml')!.text
  })

  /** `Style: text` for each paragraph, with emphasis as in Markdown. */
  const list = (document: string): string[] =>
    [...document.matchAll(/<w:p>(.*?)<\/w:p>|<w:p\/>/g)].map(([, inner = '']) => {
      const style = /<w:pStyle w:val="(\w+)"/.exec(inner)?.[1] ?? 'Normal'
      const page = inner.includes('<w:pageBreakBefore/>') ? 'new page, ' : ''
      const runs = [...inner.matchAll(/<w:r>(.*?)<\/w:r>/g)].map(([, run = '']) => {
        const marks = [/<w:b\/>/, /<w:i\/>/, /<w:strike\/>/, /Courier/].map((form, at) =>
          form.test(run) ? '*/~`'[at]! : '',
        )
        const text = [...run.matchAll(/<w:br\/>|<w:t[^>]*>(.*?)<\/w:t>/g)].map(([whole, t]) =>
          whole === '<w:br/>' ? '⏎' : t,
        )
        return marks.join('') + text.join('') + marks.toReversed().join('')
      })
      return `${page}${style}: ${runs.join('')}`
    })

  test('has a title page and every chapter on a page of its own', () => {
    expect(list(xml)).toEqual([
      'Title: Salt &amp; Rope',
      'Normal: A. &lt;Writer&gt;',
      'Heading1: Chapter 1: The /Slipway/',
      'Body: The tide was *out*, and /cold/; */both/* ~never~ `lie`. It went on.⏎After a break.',
      'BodyIndented: A second paragraph. ',
      'SceneBreak: ***',
      'Quote: The sea keeps its own books.',
      'Quote: Twice.',
      'BodyIndented: He left.',
      'SceneBreak: ***',
      'Body: Morning.',
      'SceneBreak: ***',
      'Body: Noon.',
      'new page, Heading1: Chapter 2',
      'ListParagraph: rope',
      'ListParagraph: tar',
      'ListParagraph: black',
      'ListParagraph: clear',
      'Body: It smells.',
      'BodyIndented: Again:',
      'ListParagraph: five',
      'ListParagraph: six',
      'Normal: *knot*',
      'Normal: *use*',
      'Normal: bowline',
      'Normal: *all*',
      'Normal: ',
      'Code: `x = 1``⏎  &lt;y&gt;`',
      'Body: See the tables (https://example.org/t?a=1&amp;b=2) and https://example.org/. [a boat]',
      'new page, Heading1: Chapter 3',
      'ListParagraph: rope',
    ])
  })

  test('has a title page in the middle of the page, then numbered pages from 1', () => {
    const [title, body] = [...xml.matchAll(/<w:sectPr>(.*?)<\/w:sectPr>/g)].map(([, inner]) => inner!)
    expect(title).toContain('<w:vAlign w:val="center"/>')
    expect(title).not.toContain('footerReference')
    expect(body).toContain('<w:pgNumType w:start="1"/>')
    expect(files.get('word/footer1.xml')!.text).toContain('PAGE')
    expect(files.get('docProps/core.xml')!.text).toContain(
      '<dc:title>Salt &amp; Rope</dc:title><dc:creator>A. &lt;Writer&gt;',
    )
  })

  test('scene breaks are centred', () => {
    const style = /<w:style [^>]*w:styleId="SceneBreak".*?<\/w:style>/.exec(files.get('word/styles.xml')!.text)![0]
    expect(style).toContain('<w:jc w:val="center"/>')
  })

  test('every list counts for itself, from its own number', () => {
    const items = [...xml.matchAll(/<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/g)].map(([, level, id]) => [
      level,
      id,
    ])
    expect(items.map(([level]) => level)).toEqual(['0', '0', '1', '1', '0', '0', '0'])
    const ids = items.map(([, id]) => id)
    expect([ids[0] === ids[1], ids[2] === ids[3], ids[4] === ids[5]]).toEqual([true, true, true])
    expect(new Set([ids[0], ids[2], ids[4], ids[6]]).size).toBe(4)
    expect(files.get('word/numbering.xml')!.text).toContain('<w:start w:val="5"/>')
  })

  test('all its parts are XML whose tags are closed', () => {
    for (const [name, { text }] of files) {
      const open: string[] = []
      for (const [, close, tag, end] of text.matchAll(/<(\/?)([\w:]+)(?:[^<>]*?)(\/?)>/g)) {
        if (close) expect([name, open.pop()]).toEqual([name, tag])
        else if (!end) open.push(tag!)
      }
      expect([name, open]).toEqual([name, []])
    }
  })

  test('the same work gives the same bytes at any time and in any time zone', async () => {
    const before = await exportDocx(work)
    vi.useFakeTimers({ now: new Date('2031-05-06T07:08:09Z'), toFake: ['Date'] })
    vi.stubEnv('TZ', 'Pacific/Auckland')
    try {
      expect(Buffer.compare(before, await exportDocx(work))).toBe(0)
    } finally {
      vi.useRealTimers()
      vi.unstubAllEnvs()
    }
    expect(new Set([...files.values()].map(({ time }) => time))).toEqual(new Set([0x0021_0000]))
  })

  test('a document has space between paragraphs instead of indents', async () => {
    const text = unzip(await exportDocx({ ...work, layout: 'document' })).get('word/document.xml')!.text
    expect(text).not.toContain('BodyIndented')
  })

  test('what XML cannot contain is left out, and what the package would replace is not', async () => {
    const text = 'a\u0001b\u000bc\ud800d\ufffe {\ufdd0bullets-1} {bullets-1} é 🌊\n\n- item'
    const document = unzip(await exportDocx({ ...work, title: 'T\u0007', parts: [{ label: 'L', text }] }))
    expect(list(document.get('word/document.xml')!.text).slice(-2)).toEqual([
      'Body: abcd {bullets-1} {bullets-1} é 🌊',
      'ListParagraph: item',
    ])
    for (const { text: part } of document.values()) expect(part).not.toContain('\ufdd0')
    expect(document.get('docProps/core.xml')!.text).toContain('<dc:title>T</dc:title>')
  })

  test('a work without chapters, and an empty chapter', async () => {
    const empty = unzip(await exportDocx({ ...work, parts: [{ label: 'Chapter 1', text: '' }] }))
    expect(list(empty.get('word/document.xml')!.text).at(-1)).toBe('Heading1: Chapter 1')
    expect(unzip(await exportDocx({ ...work, parts: [] })).has('word/document.xml')).toBe(true)
  })

  const office = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0)
  test.skipIf(office === undefined)('LibreOffice opens it', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'work.docx'), await exportDocx(work))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    spawnSync(office!, [
      profile,
      '--headless',
      '--convert-to',
      'txt:Text',
      '--outdir',
      folder,
      join(folder, 'work.docx'),
    ])
    expect(readFileSync(join(folder, 'work.txt'), 'utf8')).toContain('The sea keeps its own books.')
  })
})

describe('Markdown is read as a writer means it', () => {
  const kinds = (text: string): string[] => parseBlocks(text).map(({ kind }) => kind)

  test.for<[string, readonly string[]]>([
    ['---', ['scene-break']],
    ['***', ['scene-break']],
    ['* * *', ['scene-break']],
    ['#', ['scene-break']],
    ['# # #', ['scene-break']],
    ['She left.\n---\nNoon.', ['paragraph', 'scene-break', 'paragraph']],
    ['Chapter One\n---\nNoon.', ['heading', 'paragraph']],
    ['The Storm\n-----\nNoon.', ['heading', 'paragraph']],
    ['Title\n===', ['heading']],
    ['---\ntitle: x\n---\nText', ['paragraph']],
    ['<!-- a note -->', []],
    ['<!-- a note\n\nthat goes on -->\n\nText', ['paragraph']],
    ['<center>***</center>', ['paragraph']],
    ['- \n- a', ['item']],
    ['> - a\n>\n>   b', ['item', 'paragraph']],
    ['', []],
  ])('%j', ([text, expected]) => {
    expect(kinds(text)).toEqual(expected)
  })

  test('a paragraph is one piece as long as its style is one', () => {
    expect(parseBlocks('a\nb \\* &amp; c **d**')).toEqual([
      { kind: 'paragraph', runs: [{ text: 'a b * & c ' }, { text: 'd', bold: true }], quotes: 0, lists: 0 },
    ])
  })

  test('the place of a block is how many quotations and lists it is in', () => {
    expect(parseBlocks('> - a\n>\n>   b')).toEqual([
      { kind: 'item', runs: [{ text: 'a' }], list: { id: 1, start: null }, quotes: 1, lists: 1 },
      { kind: 'paragraph', runs: [{ text: 'b' }], quotes: 1, lists: 1 },
    ])
  })
})

test('only a zip archive has dates to be fixed', () => {
  expect(() => fixZipDates(new Uint8Array(30))).toThrow('not a zip archive')
  expect(() => fixZipDates(new Uint8Array(3))).toThrow('not a zip archive')
})
