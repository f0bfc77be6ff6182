import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProjectType } from '../../../../src/modes/writing/contract/project-type.ts'
import { splitDraft } from '../../../../src/modes/writing/core/split-draft.ts'
import { novel, prd } from '../built-in.ts'

/** `chapter-01.md Chapter 1` for each file. */
const list = (draft: string, type: ProjectType = novel): string[] =>
  splitDraft(draft, type).files.map(({ name, title }) => `${name} ${title}`)

const join = (draft: string, type: ProjectType = novel): string =>
  splitDraft(draft, type)
    .files.map(({ text }) => text)
    .join('')

/** Puts a few lines below each heading. */
const draftOf = (...headings: readonly string[]): string =>
  headings.map((heading) => `${heading}\n\nThe tide came in.\n\nIt went out.\n\n`).join('')

describe('a novel is split at the headings of its chapters', () => {
  test.for<[string, readonly string[], readonly string[]]>([
    [
      'Markdown headings',
      ['# Chapter 1: The Slipway', '# Chapter 2: Low Water'],
      ['chapter-01.md Chapter 1: The Slipway', 'chapter-02.md Chapter 2: Low Water'],
    ],
    ['a deeper level', ['## Chapter 1', '## Chapter 2'], ['chapter-01.md Chapter 1', 'chapter-02.md Chapter 2']],
    [
      'numbers as words',
      ['CHAPTER ONE', 'CHAPTER TWO', 'CHAPTER TWENTY-THREE', 'Chapter Thirty One: Fog'],
      [
        'chapter-01.md CHAPTER ONE',
        'chapter-02.md CHAPTER TWO',
        'chapter-23.md CHAPTER TWENTY-THREE',
        'chapter-31.md Chapter Thirty One: Fog',
      ],
    ],
    [
      'Roman numerals',
      ['CHAPTER I', 'CHAPTER II. The Harbour', 'Chapter IV – Ebb', 'chapter xl'],
      [
        'chapter-01.md CHAPTER I',
        'chapter-02.md CHAPTER II. The Harbour',
        'chapter-04.md Chapter IV – Ebb',
        'chapter-40.md chapter xl',
      ],
    ],
    [
      'German',
      ['Kapitel 4', '5. Kapitel', 'Sechstes Kapitel', 'Kapitel Sieben: Ebbe'],
      [
        'chapter-04.md Kapitel 4',
        'chapter-05.md 5. Kapitel',
        'chapter-06.md Sechstes Kapitel',
        'chapter-07.md Kapitel Sieben: Ebbe',
      ],
    ],
    ['other languages', ['Chapitre 1', 'Chapitre 2'], ['chapter-01.md Chapitre 1', 'chapter-02.md Chapitre 2']],
    ['numbers alone', ['1.', '2.', '3.'], ['chapter-01.md 1.', 'chapter-02.md 2.', 'chapter-03.md 3.']],
    ['Roman numerals alone', ['I', 'II', 'III'], ['chapter-01.md I', 'chapter-02.md II', 'chapter-03.md III']],
    ['words alone', ['One', 'Two', 'Three'], ['chapter-01.md One', 'chapter-02.md Two', 'chapter-03.md Three']],
    ['numbers between dashes', ['— 1 —', '— 2 —'], ['chapter-01.md — 1 —', 'chapter-02.md — 2 —']],
    ['bold lines', ['**Chapter 1**', '**Chapter 2**'], ['chapter-01.md Chapter 1', 'chapter-02.md Chapter 2']],
    ['headings without a space', ['#Chapter 1', '#Chapter 2'], ['chapter-01.md Chapter 1', 'chapter-02.md Chapter 2']],
    [
      'underlined headings',
      ['Chapter 1\n=========', 'Chapter 2\n---', 'Chapter 3\n------'],
      ['chapter-01.md Chapter 1', 'chapter-02.md Chapter 2', 'chapter-03.md Chapter 3'],
    ],
    ['underlined titles', ['Salt\n====', 'Rope\n===='], ['chapter-01.md Salt', 'chapter-02.md Rope']],
    [
      'titles without numbers',
      ['# Salt', '# Rope', '# Tar'],
      ['chapter-01.md Salt', 'chapter-02.md Rope', 'chapter-03.md Tar'],
    ],
    [
      'titles with numbers',
      ['## 4. Salt', '## 5) Rope', '## VI – Tar', '## VIII: Ash'],
      ['chapter-04.md 4. Salt', 'chapter-05.md 5) Rope', 'chapter-06.md VI – Tar', 'chapter-08.md VIII: Ash'],
    ],
    [
      'prologue and epilogue',
      ['Prologue', 'Chapter 1', 'Chapter 2', 'Epilogue: A Year On'],
      [
        'chapter-00.md Prologue',
        'chapter-01.md Chapter 1',
        'chapter-02.md Chapter 2',
        'chapter-03.md Epilogue: A Year On',
      ],
    ],
    [
      'a prologue before numbers alone',
      ['PROLOGUE', '1', '2', 'EPILOGUE'],
      ['chapter-00.md PROLOGUE', 'chapter-01.md 1', 'chapter-02.md 2', 'chapter-03.md EPILOGUE'],
    ],
    [
      'numbers that begin again in a new part',
      ['PART ONE\n\n1', '2', 'PART TWO\n\n1', '2'],
      ['chapter-01.md 1', 'chapter-02.md 2', 'chapter-03.md 1', 'chapter-04.md 2'],
    ],
    [
      'a prologue with marks before numbers without',
      ['# Prologue', '1', '2', '# Epilogue'],
      ['chapter-00.md Prologue', 'chapter-01.md 1', 'chapter-02.md 2', 'chapter-03.md Epilogue'],
    ],
    [
      'what follows the last chapter',
      ['# Chapter 1', '# Chapter 2', "# Author's Note"],
      ['chapter-01.md Chapter 1', 'chapter-02.md Chapter 2', "chapter-03.md Author's Note"],
    ],
    ['parts only', ['PART ONE', 'PART TWO'], ['chapter-01.md PART ONE', 'chapter-02.md PART TWO']],
    ['more than 99', ['Chapter 99', 'Chapter 100'], ['chapter-99.md Chapter 99', 'chapter-100.md Chapter 100']],
  ])('%s', ([, headings, expected]) => {
    const draft = draftOf(...headings)
    expect(list(draft)).toEqual(expected)
    expect(join(draft)).toBe(draft)
    // The same with the line ends of Windows and of old Macs, and with a byte order mark.
    for (const other of [draft.replaceAll('\n', '\r\n'), draft.replaceAll('\n', '\r')]) {
      expect(list(`\ufeff${other}`)).toEqual(expected)
      expect(join(`\ufeff${other}`)).toBe(other)
    }
  })

  test('what stands before the first chapter is kept apart', () => {
    const front = '---\ntitle: Tides\n# Chapter 9\n---\n\n# Tides\n\nby A. Writer\n\n> For the sea.\n\n'
    const draft = front + draftOf('## Chapter 1', '## Chapter 2')
    const { files, notes } = splitDraft(draft, novel)
    expect(files.map(({ name }) => name)).toEqual(['front-matter.md', 'chapter-01.md', 'chapter-02.md'])
    expect(files[0]!.text).toBe(front)
    expect(notes).toEqual([
      '2 chapters, found by headings such as "Chapter 2". What stands before the first one is in front-matter.md.',
    ])
  })

  test('blank lines before the first chapter belong to it', () => {
    expect(splitDraft(`\n\n${draftOf('# Chapter 1')}`, novel).files.map(({ text }) => text.slice(0, 5))).toEqual([
      '\n\n# C',
    ])
  })

  test('a part belongs to its first chapter, with its epigraph', () => {
    const draft = `${draftOf('# Chapter 1')}# Part Two\n\n> Salt keeps.\n\n${draftOf('# Chapter 2')}`
    const { files } = splitDraft(draft, novel)
    expect(files.map(({ name, title }) => `${name} ${title}`)).toEqual([
      'chapter-01.md Chapter 1',
      'chapter-02.md Chapter 2',
    ])
    expect(files[1]!.text).toMatch(/^# Part Two\n\n> Salt keeps\.\n\n# Chapter 2/)
  })

  test('parts above chapters without words for them', () => {
    const draft = `# Tides\n\n# Part One\n\n${draftOf('## Salt', '## Rope')}# Part Two\n\n${draftOf('## Tar', '## Ash')}`
    expect(list(draft)).toEqual([
      'front-matter.md Front matter',
      'chapter-01.md Salt',
      'chapter-02.md Rope',
      'chapter-03.md Tar',
      'chapter-04.md Ash',
    ])
    expect(splitDraft(draft, novel).files[3]!.text).toMatch(/^# Part Two\n\n## Tar\n/)
    expect(join(draft)).toBe(draft)
  })

  test('a title in the line or the heading below belongs to its chapter', () => {
    expect(list('CHAPTER ONE\nThe Slipway\n\nText.\n\nCHAPTER TWO\nLow Water\n\nText.\n')).toEqual([
      'chapter-01.md CHAPTER ONE',
      'chapter-02.md CHAPTER TWO',
    ])
    expect(list('# Chapter 1\n\n# The Slipway\n\nText.\n\n# Chapter 2\n\n# Low Water\n\nText.\n')).toEqual([
      'chapter-01.md Chapter 1: The Slipway',
      'chapter-02.md Chapter 2: Low Water',
    ])
  })

  test('a title in capitals may go on in the next line', () => {
    const draft = 'CHAPTER I: OF SALT AND OF\nROPE\n\nText.\n\nCHAPTER II: OF TAR\n\nText.\n'
    expect(list(draft)).toEqual(['chapter-01.md CHAPTER I: OF SALT AND OF', 'chapter-02.md CHAPTER II: OF TAR'])
    const contents = 'CHAPTER I: OF SALT AND OF\nCHAPTER II: OF TAR\n\n'
    expect(list(contents + draft)).toEqual(['front-matter.md Front matter', ...list(draft)])
  })

  test('chapters of another name are known by the type', () => {
    const levels = novel.levels.map((level) =>
      level.id === 'prose'
        ? { ...level, series: { ...level.series!, one: 'episode', pattern: 'episode-{n}.md' } }
        : level,
    )
    expect(list(draftOf('Episode 1', 'Episode 2'), { ...novel, levels })).toEqual([
      'episode-01.md Episode 1',
      'episode-02.md Episode 2',
    ])
  })
})

describe('nothing else splits a novel', () => {
  test.for([
    ['---'],
    ['***'],
    ['* * *'],
    ['#'],
    ['##'],
    ['# # #'],
    ['~~~'],
    ['⁂'],
    ['### Later that night'],
    ['## Scene 2'],
    ['# Scene 2'],
    ['She stopped.\n---'],
    ['Chapter 3 of the manual was missing.'],
    ['Chapter 3 was missing,\nand nobody knew why.'],
    ['Chapter 3 – the missing one\nwas never found.'],
    ['Epilogue\nof a kind.'],
    ['"Chapter One," she said.'],
    ['Part of it was true.'],
    [`ACT I.\n\n${'The curtain rises. '.repeat(100)}\n\nACT II.\n\n${'It falls. '.repeat(200)}`],
    ['12'],
    ['I'],
    ['One.'],
    ['1\n\nA scene.\n\n2\n\nAnother.'],
    ['Prologue to a war, they called it.'],
    ['```\n# Chapter 9\n```'],
    ['3. the third thing'],
  ])('%j', ([text]) => {
    for (const [one, two] of [
      ['# Chapter 1', '# Chapter 2'],
      ['CHAPTER ONE', 'CHAPTER TWO'],
      ['## Salt', '## Rope'],
    ]) {
      // Twice, so that what begins something in one chapter could end it in the next.
      const scenes = `The tide came in.\n\n${text}\n\nIt went out.\n\n`
      const draft = `${one}\n\n${scenes}${two}\n\n${scenes}`
      expect(splitDraft(draft, novel).files.map((file) => file.text)).toEqual([
        `${one}\n\n${scenes}`,
        `${two}\n\n${scenes}`,
      ])
    }
  })

  test('a table of contents is no chapter', () => {
    const contents = 'Tides\n\nContents\n\nChapter 1\n\nChapter 2\n\nEpilogue\n\nFor my mother\n\n'
    const draft = contents + draftOf('Chapter 1', 'Chapter 2', 'Epilogue')
    expect(list(draft)).toEqual([
      'front-matter.md Front matter',
      'chapter-01.md Chapter 1',
      'chapter-02.md Chapter 2',
      'chapter-03.md Epilogue',
    ])
    expect(splitDraft(draft, novel).files[0]!.text).toBe(contents)
  })

  test('code within a line begins no block of code', () => {
    expect(list('# Chapter 1\n\n```x```\n\n# Chapter 2\n\n```\n\nText.\n')).toHaveLength(2)
  })

  test('numbers that begin again without a new part count something else', () => {
    expect(list(draftOf('1', '2', '1', '2'))).toEqual(['chapter-01.md 1', 'chapter-02.md 2'])
  })

  test('a chapter that is only planned stays a chapter', () => {
    expect(list(`# Chapter 1\n\n# Chapter 2\n\n${draftOf('# Chapter 3')}`)).toHaveLength(3)
  })

  test.for([
    ['no headings', 'The tide came in.\n\n***\n\nIt went out.\n'],
    ['a title only', '# Tides\n\nThe tide came in.\n'],
    ['numbers that do not count up', 'The tide came in.\n\n7\n\nIt went out.\n\n3\n\nThe end.\n'],
  ])('%s: one chapter, and that is said', ([, draft]) => {
    const { files, notes } = splitDraft(draft!, novel)
    expect(files.map(({ name, text }) => [name, text])).toEqual([['chapter-01.md', draft]])
    expect(notes).toEqual(['No headings of chapters were found: the draft is one chapter.'])
  })

  test('an empty draft has no files, and that is said', () => {
    expect(splitDraft(' \n', novel)).toEqual({ files: [], notes: ['The draft is empty.'] })
  })
})

describe('numbers', () => {
  test('that begin again are counted anew, and that is said', () => {
    const draft = draftOf('# Part One', '## Chapter 1', '## Chapter 2', '# Part Two', '## Chapter 1', '## Chapter 2')
    const { files, notes } = splitDraft(draft, novel)
    expect(files.map(({ name }) => name)).toEqual(['chapter-01.md', 'chapter-02.md', 'chapter-03.md', 'chapter-04.md'])
    expect(notes[1]).toBe(
      'The chapters are counted anew, for their own numbers repeat, go down or are missing: "Chapter 1" is chapter-03.md.',
    )
  })

  test('are counted anew after an interlude', () => {
    const draft = draftOf('Prologue', 'Chapter 1', 'Interlude', 'Chapter 2')
    expect(list(draft)).toEqual([
      'chapter-00.md Prologue',
      'chapter-01.md Chapter 1',
      'chapter-02.md Interlude',
      'chapter-03.md Chapter 2',
    ])
  })

  test('that are missing are named', () => {
    expect(splitDraft(draftOf('Chapter 2', 'Chapter 3', 'Chapter 7'), novel).notes[1]).toBe(
      'The draft has no chapters 1, 4 to 6.',
    )
    expect(splitDraft(draftOf('Chapter 1', 'Chapter 3'), novel).notes[1]).toBe('The draft has no chapter 2.')
  })
})

const fragments = fc.constantFrom(
  '# Chapter 1',
  '# Chapter 2: Fog',
  'CHAPTER THREE',
  'Kapitel 4',
  '5.',
  'VI',
  'Prologue',
  'Epilogue',
  '# Part Two',
  '# Salt',
  '## Salt',
  'Salt\n====',
  'She left.\n---',
  '---',
  '***',
  '#',
  '# ',
  '```',
  '~~~',
  '> quoted',
  '- item',
  '',
  ' ',
  '\t',
  '---\ntitle: x\n---',
  'The tide came in.',
  '"Chapter One," she said.',
  '## Goals',
  '## Tasks',
  '# \u0000',
  '\ud800',
  '\u2028',
)
const drafts = fc
  .array(fc.tuple(fc.oneof(fragments, fc.string()), fc.constantFrom('\n', '\n\n', '\r\n', '\r', '')), { maxLength: 30 })
  .map((pieces) => pieces.flat().join(''))

test('the files of a novel, joined, are the draft', () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      const { files, notes } = splitDraft(draft, novel)
      fc.pre(draft.replace(/^\ufeff/, '').trim() !== '')
      expect(files.map(({ text }) => text).join('')).toBe(draft.replace(/^\ufeff/, ''))
      expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
      expect(files.every(({ text }) => text !== '')).toBe(true)
      expect(notes.length).toBeGreaterThan(0)
    }),
    { numRuns: 2000 },
  )
})

