import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'

// A travel essay in four chapters: the first is untouched, the third is cut.

const departure = `# Departure

I left Graz on a Monday in May, with a paper ticket and a bag of walnuts. My neighbour, Mrs. Horvat, had pressed the walnuts on me because she did not trust dining cars. The ticket was valid for five days and 2,100 kilometres, and the man at the counter had stamped it twice.

The first train was almost empty. I had promised myself not to read before the border, so I looked out of the window and counted churches. By noon I had reached thirty-one.
`

const night = `# The Night Train

The night train left at ten past eight, forty minutes late. My compartment had six beds and four passengers. Across from me sat Jonas, a student of geology, who carried a stone in every pocket and knew the age of each.

"This one has seen glaciers," he said, and put it into my hand.

The conductor collected our passports in a biscuit tin. He was a tired man with a beautiful voice, and he announced every station as if somebody had died there.

I slept badly. At three in the morning we stood in a field, and nobody knew why. A dog barked, stopped, and barked again. Then the train moved backwards for a while, and I fell asleep because it no longer mattered.
`

const museum = `# The Museum of Rails

In the afternoon of the third day I changed trains in a town whose name I could not pronounce. It had a museum in the old engine shed, and I was the only visitor. The guide, a woman called Signe, showed me eleven locomotives and one snow plough.

"People always ask which is the fastest," she said. "Nobody asks which one came home most often."

It was number seven, a small black engine with a dented chimney. She let me ring its bell. The sound stayed under the roof long after I had bought my postcard and left.
`

const arrival = `# Arrival

On the fifth day the rails ended at a buffer painted red. Behind it lay the sea, flat and grey, and a kiosk that sold coffee and fishing hooks. I drank the coffee. I thought of Signe and her engine number seven.

I had travelled 2,064 kilometres and had been late eleven times. I had three walnuts left.

A boy asked me whether I was the train from yesterday. I said that I was, and he nodded, as if that explained my shoes.
`

