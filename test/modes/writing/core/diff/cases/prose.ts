import { change, conclude, type Fixture, revise } from './case.ts'

// Prose of a short novel: three chapters with one line per paragraph. Pell disappears from chapter 2, a paragraph goes from chapter 2
// to chapter 3, and the ending of chapter 3 is another one.

const join = (title: string, paragraphs: readonly string[]): string => `# ${title}\n\n${paragraphs.join('\n\n')}\n`

const moved =
  'The letter had lain in the drawer of the chart table since October, and nobody but Ines had ever broken its seal.'

const first = [
  'The lamp went out at four in the morning. Ines counted to ten before she moved. On the stairs she met the smell of oil and cold iron, and below it something else, which she would only name later.',
  'Her father had kept the light for thirty years. He had written every failure of the lamp in a grey book, with the hour and the cause. There were eleven entries. She would have to write the twelfth.',
  'When the sun came up she saw the boat. It lay on its side on the shingle, and the oars were gone.',
]

export const prose: Fixture = {
  name: 'prose',
  before: {
    'chapter-01.md': join('The Twelfth Entry', first),
    'chapter-02.md': join('Low Water', [
      'Pell came up from the village with bread and the newspaper. He was the only one who still came. He set the basket on the step and looked at the boat for a long time.',
      'She asked Pell whether anyone was missing. He said that nobody was missing, and that he would not ask such things aloud if he were her.',
      moved,
      'That night she lit the lamp by hand. It took three matches. The wind had turned to the north, and the house creaked like a ship.',
    ]),
    'chapter-03.md': join('The Grey Book', [
      'The inspector arrived on the Tuesday boat. He wore a town coat and did not like the stairs. Pell carried his case.',
      'He read the grey book from the first page to the last. He read the twelfth entry twice. Then he asked her who had rowed the boat.',
      'Ines told him everything. She told him about the oars and the drawer and the man under the shingle. The inspector closed the book and thanked her, and in the morning he took her with him to the mainland.',
    ]),
  },
  after: {
    'chapter-01.md': join('The Twelfth Entry', [
      first[0]!.replace(
        'The lamp went out at four in the morning.',
        'The lamp went out at three in the morning, and for a while nobody knew.',
      ),
      first[1]!,
      first[2]!,
    ]),
    'chapter-02.md': join('Low Water', [
      'Nobody came up from the village any more. She baked her own bread and read the newspapers of the year before. From the step she looked at the boat for a long time.',
      'There was no one to ask whether anyone was missing.',
      'That night she lit the lamp by hand. It took three matches. The wind had turned to the north, and the house creaked like a ship.',
    ]),
    'chapter-03.md': join('The Grey Book', [
      'The inspector arrived on the Tuesday boat. He wore a town coat and did not like the stairs. Pell carried his case.',
      moved,
      'He read the grey book from the first page to the last. He read the twelfth entry twice. Then he asked her who had rowed the boat.',
      'Ines said that she did not know. She poured him tea. In the morning she stood at the window and watched the Tuesday boat take him back, and she opened the grey book and tore out the last page.',
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('at three in the morning')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Opening sentence',
        title: 'Chapter 1: the lamp fails an hour earlier',
        summary: 'The lamp now goes out at three instead of four, and nobody notices at first.',
        before: 'The lamp goes out at four in the morning.',
        after: 'The lamp goes out at three, unnoticed.',
        facts: [
          { entity: 'lamp', attribute: 'hour of the failure', from: 'four in the morning', to: 'three in the morning' },
        ],
        why: 'More time passes before she finds the boat.',
        evidence: [{ side: 'after', quote: 'and for a while nobody knew' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('Nobody came up from the village'), hunk('There was no one to ask')].filter(
          (id, at, all) => all.indexOf(id) === at,
        ),
        units: ['u2'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'First two paragraphs',
        title: 'Chapter 2: Pell is gone and Ines is alone',
        summary:
          'Pell no longer visits in chapter 2. The conversation with him is cut, so that Ines has nobody to ask.',
        before: 'Pell brings bread and warns her not to ask.',
        after: 'Nobody comes; she bakes her own bread and has no one to ask.',
        why: 'Isolation raises the tension.',
        evidence: [{ side: 'before', quote: 'Pell came up from the village with bread and the newspaper.' }],
      }),
      change({
        id: 'C3',
        hunks: [...new Set([...hunk.of('chapter-02.md'), ...hunk.of('chapter-03.md')])].filter(
          (id) =>
            id !== hunk('Nobody came up from the village') &&
            id !== hunk('There was no one to ask') &&
            id !== hunk('tore out the last page'),
        ),
        units: ['u2', 'u3'],
        type: 'reorder',
        magnitude: 'moderate',
        locator: 'The letter',
        title: 'The letter moves from chapter 2 to chapter 3',
        summary:
          'The paragraph about the letter in the drawer now stands in chapter 3, after the arrival of the inspector.',
        before: 'The letter is mentioned in chapter 2.',
        after: 'The letter is mentioned in chapter 3.',
        why: 'The reader learns of it when it becomes dangerous.',
      }),
      change({
        id: 'C4',
        hunks: [hunk('tore out the last page')],
        units: ['u3'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Ending',
        title: 'Chapter 3: Ines lies instead of confessing',
        summary: 'Ines denies everything and destroys the page. The inspector leaves without her.',
        before: 'Ines tells him everything and goes with him to the mainland.',
        after: 'Ines says she does not know and tears out the last page.',
        why: 'The ending keeps the guilt on the island.',
        evidence: [
          { side: 'before', quote: 'Ines told him everything.' },
          { side: 'after', quote: 'tore out the last page' },
        ],
      }),
    ],
    impact: {
      tone: null,
      arcs: ['Ines chooses silence.'],
      consistency: 'Pell still carries the case in chapter 3 although he is absent from chapter 2.',
    },
    risks: [{ text: 'Pell appears in chapter 3 without having been introduced.', severity: 'high' }],
    rationale: 'A lonelier middle makes the lie at the end believable.',
  }),
  lies: {
    'Pell was removed from the book': (base) =>
      revise(base, 'C2', {
        title: 'Pell removed from the novel',
        summary: 'Pell was removed from all chapters, so Ines is alone on the island.',
      }),
    'the hour is another one': (base) =>
      revise(base, 'C1', {
        summary: 'The lamp now goes out at two instead of four.',
        after: 'The lamp goes out at two in the morning.',
      }),
    'the edit is at the end': (base) =>
      revise(base, 'C1', { locator: 'Ending of the chapter', title: 'Chapter 1: a new final sentence' }),
    'the ending is at the beginning': (base) =>
      revise(base, 'C4', { locator: 'Opening scene', title: 'Chapter 3: the opening is rewritten' }),
    'a move that did not happen': (base) =>
      revise(base, 'C4', {
        type: 'reorder',
        title: 'Chapter 3: the confession is moved',
        summary: 'The confession was moved from the end to the first scene.',
      }),
    'the chapter got longer': (base) =>
      revise(base, 'C2', {
        title: 'Chapter 2 expanded',
        summary: 'Chapter 2 is now about 20 % longer, with more detail of the village.',
      }),
    'nothing but the first chapter changed': (base) =>
      conclude(base, { rationale: 'Only chapter 1 changed; chapters 2 and 3 are untouched.' }),
    'the wrong hunk for a claim': (base, hunk) =>
      revise(revise(base, 'C1', { hunks: [hunk('tore out the last page')] }), 'C4', {
        hunks: [hunk('at three in the morning')],
      }),
    'a quote with another word': (base) =>
      revise(base, 'C4', { evidence: [{ side: 'before', quote: 'Ines told the inspector nothing.' }] }),
    'a chapter that does not exist': (base) =>
      revise(base, 'C4', { summary: 'Ines denies everything, as chapter 4 needs it.', units: ['u3', 'u9'] }),
    'another number of years': (base) =>
      revise(base, 'C1', { before: 'Her father had kept the light for forty years and the lamp failed at four.' }),
  },
  honest: {
    'the base': (base) => base,
    'Pell was cut from one chapter': (base) =>
      revise(base, 'C2', {
        title: 'Pell cut from chapter 2',
        summary: 'The visitor is cut from this chapter and only appears in chapter 3.',
      }),
    'a shorter chapter': (base) =>
      revise(base, 'C2', {
        summary: 'Chapter 2 is shorter now: the dialogue with Pell and the letter are gone from it.',
      }),
    'quotes with other marks': (base) =>
      revise(base, 'C2', {
        evidence: [{ side: 'after', quote: 'There was no one to ask\n whether anyone was missing' }],
      }),
    'all chapters changed': (base) =>
      conclude(base, { rationale: 'All three chapters changed, but the grey book still frames the story.' }),
    'the opening': (base) =>
      revise(base, 'C1', {
        locator: 'First line of the opening',
        title: 'A lonelier opening line',
        before: 'The lamp fails at four.',
        after: 'The lamp fails at three, and nobody knows for a while.',
      }),
    'a new ending': (base) =>
      revise(base, 'C4', {
        locator: 'Last paragraph',
        title: 'New ending: silence instead of confession',
        summary: 'The final paragraph is replaced. The inspector goes back alone on the Tuesday boat.',
      }),
  },
}
