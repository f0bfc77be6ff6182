import {
  AlignmentType,
  Document,
  type FileChild,
  Footer,
  HeadingLevel,
  type IParagraphOptions,
  type IPropertiesOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  VerticalAlignSection,
  WidthType,
} from 'docx'
import { type Block, type List, parseBlocks, type Run } from './blocks.ts'
import type { ExportedPart, ExportedWork } from './work.ts'
import { fixZipDates } from './zip-dates.ts'

type Layout = ExportedWork['layout']

/** Contract: pure in effect. The package stamps the time into the properties and the archive, so both are replaced. */
export async function buildDocx(work: ExportedWork): Promise<Uint8Array> {
  const chapters = work.parts.map(readPart)
  const document = new Document({
    styles: createStyles(work.layout),
    numbering: { config: createNumbering(chapters.flat()) },
    sections: [
      { properties: { verticalAlign: VerticalAlignSection.CENTER }, children: createTitlePage(work) },
      {
        properties: { page: { pageNumbers: { start: 1 } } },
        footers: { default: new Footer({ children: [createPageNumber()] }) },
        children: chapters.flatMap((blocks, at) => createChapter(blocks, at, work.layout)),
      },
    ],
  })
  const properties = { path: 'docProps/core.xml', data: formatProperties(work) }
  return fixZipDates(new Uint8Array(await Packer.toArrayBuffer(document, undefined, [properties])))
}

function readPart({ label, text }: ExportedPart): readonly Block[] {
  const blocks = parseBlocks(text)
  return blocks[0]?.kind === 'heading' || label === undefined
    ? blocks
    : [{ kind: 'heading', depth: 1, runs: [{ text: label }] }, ...blocks]
}

function createTitlePage({ title, author }: ExportedWork): FileChild[] {
  const centre = { alignment: AlignmentType.CENTER }
  const name = new Paragraph({ heading: HeadingLevel.TITLE, ...centre, children: createRuns([{ text: title }]) })
  const by = author === undefined ? [] : [new Paragraph({ ...centre, children: createRuns([{ text: author }]) })]
  return [name, ...by]
}

const createPageNumber = (): Paragraph =>
  new Paragraph({ alignment: AlignmentType.CENTER, children: [new TextRun({ children: [PageNumber.CURRENT] })] })

function createChapter(blocks: readonly Block[], chapter: number, layout: Layout): FileChild[] {
  return blocks.flatMap((block, at) => {
    // The first chapter follows the title page, which is a section of its own.
    const pageBreakBefore = at === 0 && chapter > 0
    const follows = blocks[at - 1]?.kind
    const isFirst = follows !== 'paragraph' && follows !== 'item'
    return createBlock(block, { chapter, pageBreakBefore, isIndented: layout === 'book' && !isFirst })
  })
}

type Setting = { readonly chapter: number; readonly pageBreakBefore: boolean; readonly isIndented: boolean }

const step = 360

function createBlock(block: Block, { chapter, pageBreakBefore, isIndented }: Setting): FileChild[] {
  switch (block.kind) {
    case 'heading': {
      const heading = headings[block.depth - 1]!
      return [new Paragraph({ heading, pageBreakBefore, children: createRuns(block.runs) })]
    }
    case 'scene-break':
      return [new Paragraph({ style: 'SceneBreak', children: createRuns([{ text: '***' }]) })]
    case 'item': {
      const { list, lists, runs } = block
      // Lists are counted in each chapter, and every list begins anew.
      const instance = chapter * 1_000_000 + list.id
      const numbering = { reference: nameList(list), level: Math.min(lists - 1, 8), instance }
      return [new Paragraph({ numbering, children: createRuns(runs) })]
    }
    case 'paragraph': {
      const isPlain = block.quotes === 0 && block.lists === 0
      const style = block.quotes > 0 ? 'Quote' : isPlain && isIndented ? 'BodyIndented' : 'Body'
      return [new Paragraph({ style, ...createIndent(block), children: createRuns(block.runs) })]
    }
    case 'code': {
      const runs = [{ text: block.text, code: true }]
      return [new Paragraph({ style: 'Code', ...createIndent(block), children: createRuns(runs) })]
    }
    case 'table':
      // Without a paragraph between them, two tables would become one.
      return [createTable(block.rows), new Paragraph({})]
  }
}

const createIndent = ({ quotes, lists }: { quotes: number; lists: number }): Pick<IParagraphOptions, 'indent'> =>
  quotes + lists === 0 ? {} : { indent: { left: (quotes + lists) * step * 2, firstLine: 0 } }

