import { change, conclude, type Fixture, revise } from './case.ts'

// Held out: written after the rules, which were not adapted to it. Prose and a foundation of a novel about an expedition.

const foundation = `# Metadata

Genre: adventure
Pacing: fast
Point of View: first person

# Characters

## Tamsin Okoro

Role: narrator
Motivation: To find her father's camp.

## Leif

Role: guide
Secret: He sold the maps.

# World

Setting: The ice cap above Station Nine, in the last summer before the melt.
`

const first = [
  'We left Station Nine with six dogs and food for forty days. Leif said that thirty would be enough. I had learned not to answer him before noon.',
  'The ice was grey, then blue. By evening we had crossed the first crevasse field, and nobody had fallen.',
  'At night I read the last page of my father’s notebook. It was a list of names, and mine was not on it.',
]

const second = [
  'On the ninth day the sledge broke. Leif mended it with wire and a broken ski. It took him two hours, and he sang while he worked.',
  'We found the first flag that evening. It was red, and it was not one of ours.',
  'Leif wanted to turn back. He said that flags meant people and people meant questions. I said that questions were the reason I had come.',
]

const third = [
  'The camp was empty. Three tents stood in a line, and snow had filled two of them.',
  'In the third tent I found a stove, a tin of tea and the maps. They were the maps that Leif had sold. I knew his handwriting.',
  'I did not wake him. I took four of the dogs and the tin of tea, and I went on alone.',
]

const join = (title: string, paragraphs: readonly string[]): string => `# ${title}\n\n${paragraphs.join('\n\n')}\n`

