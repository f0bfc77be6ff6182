import { change, conclude, type Fixture, revise } from './case.ts'

// A serial whose chapters are rearranged: chapter 4 is deleted, chapter 7 is new, chapter 2 gets scenes, chapter 6 loses half of its text.

const chapter = (number: number, paragraphs: readonly string[]): string =>
  `# Episode ${number}\n\n${paragraphs.join('\n\n')}\n`

const sixth = [
  'The storm broke the mast at noon. Captain Orla Quist tied herself to the wheel, and the boy Finn was sent below with the charts.',
  'For two days nobody slept. The cook prayed to a saint whose name he had forgotten, and the men laughed at him until the second night, when they began to pray with him.',
  'On the third morning the sea was flat. There was no land in sight. Quist cut the rope from her wrists and asked for coffee.',
  'Finn came up with the charts. He had drawn an island on the empty part, with a harbour and a tavern. Quist looked at it and set the course.',
]

export const restructured: Fixture = {
  name: 'restructured serial',
  before: {
    'chapter-01.md': chapter(1, [
      'The Heron left Skagen with nine men, a boy and a cargo of clocks. None of the clocks was wound.',
      'Captain Orla Quist counted the men twice.',
    ]),
    'chapter-02.md': chapter(2, [
      'At night the clocks began to tick. The cook swore that he had not touched them.',
      'In the morning one man was missing. His hammock was still warm.',
      'Quist had the hold searched from bow to stern. They found a key that fitted none of the clocks.',
    ]),
    'chapter-03.md': chapter(3, ['Finn kept the key on a string around his neck. He told nobody that it was warm.']),
    'chapter-04.md': chapter(4, [
      'A whaler hailed them and asked for news. Quist had none to give. The whaler sold them tobacco and a cask of lamp oil, and its mate stared at the clocks.',
    ]),
    'chapter-05.md': chapter(5, [
      'The sixth clock struck thirteen. After that the compass turned slowly, like a hand.',
    ]),
    'chapter-06.md': chapter(6, sixth),
  },
  after: {
    'chapter-01.md': chapter(1, [
      'The Heron left Skagen with nine men, a boy and a cargo of clocks. None of the clocks was wound.',
      'Captain Orla Quist counted the men twice.',
    ]),
    'chapter-02.md': chapter(2, [
      '## Night',
      'At night the clocks began to tick. The cook swore that he had not touched them.',
      '## Morning',
      'In the morning one man was missing. His hammock was still warm.',
      'Quist had the hold searched from bow to stern. They found a key that fitted none of the clocks.',
    ]),
    'chapter-03.md': chapter(3, ['Finn kept the key on a string around his neck. He told nobody that it was warm.']),
    'chapter-05.md': chapter(5, [
      'The sixth clock struck thirteen. After that the compass turned slowly, like a hand.',
    ]),
    'chapter-06.md': chapter(6, [sixth[0]!, 'On the third morning the sea was flat. There was no land in sight.']),
    'chapter-07.md': chapter(7, [
      'The island was where Finn had drawn it. There was a harbour, and in the harbour lay the Heron, with nine men on deck.',
      'Quist took the key from the boy and went ashore alone.',
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: hunk.of('chapter-02.md'),
        units: ['u2'],
        type: 'structure',
        magnitude: 'minor',
        locator: 'Before each half',
        title: 'Chapter 2 is divided into two scenes',
        summary: 'Two headings, Night and Morning, divide the chapter. No sentence changed.',
        before: 'One continuous text.',
        after: 'Two scenes with headings.',
        why: 'Easier to read in parts.',
        evidence: [{ side: 'after', quote: '## Morning' }],
      }),
      change({
        id: 'C2',
        hunks: hunk.of('chapter-04.md'),
        units: ['u4'],
        type: 'remove',
        magnitude: 'major',
        locator: 'Whole chapter',
        title: 'Chapter 4 is deleted',
        summary: 'The encounter with the whaler is gone.',
        before: 'A whaler sells them tobacco and lamp oil.',
        after: 'No encounter.',
        why: 'It led nowhere.',
      }),
      change({
        id: 'C3',
        hunks: hunk.of('chapter-06.md'),
        units: ['u6'],
        type: 'remove',
        magnitude: 'major',
        locator: 'From the second paragraph on',
        title: 'Chapter 6 is cut by half',
        summary: 'The prayers of the cook, the coffee and the chart with the island are cut.',
        before: 'The men pray, and Finn draws an island.',
        after: 'The storm ends and there is no land in sight.',
        why: 'Chapter 7 shows the island.',
        evidence: [{ side: 'before', quote: 'He had drawn an island on the empty part' }],
      }),
      change({
        id: 'C4',
        hunks: hunk.of('chapter-07.md'),
        units: ['u7'],
        type: 'add',
        magnitude: 'major',
        locator: 'Whole chapter',
        title: 'Chapter 7 is new: the island',
        summary: 'The Heron lies in the harbour of the island that Finn had drawn.',
        before: 'The serial ends at sea.',
        after: 'Quist goes ashore alone.',
        why: 'An ending.',
        depends_on: ['C3'],
      }),
    ],
    impact: { tone: null, arcs: ['Quist takes the key from Finn.'], consistency: 'Chapters 1, 3 and 5 are unchanged.' },
    risks: [{ text: 'Chapter 7 refers to a drawing that chapter 6 no longer shows.', severity: 'high' }],
    rationale: 'The serial gets an ending and loses a detour.',
  }),
  lies: {
    'two chapters deleted': (base) =>
      revise(base, 'C2', { title: 'Chapters 3 and 4 are deleted', summary: 'Two chapters are deleted.' }),
    'the captain is gone': (base) =>
      revise(base, 'C4', { summary: 'Captain Quist was removed from the serial; Finn goes ashore alone.' }),
    'no change of the structure': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'No chapter was added or removed.' } }),
    'scenes that do not exist': (base) =>
      revise(base, 'C1', {
        title: 'Chapter 2 is divided into four scenes',
        summary: 'Four headings divide the chapter.',
      }),
    'sentences changed': (base) =>
      revise(base, 'C1', {
        type: 'rewrite',
        summary: 'The dialogue of the cook was rewritten, and the key was removed.',
      }),
    'chapter 6 is intact': (base) =>
      revise(base, 'C3', {
        magnitude: 'minor',
        title: 'Chapter 6: a few words polished',
        summary: 'Small stylistic edits. All paragraphs are kept.',
      }),
    'six files': (base) => conclude(base, { rationale: 'Six files changed, and the serial gets an ending.' }),
    'a longer serial': (base) => conclude(base, { rationale: 'The serial is longer now, since chapter 7 was added.' }),
  },
  honest: {
    'the base': (base) => base,
    'counts of files': (base) =>
      conclude(base, { rationale: 'Four files changed: one was deleted, one is new, and two were edited.' }),
    'a shorter serial': (base) =>
      conclude(base, { rationale: 'Although chapter 7 is new, the serial is shorter than before.' }),
    'what chapter 6 lost': (base) =>
      revise(base, 'C3', {
        title: 'Chapter 6 keeps the storm and drops the rest',
        summary: 'Half of the chapter is gone: the prayers, the coffee and the chart.',
      }),
    'only headings': (base) =>
      revise(base, 'C1', {
        title: 'Two headings for chapter 2',
        summary: 'Only headings were added; the wording is untouched.',
      }),
    'the whaler': (base) =>
      revise(base, 'C2', {
        title: 'The whaler episode is cut',
        summary: 'Tobacco, lamp oil and the staring mate are gone with it.',
      }),
  },
}