test('each line of a document is in exactly one level', () => {
  const sortLines = (text: string): string =>
    text
      .split(/(?<=\n|\r(?!\n))/)
      .sort()
      .join('')
  fc.assert(
    fc.property(drafts, (draft) => {
      fc.pre(!draft.startsWith('\ufeff') && draft.trim() !== '')
      const files = splitDraft(`${draft}\n`, prd).files
      expect(sortLines(files.map(({ text }) => text).join(''))).toBe(sortLines(`${draft}\n`))
    }),
    { numRuns: 1000 },
  )
})

describe('a document is split by the headings of its sections', () => {
  const draft = [
    'Notes from the meeting.\n\n',
    '# Design document: Tide table\n\nFor the kitchen.\n\n',
    '## 1. Problem\n\nNobody knows.\n\n',
    '## 2. Functional Requirements\n\n- FR-1\n\n### Design constraints\n\nNo network.\n\n',
    '## Pets\n\nA cat.\n\n### Architecture\n\nOne file.\n\n',
    '## Implementation Plan\n\n- T-1\n\n',
    '## Implementation\n\nPython.\n\n',
    '## Non-Goals\n\nWeather.\n',
  ]
  const { files, notes } = splitDraft(draft.join(''), prd)
  const textOf = (level: string): string | undefined => files.find((file) => file.level === level)?.text

  test('a section goes to the level that names its heading, with all that is below it', () => {
    expect(textOf('requirements')).toBe(draft[3])
    expect(textOf('tasks')).toBe(draft[5])
    expect(textOf('design')).toBe('### Architecture\n\nOne file.\n\n## Implementation\n\nPython.\n\n')
  })

  test('the title and unknown sections go to the first level, in their order', () => {
    expect(textOf('brief')).toBe(`${draft[0]}${draft[1]}${draft[2]}## Pets\n\nA cat.\n\n${draft[7]}`)
    expect(files.map(({ level, name, title }) => `${level} ${name} ${title}`)).toEqual([
      'brief brief.md Brief',
      'requirements requirements.md Requirements',
      'design design.md Design',
      'tasks tasks.md Tasks',
    ])
  })

  test('it is said which heading decided, and which was unknown', () => {
    expect(notes).toEqual([
      'By their headings: "1. Problem" to brief, "2. Functional Requirements" to requirements, "Architecture" to design, "Implementation Plan" to tasks, "Implementation" to design, "Non-Goals" to brief.',
      'To brief, for no level has such a heading: Design document: Tide table, Pets.',
    ])
  })

  test('code has no headings', () => {
    const code = '## Tasks\n\n~~~\n# Goals\n~~~\n\n```sh\n# Goals\n```\n'
    expect(splitDraft(code, prd).files.map(({ level, text }) => [level, text])).toEqual([['tasks', code]])
  })

  test('without such headings all of it goes to the first level', () => {
    const plain = splitDraft('A tide table.\n', prd)
    expect(plain.files).toEqual([{ level: 'brief', name: 'brief.md', text: 'A tide table.\n', title: 'Brief' }])
    expect(plain.notes).toEqual(['No headings of levels were found.', 'The draft is in brief only.'])
  })
})