export const expedition: Fixture = {
  name: 'held-out expedition',
  before: {
    'foundation.md': foundation,
    'chapter-01.md': join('Station Nine', first),
    'chapter-02.md': join('The Flag', second),
    'chapter-03.md': join('The Camp', third),
  },
  after: {
    'foundation.md': foundation
      .replace('Pacing: fast', 'Pacing: slow burn')
      .replace('Secret: He sold the maps.', 'Secret: He drew the maps himself.'),
    'chapter-01.md': join('Station Nine', first),
    'chapter-02.md': join('The Flag', [
      second[0]!,
      second[1]!.replace(
        'It was red, and it was not one of ours.',
        'It was red. There was a number on it, and the number was in my father’s hand.',
      ),
      second[2]!,
      'That night I did not sleep. I listened to the dogs, and to Leif, who was not asleep either.',
    ]),
    'chapter-03.md': join('The Camp', [
      third[0]!,
      'In the third tent I found a stove, a tin of tea and the maps. I knew the handwriting. Leif had drawn every line of them, and he had drawn them wrong.',
      'I woke him. I asked him why. He told me, and it took until morning, and then we harnessed all six dogs and went on together.',
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: hunk.of('foundation.md'),
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Metadata; Leif',
        title: 'Foundation: slower pacing and another secret',
        summary: 'The pacing is now a slow burn, and Leif drew the maps instead of selling them.',
        before: 'Fast pacing; Leif sold the maps.',
        after: 'Slow burn; Leif drew the maps himself.',
        facts: [{ entity: 'Pacing', attribute: 'value', from: 'fast', to: 'slow burn' }],
        why: 'The request asks for a guilt that can be forgiven.',
      }),
      change({
        id: 'C2',
        hunks: hunk.of('chapter-02.md'),
        units: ['u3'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'The flag and the night after it',
        title: 'Chapter 2: the flag carries a number',
        summary: 'The flag now has a number in the hand of the father, and a sleepless night closes the chapter.',
        before: 'The flag is red and foreign.',
        after: 'The flag bears a number in her father’s hand, and neither of them sleeps.',
        why: 'A clue instead of a threat.',
        evidence: [{ side: 'after', quote: 'the number was in my father’s hand' }],
      }),
      change({
        id: 'C3',
        hunks: hunk.of('chapter-03.md'),
        units: ['u4'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Second half',
        title: 'Chapter 3: Tamsin confronts Leif and stays with him',
        summary:
          'She no longer leaves alone with four dogs. She wakes him, listens until morning, and they go on together.',
        before: 'She takes four dogs and goes on alone.',
        after: 'She wakes Leif, and they go on together with all six dogs.',
        why: 'The reconciliation is the point of the request.',
        depends_on: ['C1'],
        evidence: [
          { side: 'before', quote: 'I took four of the dogs' },
          { side: 'after', quote: 'we harnessed all six dogs' },
        ],
      }),
    ],
    impact: {
      tone: null,
      arcs: ['Betrayal turns into an error that is confessed.'],
      consistency: 'Chapter 1 is untouched.',
    },
    risks: [{ text: 'The list of names in chapter 1 has no payoff yet.', severity: 'low' }],
    rationale: 'A guide who was wrong is more interesting than one who was greedy.',
  }),
  lies: {
    'four dogs at the end': (base) =>
      revise(base, 'C3', { after: 'She wakes Leif, and they go on together with eight dogs.' }),
    'the narrator changed': (base) =>
      revise(base, 'C1', {
        facts: [{ entity: 'Point of View', attribute: 'value', from: 'first person', to: 'third person' }],
      }),
    'chapter 1 was revised': (base) =>
      conclude(base, { rationale: 'Chapter 1 has been revised as well, so that the number is prepared.' }),
    'Leif is written out': (base) =>
      revise(base, 'C3', { summary: 'Leif was removed from the chapter; Tamsin goes on alone.' }),
    'chapter 2 is shorter': (base) => revise(base, 'C2', { summary: 'Chapter 2 is shorter now and ends on the flag.' }),
    'a quote that was improved': (base) =>
      revise(base, 'C3', { evidence: [{ side: 'after', quote: 'I forgave him before the sun came up' }] }),
    'the confrontation comes first': (base) =>
      revise(base, 'C3', { locator: 'Opening of the chapter', title: 'Chapter 3: a new opening' }),
    'the secret is the same': (base) =>
      revise(base, 'C1', { summary: 'Only the pacing changed; the secret of Leif is unchanged.' }),
    'three paragraphs more': (base) =>
      revise(base, 'C2', { summary: 'Three paragraphs are added about the night on the ice.' }),
    'every chapter': (base) => conclude(base, { rationale: 'Every chapter was rewritten to slow the pacing down.' }),
  },
  honest: {
    'the base': (base) => base,
    'a reading of the theme': (base) =>
      revise(base, 'C3', {
        title: 'From flight to reckoning',
        summary:
          'The ending trades solitude for a long conversation, and the theft of the dogs for a shared departure.',
        before: 'A silent departure at night.',
        after: 'A confession that lasts until morning.',
      }),
    'true numbers': (base) =>
      revise(base, 'C3', { summary: 'In the old version she took four dogs; now all six are harnessed.' }),
    'what stays': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The forty days of food, the three tents and the tin of tea all stay. Chapter 1 did not change.',
        },
      }),
    'a longer chapter': (base) =>
      revise(base, 'C2', { summary: 'The chapter gains a closing paragraph and is a little longer.' }),
    counts: (base) =>
      conclude(base, {
        rationale: 'Three of four files changed. The heaviest edit is in chapter 3, the lightest in the foundation.',
      }),
    'an open question': (base) =>
      conclude(base, {
        risks: [
          { text: 'If the maps are wrong, chapter 1 should say why Station Nine trusted them.', severity: 'high' },
        ],
      }),
    'a removed motive': (base) =>
      revise(base, 'C1', {
        title: 'Greed gives way to error',
        summary: 'The sale of the maps is dropped from the foundation. Leif now drew them himself.',
      }),
    'the last line': (base) => revise(base, 'C3', { locator: 'Ending', title: 'New ending: they leave together' }),
  },
}
