import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'

// A grant proposal: hypotheses, a table, sums of money, a new section.

const text = `# Listening to Peat

Applicant: Dr. Mirela Anghel, Institute of Wetland Ecology

## Abstract

Restored bogs are judged by their plants, which respond slowly. We propose to judge them by their sound. Over three years we will record insects, frogs and birds at twelve sites and test whether the soundscape recovers before the vegetation does.

## Background

Peat forms at about one millimetre per year. A bog that was drained in a decade therefore needs centuries to return. Managers cannot wait that long for feedback. Earlier work by our group on 14 ponds showed that frog calls return within two seasons after rewetting.

## Hypotheses

H1: The diversity of sounds rises within two years of rewetting.

H2: The rise is steeper at sites with an open water surface.

H3: The soundscape predicts the later cover of peat moss.

## Methods

We place four recorders at each site and record ten minutes of every hour from April to September. Vegetation is mapped once a year in 20 plots per site. Two observers label a sample of 500 recordings by ear. A classifier trained on these labels processes the rest.

## Work plan

| Package | Months | Lead |
|---|---|---|
| WP1 Site selection | 1–6 | Anghel |
| WP2 Recording | 7–30 | Okafor |
| WP3 Analysis | 18–36 | Lindqvist |

## Budget

We apply for 412,000 euros. Of this, 268,000 euros pay for one postdoc and one doctoral student, 96,000 euros for equipment and 48,000 euros for travel.

## Dissemination

Results appear in open-access journals. A travelling exhibition will bring the sounds to four schools in the region.
`

