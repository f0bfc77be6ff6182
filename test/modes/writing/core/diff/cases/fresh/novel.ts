import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'
import { first, second, third } from './novel-texts.ts'

// A novel in three chapters, of which the third is untouched.

export const novel: Fixture = {
  name: 'fresh novel',
  before: { 'chapter-01.md': first, 'chapter-02.md': second, 'chapter-03.md': third },
  after: {
    'chapter-01.md': edit(first, [
      ['the last ferry of October', 'the first ferry of March'],
      [
        'owes him money," said Ines.',
        'owes him money," said Ines.\n\nHe reached into his jacket and gave her a key on a piece of string. "I was to keep it until you came," said Tobias. "He never told me what it opens."',
      ],
      ['away for nine years', 'away for twelve years'],
      [
        'Berta did not embrace her. She took the suitcase',
        'Berta embraced her for so long that the lantern went out. Then she took the suitcase',
      ],
    ]),
    'chapter-02.md': edit(second, [
      ['Ines asked why. Piet shrugged and spat into the pond.\n\n', ''],
      ['had written: Do not sell.', 'had written: Ask Tobias.'],
      [
        'would pay six thousand crowns for the works, if she signed before Sunday',
        'would pay nine thousand crowns for the works, if she signed before Friday',
      ],
      [
        'She did not sign. She told him she would think about it, and watched him go down to the harbour, holding his hat against the wind.',
        'She tore the paper in two and gave him both halves. Calloway put on his hat and went down to the harbour without a word.',
      ],
    ]),
    'chapter-03.md': third,
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('six thousand crowns'), hunk('tore the paper')],
        units: ['u2'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'The Visitor',
        title: 'Ines tears up the offer',
        summary:
          'Ines no longer asks for time: she tears the offer in two and hands Calloway the halves. The company bids more and sets an earlier deadline.',
        before: 'She does not sign and says that she will think about it.',
        after: 'She tears the paper in two and gives him both halves.',
        facts: [
          { entity: 'offer', attribute: 'price', from: 'six thousand crowns', to: 'nine thousand crowns' },
          { entity: 'offer', attribute: 'deadline', from: 'before Sunday', to: 'before Friday' },
        ],
        why: 'The author wanted a heroine who decides.',
        evidence: [
          { side: 'before', quote: 'She told him she would think about it' },
          { side: 'after', quote: 'She tore the paper in two' },
        ],
      }),
      change({
        id: 'C2',
        hunks: [hunk('a key on a piece of string')],
        units: ['u1'],
        type: 'add',
        magnitude: 'major',
        locator: 'On the ferry',
        title: 'Tobias hands over a key',
        summary: 'On the ferry Tobias gives Ines a key that he was to keep until she came.',
        before: '',
        after: 'Ines has a key and does not know what it opens.',
        why: 'Tobias gets a part in the plot.',
        evidence: [{ side: 'after', quote: 'a key on a piece of string' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('Ask Tobias')],
        units: ['u2'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'The Ledger',
        title: 'The photograph names Tobias',
        summary: 'The words on the back of the photograph send Ines to Tobias instead of telling her not to sell.',
        before: 'On the back: Do not sell.',
        after: 'On the back: Ask Tobias.',
        facts: [{ entity: 'photograph', attribute: 'words on the back', from: 'Do not sell', to: 'Ask Tobias' }],
        why: 'It takes up the key.',
        depends_on: ['C2'],
        ripple_of: 'C2',
      }),
      change({
        id: 'C4',
        hunks: [hunk('the first ferry of March'), hunk('twelve years'), hunk('Berta embraced her')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Opening and customs shed',
        title: 'A warmer return in March',
        summary: 'Ines comes back in March after twelve years, and Berta embraces her.',
        before: 'She comes in October after nine years, and Berta does not embrace her.',
        after: 'She comes in March after twelve years, and Berta embraces her.',
        facts: [{ entity: 'Ines', attribute: 'absence', from: 'nine years', to: 'twelve years' }],
        why: 'The return should matter to somebody.',
      }),
      change({
        id: 'C5',
        hunks: [hunk('spat into the pond')],
        units: ['u2'],
        type: 'remove',
        magnitude: 'minor',
        locator: 'First scene',
        title: "Piet's shrug is cut",
        summary: 'Two sentences are gone in which Ines asks why and Piet spits into the pond.',
        before: 'Piet shrugs and spits.',
        after: '',
        why: 'It was an answer without content.',
        evidence: [{ side: 'before', quote: 'Piet shrugged and spat into the pond.' }],
      }),
    ],
    impact: {
      tone: { from: 'resigned', to: 'defiant' },
      arcs: ['Ines decides in Chapter 2 instead of putting it off.'],
      consistency: 'Chapter 3 is unchanged.',
    },
    risks: [{ text: 'Chapter 3 does not mention the key.', severity: 'low' }],
    rationale: 'The heroine acts sooner, and Tobias matters from the first scene on.',
  }),
  lies: {
    'a wrong price': (base) =>
      revise(base, 'C1', {
        summary: 'Ines tears up an offer of eight thousand crowns, two thousand more than in the first version.',
      }),
    'a closer vote': (base) =>
      conclude(base, {
        impact: { ...base.impact, arcs: ['The vote in Chapter 3 is closer now, which raises the stakes.'] },
      }),
    'the wrong giver': (base) =>
      revise(base, 'C2', {
        title: 'Piet hands over a key',
        summary: 'On the ferry Piet Lund gives Ines a key that he was to keep until she came.',
      }),
    'the welcome is the same': (base) =>
      conclude(base, { rationale: 'The heroine acts sooner. Her cool welcome by Berta is the same as before.' }),
    'a colder aunt': (base) =>
      revise(base, 'C4', {
        title: 'Return in March',
        summary: 'Ines comes back in March after twelve years, and Berta no longer embraces her.',
      }),
    'an invented line': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'Your father trusted me with this' }] }),
    'the photograph is cut': (base) =>
      revise(base, 'C3', {
        title: 'The photograph is cut',
        summary: 'The photograph disappears from the ledger, so Ines has nothing to go by but the accounts.',
      }),
    'torn up at the meeting': (base) =>
      revise(base, 'C1', {
        locator: 'Chapter 3, the meeting',
        summary: 'At the meeting in Chapter 3 Ines tears the offer in two and hands Calloway the halves.',
      }),
    'the pond is kept': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'Chapter 3 is unchanged, and Piet still spits into the pond.' },
      }),
    'a heading of its own': (base) =>
      revise(base, 'C2', { summary: 'The scene on the ferry is now a section of its own with the heading The Key.' }),
    'a threat': (base) =>
      conclude(base, {
        risks: [
          {
            text: 'Calloway threatens to burn down the works, and nothing in Chapter 3 answers that.',
            severity: 'high',
          },
        ],
      }),
    'ten years': (base) =>
      revise(base, 'C4', {
        facts: [{ entity: 'Ines', attribute: 'absence', from: 'ten years', to: 'twelve years' }],
      }),
    'chapter 2 has grown': (base) =>
      conclude(base, { rationale: 'Chapter 2 has grown, because the refusal needs room.' }),
    'signed before': (base) => revise(base, 'C1', { before: 'She signs the offer at once.' }),
  },
  honest: {
    'the base': (base) => base,
    'half as much again': (base) =>
      revise(base, 'C1', {
        summary:
          'The company now bids half as much again, and still Ines refuses: she tears the paper and returns the halves.',
      }),
    'three years longer': (base) =>
      revise(base, 'C4', {
        summary:
          'Ines has stayed away three years longer, comes in spring rather than in autumn, and is held tight by her aunt.',
      }),
    'the vote stays': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The meeting is as it was: seventeen people come, and fourteen of them vote for going on.',
        },
      }),
    'no more delay': (base) =>
      revise(base, 'C1', {
        summary:
          'She no longer promises to think about it. Calloway leaves with two halves of a sheet and without a word.',
      }),
    'indirect speech': (base) =>
      revise(base, 'C2', {
        summary: 'Tobias says that he was to keep the key until she came, and that he was never told what it opens.',
      }),
    'two days less': (base) =>
      revise(base, 'C1', {
        summary: 'The deadline comes forward from Sunday to Friday, two days less for Ines. She refuses all the same.',
      }),
    short: (base) =>
      revise(base, 'C5', { title: 'A cut', summary: 'Piet no longer spits.', before: '', after: '', why: '' }),
    'the same people': (base) =>
      conclude(base, {
        rationale:
          'Nobody is renamed and nobody disappears: Ines, Tobias, Berta, Piet and Calloway are all still there.',
      }),
    'an open promise': (base) =>
      conclude(base, {
        risks: [{ text: 'The key is never used: neither Chapter 2 nor Chapter 3 mentions it again.', severity: 'low' }],
      }),
    'rounded lengths': (base) =>
      conclude(base, {
        rationale: 'The first chapter grows by about forty words, the second loses about a dozen.',
      }),
    'the aunt': (base) =>
      revise(base, 'C4', {
        title: 'Berta thaws',
        summary:
          'Where Berta kept her distance, she now holds her niece until the light goes out. The cold supper stays.',
      }),
  },
}