const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]

function createRuns(runs: readonly Run[]): ParagraphChild[] {
  return runs.flatMap(({ text, bold, italic, strike, code }) =>
    toXmlText(text)
      .split('\n')
      .map((line, at) => {
        const style = { bold, italics: italic, strike, ...(code && { font: 'Courier New' }) }
        return new TextRun({ text: line, ...style, ...(at > 0 && { break: 1 }) })
      }),
  )
}

function createTable(rows: Extract<Block, { kind: 'table' }>['rows']): Table {
  const createCell = (runs: readonly Run[], isHead: boolean): TableCell => {
    const shown = isHead ? runs.map((run) => ({ ...run, bold: true })) : runs
    return new TableCell({ children: [new Paragraph({ children: createRuns(shown) })] })
  }
  const width = { size: 100, type: WidthType.PERCENTAGE }
  return new Table({
    width,
    rows: rows.map(
      (row, at) =>
        new TableRow({
          ...(at === 0 && { tableHeader: true }),
          children: row.map((cell) => createCell(cell, at === 0)),
        }),
    ),
  })
}

/**
 * The package first writes `{name-instance}` into the XML and later replaces it by a number, wherever it stands. This character
 * means nothing in Unicode and is removed from all texts, so no text is replaced.
 */
const nameList = ({ start }: List): string => `\ufdd0${start ?? 'bullets'}`

function createNumbering(blocks: readonly Block[]): NonNullable<IPropertiesOptions['numbering']>['config'] {
  const lists = blocks.flatMap((block) => (block.kind === 'item' ? [block.list] : []))
  const byName = new Map(lists.map((list) => [nameList(list), list.start]))
  return [...byName].map(([reference, start]) => ({
    reference,
    levels: Array.from({ length: 9 }, (_, level) => ({
      level,
      ...(start === null
        ? { format: LevelFormat.BULLET, text: level % 2 === 0 ? '•' : '–' }
        : { format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start }),
      style: { paragraph: { indent: { left: (level + 1) * step * 2, hanging: step } } },
    })),
  }))
}

function createStyles(layout: Layout): NonNullable<IPropertiesOptions['styles']> {
  const isBook = layout === 'book'
  const spacing = isBook ? { line: 360, after: 0 } : { line: 276, after: 160 }
  const font = 'Times New Roman'
  const heading = (size: number, before: number) => ({
    run: { font, size, bold: true, color: '000000' },
    paragraph: { spacing: { before, after: 240 }, keepNext: true },
  })
  const centre = { alignment: AlignmentType.CENTER }
  const based = { basedOn: 'Normal', quickFormat: true }
  return {
    default: {
      document: { run: { font, size: 24 } },
      title: { run: { font, size: 56, bold: true }, paragraph: { spacing: { after: 480 } } },
      heading1: heading(36, 480),
      heading2: heading(30, 360),
      heading3: heading(26, 280),
      heading4: heading(24, 240),
      heading5: heading(24, 240),
      heading6: heading(24, 240),
    },
    paragraphStyles: [
      { id: 'Body', name: 'Body', ...based, paragraph: { spacing } },
      { id: 'BodyIndented', name: 'Body Indented', ...based, paragraph: { spacing, indent: { firstLine: step } } },
      {
        id: 'Quote',
        name: 'Quote',
        ...based,
        run: { italics: true },
        paragraph: { spacing: { ...spacing, after: 160 } },
      },
      {
        id: 'SceneBreak',
        name: 'Scene Break',
        ...based,
        paragraph: { ...centre, spacing: { before: 240, after: 240 } },
      },
      {
        id: 'Code',
        name: 'Code',
        ...based,
        run: { font: 'Courier New', size: 20 },
        paragraph: { spacing: { after: 160 } },
      },
    ],
  }
}

/** Without the times that the package would add. */
function formatProperties({ title, author }: ExportedWork): string {
  const creator = author === undefined ? '' : `<dc:creator>${escapeXml(author)}</dc:creator>`
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<dc:title>${escapeXml(title)}</dc:title>${creator}</cp:coreProperties>`,
  ].join('')
}

const escapeXml = (text: string): string =>
  toXmlText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Removes characters that XML cannot contain, for Word refuses a file that has one, and the one that is ours. */
const toXmlText = (text: string): string =>
  text.replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\ufdd0/gu, '')
