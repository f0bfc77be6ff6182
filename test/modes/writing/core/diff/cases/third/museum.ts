import { change, conclude, type Fixture, revise } from '../case.ts'
import { affect, pick } from './edit.ts'
import { museumAfter, museumBefore } from './museum-texts.ts'

// Held out: written without knowing the rules. An audio guide: one stop moves, one is deleted.

export const museum: Fixture = {
  name: 'third museum',
  before: museumBefore,
  after: museumAfter,
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: pick(hunk, '## The Laboratory'),
        units: ['u1'],
        evidence: [{ side: 'before', quote: 'His notebooks fill forty volumes' }],
        before: 'Doctor Emil Voss and his notebooks had a stop of their own.',
        after: '',
        type: 'remove',
        magnitude: 'major',
        locator: 'The Laboratory',
        title: 'The Laboratory is removed',
        summary: 'The stop about Doctor Emil Voss and his notebooks is deleted.',
        why: 'The room is closed to visitors.',
      }),
      change({
        id: 'C2',
        // The same text is in two hunks: where it came from and where it went.
        hunks: [hunk.of('guide.md')[1]!, hunk.of('guide.md')[4]!],
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'The map shows the way to the coast' }],
        before: 'The Salt Road came after The Boiling House.',
        after: 'The Salt Road comes after The Entrance Hall.',
        type: 'reorder',
        magnitude: 'moderate',
        locator: 'The Salt Road',
        title: 'The Salt Road comes earlier',
        summary: 'The stop The Salt Road moves to the place before The Brine Pump; its text is the same.',
        why: 'The map now hangs next to the entrance.',
      }),
      change({
        id: 'C3',
        hunks: pick(hunk, 'nine pfennigs', 'a bronze model'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'you will find a bronze model on the table to your right' }],
        before: 'Eleven pfennigs a day.',
        after: 'Nine pfennigs a day, and a bronze model on the table.',
        facts: [{ entity: 'rakers', attribute: 'wage', from: 'eleven pfennigs', to: 'nine pfennigs' }],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'The Boiling House',
        title: 'A lower wage and a bronze model',
        summary: 'The wage is nine pfennigs instead of eleven, and a bronze model helps those who cannot see the pans.',
        why: 'The guide should work for blind visitors.',
      }),
      change({
        id: 'C4',
        hunks: pick(hunk, 'Reimann was dismissed'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'Reimann was dismissed in the autumn' }],
        before: '',
        after: 'Reimann was dismissed and never worked in the town again.',
        type: 'add',
        magnitude: 'moderate',
        locator: 'The Strike',
        title: 'What happened to Reimann',
        summary: 'A new sentence says that Reimann was dismissed in the autumn after the strike.',
        why: 'The author missed the consequences.',
      }),
      change({
        id: 'C5',
        hunks: pick(hunk, 'six stops', 'in the basket'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'six stops and takes about forty minutes' }],
        before: 'Seven stops, fifty minutes; devices go to the desk.',
        after: 'Six stops, forty minutes; devices go into the basket.',
        facts: [
          { entity: 'tour', attribute: 'stops', from: 'seven', to: 'six' },
          { entity: 'tour', attribute: 'duration', from: 'fifty minutes', to: 'forty minutes' },
        ],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Welcome and goodbye',
        title: 'Welcome and goodbye are adapted',
        summary: 'The welcome announces six stops and forty minutes, and devices are left in a basket by the door.',
        why: 'The numbers have to fit the shorter tour.',
        depends_on: ['C1'],
      }),
    ],
    impact: {
      tone: null,
      arcs: ['The tour starts with the trade and ends with the work.'],
      consistency: 'The Entrance Hall and The Brine Pump are unchanged.',
    },
    risks: [{ text: 'The stop about the strike now ends on a bitter note.', severity: 'low' }],
    rationale: 'The tour loses one room and gains a model. The Strike now has a consequence.',
  }),
  lies: {
    'the laboratory moves': (base) =>
      revise(base, 'C1', {
        type: 'reorder',
        title: 'The Laboratory comes earlier',
        summary: 'The Laboratory is no longer the sixth stop; it now follows The Brine Pump.',
      }),
    'every stop kept': (base) =>
      affect(base, { consistency: 'Every stop of the old tour is still part of the new one.' }),
    'moved to the wrong place': (base) =>
      revise(base, 'C2', { summary: 'The Salt Road moves from the fourth place to the place before The Last Shift.' }),
    'another number of toll houses': (base) =>
      revise(base, 'C2', { facts: [{ entity: 'Salt Road', attribute: 'toll houses', from: 'four', to: 'five' }] }),
    'a higher wage': (base) =>
      revise(base, 'C3', {
        title: 'A higher wage and a bronze model',
        summary: 'The wage rises from nine to eleven pfennigs, and a bronze model is added.',
      }),
    'the size of the model': (base) =>
      revise(base, 'C3', { after: 'Nine pfennigs a day, and a bronze model of half the real size.' }),
    'the wrong person': (base) =>
      revise(base, 'C4', { summary: 'A new sentence says that Otto Hanke was dismissed in the autumn.' }),
    'a shorter strike': (base) =>
      revise(base, 'C4', {
        before: 'The strike lasted seventeen days.',
        after: 'The strike lasted eleven days, and Reimann was dismissed.',
      }),
    'a longer tour': (base) =>
      revise(base, 'C5', {
        title: 'The tour takes longer',
        summary: 'The announced duration grows by ten minutes, and devices are left in a basket.',
      }),
    'an untouched stop shortened': (base) =>
      conclude(base, { rationale: 'The Brine Pump was shortened so that the tour fits into forty minutes.' }),
    'still at the desk': (base) =>
      revise(base, 'C5', { after: 'Six stops, forty minutes; devices are still returned at the desk.' }),
    'nothing added': (base) =>
      conclude(base, { rationale: 'No text was added anywhere; the guide was only cut and put into another order.' }),
  },
  honest: {
    'one stop fewer': (base) =>
      revise(base, 'C1', {
        title: 'One stop fewer',
        summary: 'Emil Voss and his forty volumes of notes are gone; the tour goes from The Strike to The Last Shift.',
      }),
    'two places earlier': (base) =>
      revise(base, 'C2', {
        summary:
          'The Salt Road comes two places earlier, between The Entrance Hall and The Brine Pump. Not a word of it is different.',
      }),
    'two pfennigs less': (base) =>
      revise(base, 'C3', {
        summary:
          'The women earn two pfennigs less than in the old version. Whoever cannot see the pans is led to a model at a scale of 1:10.',
      }),
    'a fifth less': (base) =>
      revise(base, 'C5', {
        summary:
          'The announced length drops by ten minutes, a fifth of the old one. At the end the device goes into a basket.',
      }),
    'word for word': (base) =>
      affect(base, {
        consistency:
          'The Entrance Hall and The Brine Pump are word for word the same; Castor and Frieda keep their names.',
      }),
    'what the strike keeps': (base) =>
      revise(base, 'C4', {
        summary:
          'The seventeen days and the raise of two pfennigs stay. New is the price: Auguste Reimann loses her work and finds none in the town again.',
      }),
    'more words': (base) =>
      conclude(base, {
        rationale: 'Although a stop is gone, the guide has slightly more words than before, not fewer.',
      }),
    'the new order': (base) =>
      affect(base, {
        arcs: [
          'The order is now The Entrance Hall, The Salt Road, The Brine Pump, The Boiling House, The Strike, The Last Shift.',
        ],
      }),
    'a lost remark': (base) =>
      conclude(base, {
        risks: [
          { text: 'With The Laboratory the remark is lost that no notebook mentions the strike.', severity: 'low' },
        ],
      }),
    'the basket': (base) =>
      revise(base, 'C5', {
        title: 'Six stops and a basket',
        summary: 'Visitors no longer hand in the device at the desk. The welcome counts one stop less.',
      }),
    'how the strike ends': (base) =>
      revise(base, 'C4', {
        title: 'The price that the leader paid',
        before: 'The stop ended with the raise.',
        after: 'The stop ends with the dismissal of the woman who had led the strike.',
      }),
    'the last shift': (base) =>
      affect(base, {
        consistency:
          'Otto Hanke, his apron and the date in 1962 are not affected; in The Last Shift only the final sentence differs.',
      }),
  },
}