export const trains: Fixture = {
  name: 'fresh trains',
  before: {
    'chapter-01.md': departure,
    'chapter-02.md': night,
    'chapter-03.md': museum,
    'chapter-04.md': arrival,
  },
  after: {
    'chapter-01.md': departure,
    'chapter-02.md': edit(night, [
      ['at ten past eight, forty minutes late', 'at half past ten, three hours late'],
      ['sat Jonas, a student', 'sat Lotte, a student'],
      ['glaciers," he said', 'glaciers," she said'],
      [
        'had died there.\n',
        'had died there.\n\nThe dining car was closed. I shared the walnuts with the whole compartment, and a retired judge from Linz gave me half a sausage in return.\n',
      ],
      [' A dog barked, stopped, and barked again.', ''],
    ]),
    'chapter-04.md': edit(arrival, [
      ['# Arrival', '# The Last Buffer'],
      ['I thought of Signe and her engine number seven.', 'I thought of Lotte and her stones.'],
      ['I had three walnuts left.', 'I had one walnut left.'],
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('eleven locomotives')],
        units: ['u3'],
        type: 'remove',
        magnitude: 'major',
        locator: 'The whole chapter',
        title: 'The museum is cut',
        summary: 'The chapter about the museum is gone, and with it Signe and her locomotives.',
        before: 'A visit to a museum in an old engine shed.',
        after: '',
        why: 'The essay should stay on the train.',
        evidence: [{ side: 'before', quote: 'showed me eleven locomotives and one snow plough' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('sat Lotte'), hunk('glaciers')],
        units: ['u2'],
        type: 'rename',
        magnitude: 'moderate',
        locator: 'The compartment',
        title: 'Lotte instead of Jonas',
        summary: 'The student of geology is now a woman named Lotte.',
        before: 'Jonas, a student of geology.',
        after: 'Lotte, a student of geology.',
        facts: [{ entity: 'student', attribute: 'name', from: 'Jonas', to: 'Lotte' }],
        why: 'The author wanted her back in the last chapter.',
      }),
      change({
        id: 'C3',
        hunks: [hunk('three hours late'), hunk('half a sausage'), hunk('A dog barked')],
        units: ['u2'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Departure of the train, and the night',
        title: 'A longer delay and a shared meal',
        summary:
          'The train leaves three hours late, the dining car is closed, and the walnuts are shared. The barking dog is gone.',
        before: 'Forty minutes late, and a dog in the night.',
        after: 'Three hours late, and a meal in the compartment.',
        facts: [{ entity: 'night train', attribute: 'delay', from: 'forty minutes', to: 'three hours' }],
        why: 'It makes company out of strangers.',
        evidence: [{ side: 'after', quote: 'The dining car was closed.' }],
      }),
      change({
        id: 'C4',
        hunks: [hunk('# The Last Buffer'), hunk('Lotte and her stones'), hunk('one walnut left')],
        units: ['u4'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Heading and first half',
        title: 'The last chapter follows suit',
        summary:
          'The heading is now The Last Buffer, the narrator thinks of Lotte instead of Signe, and one walnut is left instead of three.',
        before: 'Arrival; Signe; three walnuts.',
        after: 'The Last Buffer; Lotte; one walnut.',
        facts: [{ entity: 'narrator', attribute: 'walnuts', from: 'three walnuts', to: 'one walnut' }],
        why: 'The museum is not there to be remembered.',
        depends_on: ['C1', 'C2'],
        ripple_of: 'C1',
      }),
    ],
    impact: {
      tone: { from: 'solitary', to: 'sociable' },
      arcs: ['Lotte takes over what Signe was for the ending.'],
      consistency: 'Chapter 1 is unchanged.',
    },
    risks: [{ text: 'The numbers of the chapters jump from 2 to 4.', severity: 'low' }],
    rationale: 'The essay stays on the train, and the people in it return at the end.',
  }),
  lies: {
    'only polished': (base) =>
      revise(base, 'C1', {
        type: 'rewrite',
        magnitude: 'minor',
        title: 'The museum, polished',
        summary: 'A few words in the chapter about the museum are smoothed.',
        before: '',
        why: '',
      }),
    'two hours': (base) =>
      revise(base, 'C3', { summary: 'The train leaves two hours late, and the dining car is closed.' }),
    almonds: (base) => conclude(base, { rationale: 'The walnuts of Chapter 1 have become almonds.' }),
    'four chapters': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'The essay still has four chapters.' } }),
    'the museum moves': (base) =>
      revise(base, 'C1', {
        title: 'The museum moves',
        summary: 'The visit to the museum is no longer a chapter of its own; it has been moved into the last chapter.',
      }),
    'names swapped': (base) =>
      revise(base, 'C2', {
        title: 'A new name for the student',
        summary: 'The student of geology is now called Jonas instead of Lotte.',
      }),
    longer: (base) => conclude(base, { rationale: 'Overall the essay is longer than before, and more sociable.' }),
    'fewer kilometres': (base) =>
      revise(base, 'C4', {
        facts: [{ entity: 'journey', attribute: 'length', from: '2,064 kilometres', to: '1,850 kilometres' }],
      }),
    'not a word': (base) => conclude(base, { rationale: 'Apart from the missing museum, not a word has changed.' }),
    'a theft': (base) =>
      conclude(base, {
        risks: [{ text: 'The theft of the suitcase in Chapter 2 is never explained.', severity: 'high' }],
      }),
    'an invented judge': (base) =>
      revise(base, 'C3', { evidence: [{ side: 'after', quote: 'the judge told us about his first case' }] }),
    'the dog stays': (base) =>
      revise(base, 'C3', { summary: 'The train leaves three hours late; the dog still barks in the night.' }),
    'remembered too early': (base) =>
      revise(base, 'C4', { summary: 'In Chapter 1 the narrator now thinks of Lotte and her stones.' }),
    'three walnuts': (base) => revise(base, 'C4', { after: 'The Last Buffer; Lotte; still three walnuts.' }),
  },
  honest: {
    'the base': (base) => base,
    'a fifth shorter': (base) =>
      conclude(base, { rationale: 'All in all the essay is about a fifth shorter than before.' }),
    'three of four': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Three of the four chapters remain; the first of them is the same word for word.',
        },
      }),
    'both names': (base) =>
      revise(base, 'C2', {
        summary:
          'The student who was called Jonas is now called Lotte, still studies geology and still has stones in all pockets.',
      }),
    'a later departure': (base) =>
      revise(base, 'C3', {
        summary: 'The delay grows from less than an hour to three hours, and the departure moves to half past ten.',
      }),
    'two walnuts fewer': (base) =>
      revise(base, 'C4', {
        summary: 'Two walnuts fewer are left at the end, which fits the meal in the night train.',
      }),
    'no dog': (base) =>
      revise(base, 'C3', {
        summary: 'The dog is not heard any more. New is a small trade: walnuts for half a sausage.',
      }),
    'no museum': (base) =>
      revise(base, 'C1', { summary: 'Nobody visits a museum any more, and engine number seven is mentioned nowhere.' }),
    'the heading': (base) => revise(base, 'C4', { summary: 'What was headed Arrival is now headed The Last Buffer.' }),
    'the balance stays': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Eleven delays and 2,064 kilometres are still the balance of the journey.',
        },
      }),
    'a missing day': (base) =>
      conclude(base, {
        risks: [{ text: 'The third day is missing now; the only day with a number is the fifth.', severity: 'low' }],
      }),
    'a judge': (base) =>
      revise(base, 'C3', {
        summary: 'A retired judge from Linz appears, if only for half a sentence and half a sausage.',
      }),
    'another quote': (base) =>
      revise(base, 'C1', { evidence: [{ side: 'before', quote: 'Nobody asks which one came home most often.' }] }),
  },
}
