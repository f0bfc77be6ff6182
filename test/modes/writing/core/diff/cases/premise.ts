import { add, change, conclude, type Fixture, revise } from './case.ts'

// A premise as JSON: one file, compared by fields.

const before = {
  premise:
    'A retired cartographer is hired to map a city that no longer exists. Each street she draws appears again at night.',
  protagonist: 'Odile Farrow, 61, a cartographer who lost her daughter in the flood',
  antagonist: 'The Surveyor General, who wants the city to stay drowned',
  stakes: 'If the map is finished, the drowned will return and the living must make room for them.',
  hook: 'The first street to come back is the one where her daughter lived.',
  themes: ['grief', 'memory', 'the price of maps'],
  unique_elements: ['streets that return by night', 'ink made of silt', 'a census of the drowned'],
  selections: { genre: 'fantasy', tone: 'melancholic', length_scope: 'novella', point_of_view: 'third person limited' },
}

const after = {
  premise:
    'A retired cartographer is forced to map a city that no longer exists. Each street she draws appears again at night, and one living street vanishes.',
  protagonist: 'Odile Farrow, 61, a cartographer who lost her daughter in the flood',
  antagonist: 'Commissioner Brandt, who wants the drowned back because he sold them the dams',
  stakes: 'If the map is finished, the drowned will return and the living must make room for them.',
  hook: 'The first street to come back is the one where her daughter lived.',
  themes: ['grief', 'guilt', 'the price of maps', 'debt'],
  unique_elements: ['streets that return by night', 'ink made of silt'],
  selections: { genre: 'fantasy', tone: 'ominous', length_scope: 'novel', point_of_view: 'third person limited' },
}