export const grant: Fixture = {
  name: 'fresh grant',
  before: { 'proposal.md': text },
  after: {
    'proposal.md': edit(text, [
      ['at twelve sites', 'at sixteen sites'],
      ['after rewetting.\n', 'after rewetting. A pilot at one bog in 2023 found the same for crickets.\n'],
      ['H2: The rise is steeper at sites with an open water surface.\n\nH3: The', 'H2: The'],
      ['place four recorders', 'place three recorders'],
      [
        'Two observers label a sample of 500 recordings by ear.',
        'Three observers label a sample of 1,200 recordings by ear, and every tenth recording is labelled twice.',
      ],
      ['| Lindqvist |', '| Tanaka |'],
      ['412,000 euros', '448,000 euros'],
      ['96,000 euros', '132,000 euros'],
      [
        '## Dissemination\n',
        '## Ethics\n\nRecorders may pick up voices. Passages with speech are detected and deleted within 30 days.\n\n## Dissemination\n',
      ],
      [
        'A travelling exhibition will bring the sounds to four schools in the region.',
        'All recordings without speech go to a public archive.',
      ],
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('sixteen sites'), hunk('three recorders')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'major',
        locator: 'Abstract and Methods',
        title: 'More sites, fewer recorders at each',
        summary: 'Sixteen sites instead of twelve, with three recorders instead of four at each.',
        before: 'Twelve sites with four recorders each.',
        after: 'Sixteen sites with three recorders each.',
        facts: [
          { entity: 'study', attribute: 'sites', from: 'twelve sites', to: 'sixteen sites' },
          { entity: 'site', attribute: 'recorders', from: 'four recorders', to: 'three recorders' },
        ],
        why: 'The reviewers asked for more sites.',
        evidence: [
          { side: 'before', quote: 'We place four recorders at each site' },
          { side: 'after', quote: 'We place three recorders at each site' },
        ],
      }),
      change({
        id: 'C2',
        hunks: [hunk('open water surface'), hunk('peat moss')],
        units: ['u1'],
        type: 'remove',
        magnitude: 'moderate',
        locator: 'Hypotheses',
        title: 'One hypothesis less',
        summary: 'The hypothesis about open water is dropped; the former H3 becomes H2.',
        before: 'Three hypotheses.',
        after: 'Two hypotheses.',
        why: 'The reviewers asked for fewer hypotheses.',
        evidence: [{ side: 'before', quote: 'The rise is steeper at sites with an open water surface.' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('1,200 recordings')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Methods',
        title: 'A larger labelled sample',
        summary: 'Three observers label 1,200 recordings instead of 500, and every tenth is labelled twice.',
        before: 'Two observers, 500 recordings.',
        after: 'Three observers, 1,200 recordings.',
        facts: [{ entity: 'sample', attribute: 'size', from: '500 recordings', to: '1,200 recordings' }],
        why: 'The classifier needs more labels.',
      }),
      change({
        id: 'C4',
        hunks: [hunk('448,000 euros'), hunk('Tanaka')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Budget and Work plan',
        title: 'More money for equipment, a new lead',
        summary: 'The total rises from 412,000 to 448,000 euros, for equipment. Tanaka leads WP3 instead of Lindqvist.',
        before: '412,000 euros, of which 96,000 for equipment.',
        after: '448,000 euros, of which 132,000 for equipment.',
        facts: [
          { entity: 'budget', attribute: 'total', from: '412,000 euros', to: '448,000 euros' },
          { entity: 'WP3', attribute: 'lead', from: 'Lindqvist', to: 'Tanaka' },
        ],
        why: 'More sites need more equipment.',
        depends_on: ['C1'],
        ripple_of: 'C1',
      }),
      change({
        id: 'C5',
        hunks: [hunk('## Ethics'), hunk('travelling exhibition'), hunk('crickets')],
        units: ['u1'],
        type: 'add',
        magnitude: 'moderate',
        locator: 'Ethics, Dissemination, Background',
        title: 'Ethics, an archive and a pilot',
        summary:
          'A section Ethics is new, a public archive replaces the travelling exhibition, and the Background mentions a pilot of 2023.',
        before: 'An exhibition for four schools.',
        after: 'A public archive, and rules for recorded speech.',
        why: 'The call requires a word on privacy.',
        evidence: [{ side: 'after', quote: 'Recorders may pick up voices.' }],
      }),
    ],
    impact: {
      tone: null,
      arcs: ['The proposal trades depth at each site for breadth.'],
      consistency: 'The project still runs for three years.',
    },
    risks: [{ text: 'The four schools lose their exhibition.', severity: 'low' }],
    rationale: 'More sites make the test stronger. The extra money goes to equipment.',
  }),
  lies: {
    'a wrong increase': (base) =>
      conclude(base, { rationale: 'The total rises by 46,000 euros, all of it for equipment.' }),
    'the wrong hypothesis': (base) => revise(base, 'C2', { summary: 'H1, about the diversity of sounds, is dropped.' }),
    'more recorders': (base) =>
      revise(base, 'C1', {
        title: 'More sites',
        summary: 'Sixteen sites instead of twelve, with four recorders instead of three at each.',
      }),
    'a longer project': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'The project now runs for four years instead of three.' },
      }),
    'the wrong lead': (base) =>
      revise(base, 'C4', {
        summary: 'The total rises from 412,000 to 448,000 euros, and Tanaka replaces Okafor.',
      }),
    'the exhibition is kept': (base) =>
      revise(base, 'C5', {
        title: 'Ethics and an archive',
        summary: 'A section Ethics and a public archive are new; the travelling exhibition is kept.',
      }),
    'an invented rule': (base) =>
      revise(base, 'C5', { evidence: [{ side: 'after', quote: 'No recording may leave the institute.' }] }),
    'no new section': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'No section was added or removed.' } }),
    'dearer personnel': (base) =>
      revise(base, 'C4', {
        facts: [{ entity: 'personnel', attribute: 'cost', from: '268,000 euros', to: '304,000 euros' }],
      }),
    'fewer recorders in all': (base) =>
      revise(base, 'C1', {
        summary: 'Sixteen sites with three recorders each: the total number of recorders falls.',
      }),
    'two weeks': (base) =>
      revise(base, 'C5', { summary: 'A new section Ethics promises to delete speech within two weeks.' }),
    'only punctuation': (base) =>
      revise(base, 'C3', {
        type: 'format',
        magnitude: 'minor',
        title: 'Punctuation',
        summary: 'Only the punctuation differs here; the size of the sample is the same.',
        before: '',
        after: '',
        facts: [],
      }),
    'an earlier end': (base) =>
      revise(base, 'C4', {
        summary: 'The total rises from 412,000 to 448,000 euros, and WP2 ends six months earlier.',
      }),
    'fewer sites': (base) => revise(base, 'C1', { title: 'Fewer sites, fewer recorders' }),
  },
  honest: {
    'the base': (base) => base,
    'nine percent': (base) =>
      conclude(base, {
        rationale: 'The total is almost nine percent higher, and all of the increase goes to equipment.',
      }),
    '48 recorders': (base) =>
      revise(base, 'C1', {
        summary: 'There are four more sites, yet the recorders add up to 48, as many as before.',
      }),
    'a third more': (base) =>
      revise(base, 'C1', { summary: 'A third more sites, and one recorder less at each.', before: '', after: '' }),
    renumbered: (base) =>
      revise(base, 'C2', {
        summary: 'Two hypotheses instead of three. What used to be the third now bears the number 2.',
      }),
    'the other sums': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Neither the money for personnel nor that for travel has changed.',
        },
      }),
    'more than doubled': (base) =>
      revise(base, 'C3', { summary: 'The sample more than doubles, and a third observer helps.' }),
    'the months stay': (base) =>
      revise(base, 'C4', {
        summary:
          'In the work plan only the lead of the analysis is new; the months of all three packages are as before. The sum applied for is 36,000 euros higher.',
      }),
    'a month': (base) =>
      revise(base, 'C5', {
        summary:
          'A new section says that recorded speech is to be deleted within about a month. An archive takes the place of the exhibition.',
      }),
    'no schools': (base) =>
      conclude(base, { risks: [{ text: 'Schools are not mentioned any more.', severity: 'high' }] }),
    'the schedule': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'It is still ten minutes of every hour from April to September, and still 20 plots per site.',
        },
      }),
    'one in ten': (base) => revise(base, 'C3', { summary: 'One recording in ten is now labelled a second time.' }),
    crickets: (base) =>
      revise(base, 'C5', {
        summary:
          'The Background now says that the return of frog calls was matched by crickets in a pilot. Ethics is new as well.',
      }),
  },
}