/** CPU time in seconds, since other processes share the machine. */
function measure(draft: string, type: ProjectType): number {
  const began = process.cpuUsage()
  splitDraft(draft, type)
  return process.cpuUsage(began).user / 1_000_000
}

test('5 MB of a novel take less than three seconds of computing', () => {
  const chapters = Array.from(
    { length: 60 },
    (_, at) => `# Chapter ${at + 1}\n\n${'The tide came in.\n\n'.repeat(4400)}`,
  )
  const draft = chapters.join('')
  expect(draft.length).toBeGreaterThan(5_000_000)
  expect(list(draft)).toHaveLength(60)
  expect(measure(draft, novel)).toBeLessThan(3)
})

test.for([
  ['x'],
  ['\n'],
  ['# Salt\n'],
  ['1\n\n'],
  ['Chapter 1\n\n'],
  ['# Part 1\n'],
  ['```x\n'],
  ['`'],
  ['# '],
  ['* '],
  ['---\n'],
  ['a: b\n'],
  ['a \n===\n\n'],
])('four times as much of %j takes about four times as long', ([piece]) => {
  for (const type of [novel, prd]) {
    const sized = (size: number): string => `---\n${piece!.repeat(size / piece!.length)}`
    const [less, more] = [measure(sized(100_000), type), measure(sized(400_000), type)]
    // Below this it is noise. What grows with the square would take sixteen times as long.
    expect(more).toBeLessThan(9 * Math.max(less, 0.05))
  }
})