export const premise: Fixture = {
  name: 'premise',
  before: { 'premise.json': JSON.stringify(before, null, 2) },
  after: { 'premise.json': JSON.stringify(after, null, 2) },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('one living street vanishes')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'major',
        locator: '/premise',
        title: 'Each returned street costs a living one',
        summary: 'The cartographer is now forced, not hired, and each drawing has a price.',
        before: 'She is hired, and drawn streets come back at night.',
        after: 'She is forced, and for each street that comes back a living one vanishes.',
        why: 'A price gives each drawing weight.',
        evidence: [{ side: 'after', quote: 'one living street vanishes' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('Commissioner Brandt')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'major',
        locator: '/antagonist',
        title: 'Commissioner Brandt replaces the Surveyor General',
        summary: 'The new antagonist wants the opposite: he wants the drowned back, out of guilt for the dams.',
        before: 'The Surveyor General wants the city to stay drowned.',
        after: 'Commissioner Brandt wants the drowned back.',
        why: 'An antagonist with a motive of his own.',
        facts: [{ entity: 'antagonist', attribute: 'name', from: 'The Surveyor General', to: 'Commissioner Brandt' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('"guilt"'), hunk('"debt"')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: '/themes',
        title: 'Themes: guilt replaces memory, debt is added',
        summary: 'Memory is replaced by guilt, and debt becomes the fourth theme.',
        before: 'Grief, memory and the price of maps.',
        after: 'Grief, guilt, the price of maps and debt.',
        why: 'They follow from the new antagonist.',
        depends_on: ['C2'],
        facts: [{ entity: 'themes', attribute: 'second theme', from: 'memory', to: 'guilt' }],
      }),
      change({
        id: 'C4',
        hunks: [hunk('a census of the drowned')],
        units: ['u1'],
        type: 'remove',
        magnitude: 'minor',
        locator: '/unique_elements/2',
        title: 'The census of the drowned is removed',
        summary: 'One unique element is dropped; two remain.',
        before: 'A census of the drowned.',
        after: 'No census.',
        why: 'It had no part in the plot.',
      }),
      change({
        id: 'C5',
        hunks: [hunk('"ominous"'), hunk('"novel"')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: '/selections',
        title: 'From melancholic novella to ominous novel',
        summary: 'Tone and length are changed; genre and point of view stay.',
        before: 'A melancholic novella.',
        after: 'An ominous novel.',
        why: 'The second plot needs room.',
        facts: [
          { entity: 'selections', attribute: 'tone', from: 'melancholic', to: 'ominous' },
          { entity: 'selections', attribute: 'length_scope', from: 'novella', to: 'novel' },
        ],
      }),
    ],
    impact: {
      tone: { from: 'melancholic', to: 'ominous' },
      arcs: [],
      consistency: 'Stakes and hook are unchanged and still fit.',
    },
    risks: [{ text: 'The stakes do not mention the streets that vanish.', severity: 'low' }],
    rationale: 'A price and a guilty antagonist turn a mood into a plot.',
  }),
  lies: {
    'the protagonist changed': (base) =>
      revise(base, 'C1', {
        summary: 'The protagonist is now a widower instead of Odile Farrow.',
        facts: [{ entity: 'protagonist', attribute: 'name', from: 'Odile Farrow', to: 'Hugo Farrow' }],
      }),
    'an age that is nowhere': (base) =>
      revise(base, 'C1', { summary: 'Odile is now 45 years old and is forced to draw.' }),
    'a theme that was not added': (base) =>
      revise(base, 'C3', {
        title: 'Themes: betrayal is added',
        facts: [{ entity: 'themes', attribute: 'new theme', from: '', to: 'betrayal' }],
      }),
    'a theme that was not removed': (base) =>
      revise(base, 'C3', { summary: 'Grief was removed from the themes, and debt was added.' }),
    'too many elements': (base) => revise(base, 'C4', { summary: 'Three unique elements are dropped.' }),
    'the genre changed too': (base) =>
      revise(base, 'C5', { facts: [{ entity: 'selections', attribute: 'genre', from: 'fantasy', to: 'horror' }] }),
    'tone from nowhere': (base) =>
      conclude(base, { impact: { ...base.impact, tone: { from: 'melancholic', to: 'slapstick' } } }),
    'names the wrong way round': (base) =>
      revise(base, 'C2', {
        title: 'The Surveyor General replaces Commissioner Brandt',
        facts: [{ entity: 'antagonist', attribute: 'name', from: 'Commissioner Brandt', to: 'The Surveyor General' }],
      }),
    'five themes': (base) =>
      revise(base, 'C3', { after: 'Five themes: grief, guilt, the price of maps, debt and betrayal.' }),
  },
  honest: {
    'the base': (base) => base,
    'an antagonist with a motive': (base) =>
      revise(base, 'C2', {
        title: 'A new antagonist with a personal motive',
        summary: 'Commissioner Brandt takes over the role; his guilt about the dams drives him.',
        before: 'An official who wants the city to stay drowned.',
        after: 'An official who sold the dams and wants the drowned back.',
      }),
    'counts of themes': (base) =>
      revise(base, 'C3', { summary: 'There are four themes instead of three: one was replaced and one added.' }),
    'nothing else changed': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The protagonist, the stakes and the hook did not change, and Odile is still 61.',
        },
      }),
    'facts in other case': (base) =>
      revise(base, 'C5', {
        facts: [
          { entity: 'Selections', attribute: 'Tone', from: 'Melancholic', to: 'Ominous' },
          { entity: 'Selections', attribute: 'Length', from: 'Novella', to: 'Novel' },
        ],
      }),
    'split in two': (base, hunk) =>
      add(
        revise(base, 'C5', {
          hunks: [hunk('"ominous"')],
          title: 'An ominous tone',
          summary: 'The tone goes from melancholic to ominous.',
          before: 'Melancholic.',
          after: 'Ominous.',
          facts: [],
        }),
        {
          id: 'C6',
          hunks: [hunk('"novel"')],
          units: ['u1'],
          type: 'fact',
          magnitude: 'minor',
          locator: '/selections/length_scope',
          title: 'A novel instead of a novella',
          summary: 'The length grows from novella to novel.',
          before: 'Novella.',
          after: 'Novel.',
          facts: [{ entity: 'length_scope', attribute: 'value', from: 'novella', to: 'novel' }],
        },
      ),
  },
}
