import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'

// Metadata as JSON, together with a synopsis.

const nadia = { name: 'Nadia Petrova', age: 34, role: 'botanist', goal: 'save the orchard' }
const georgi = { name: 'Georgi Petrov', age: 61, role: 'her father', goal: 'sell the land' }
const kolev = { name: 'Stoyan Kolev', age: 45, role: 'policeman', goal: 'close the case' }

const metadata = {
  title: 'The Glass Orchard',
  genre: 'literary mystery',
  setting: { place: 'a village near Varna', year: 1987 },
  characters: [nadia, georgi, kolev],
  themes: ['inheritance', 'silence', 'the price of progress'],
  chapters: 24,
  target_words: 90000,
}

const synopsis = `# The Glass Orchard

Nadia Petrova returns to the coast to catalogue the last pear trees of her grandmother's orchard. On the second day she finds a grave between the rows. The dead man has no name and wears a wedding ring.

## Act One

Her father Georgi wants the land sold before winter. Lieutenant Kolev, who knew the family, declares the death an accident. Nadia takes a sample of the soil and keeps it in a jam jar.

## Act Two

The soil contains lead, and the lead comes from a battery plant that officially never existed. Kolev warns her twice. Georgi burns a box of papers in the stove, and Nadia saves three of them.

## Act Three

At the auction Nadia reads the papers aloud. Georgi leaves the room. Kolev stays, takes off his cap, and names the dead man.
`

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const orchard: Fixture = {
  name: 'fresh orchard',
  before: { 'metadata.json': print(metadata), 'synopsis.md': synopsis },
  after: {
    'metadata.json': print({
      ...metadata,
      setting: { ...metadata.setting, year: 1991 },
      characters: [
        { ...nadia, age: 38 },
        georgi,
        { ...kolev, role: 'retired policeman', goal: 'reopen the case' },
        { name: 'Elena Marin', age: 29, role: 'journalist', goal: 'find the witness' },
      ],
      themes: ['inheritance', 'guilt', 'the price of progress'],
      target_words: 110000,
    }),
    'synopsis.md': edit(synopsis, [
      [
        'Lieutenant Kolev, who knew the family, declares the death an accident.',
        'Stoyan Kolev, long retired, tells her that he once declared the death an accident and has regretted it since.',
      ],
      [
        'Kolev warns her twice.',
        'The journalist Elena Marin has been writing about the plant for two years, and she knows of a witness.',
      ],
      [
        'Kolev stays, takes off his cap, and names the dead man.',
        'Kolev stays, and Elena writes down the name that he says.',
      ],
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('find the witness'), hunk('writing about the plant'), hunk('Elena writes down')],
        units: ['u1', 'u2'],
        type: 'add',
        magnitude: 'major',
        locator: 'Characters, Act Two and Act Three',
        title: 'Elena Marin joins the story',
        summary: 'The journalist Elena Marin is new. She knows of a witness and writes down the name at the auction.',
        before: 'Three characters.',
        after: 'Four characters.',
        why: 'Nadia needed an ally.',
        evidence: [{ side: 'after', quote: 'she knows of a witness' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('retired policeman'), hunk('reopen the case'), hunk('long retired')],
        units: ['u1', 'u2'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Characters and Act One',
        title: 'Kolev has retired and has regrets',
        summary: 'Kolev is no longer on duty. He regrets what he declared and wants to reopen the case.',
        before: 'A policeman who declares the death an accident.',
        after: 'A retired policeman who regrets it.',
        facts: [
          { entity: 'Stoyan Kolev', attribute: 'role', from: 'policeman', to: 'retired policeman' },
          { entity: 'Stoyan Kolev', attribute: 'goal', from: 'close the case', to: 'reopen the case' },
        ],
        why: 'The author asked for an opponent with a conscience.',
        evidence: [{ side: 'after', quote: 'has regretted it since' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('1991'), hunk('38')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Setting and characters',
        title: '1991 instead of 1987',
        summary: 'The story takes place in 1991 instead of 1987, and Nadia is 38 instead of 34.',
        before: '1987; Nadia is 34.',
        after: '1991; Nadia is 38.',
        facts: [
          { entity: 'setting', attribute: 'year', from: '1987', to: '1991' },
          { entity: 'Nadia Petrova', attribute: 'age', from: '34', to: '38' },
        ],
        why: 'The author asked for a later year.',
      }),
      change({
        id: 'C4',
        hunks: [hunk('guilt')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Themes',
        title: 'Guilt replaces silence',
        summary: 'The second theme is now guilt.',
        before: 'silence',
        after: 'guilt',
        facts: [{ entity: 'themes', attribute: 'second', from: 'silence', to: 'guilt' }],
        why: 'It follows from the new Kolev.',
        ripple_of: 'C2',
      }),
      change({
        id: 'C5',
        hunks: [hunk('110000')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Target length',
        title: 'A longer book',
        summary: 'The target rises from 90,000 to 110,000 words.',
        before: '90000',
        after: '110000',
        facts: [{ entity: 'book', attribute: 'target_words', from: '90000', to: '110000' }],
        why: 'A fourth character needs room.',
        depends_on: ['C1'],
      }),
    ],
    impact: {
      tone: null,
      arcs: ["Kolev no longer stands in Nadia's way."],
      consistency: 'Title and genre are unchanged.',
    },
    risks: [{ text: 'Georgi is still 61 although the story is set four years later.', severity: 'low' }],
    rationale: 'Elena gives Nadia an ally, and Kolev a reason to speak.',
  }),
  lies: {
    'a wrong age': (base) =>
      revise(base, 'C3', { summary: 'The story takes place in 1991 instead of 1987, and Nadia is 36.' }),
    'an older father': (base) =>
      revise(base, 'C3', { facts: [{ entity: 'Georgi Petrov', attribute: 'age', from: '61', to: '65' }] }),
    'a cast of three': (base) => conclude(base, { rationale: 'The cast keeps its size: three characters, as before.' }),
    'a new title': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'The book is now called The Pear Orchard.' } }),
    'a fourth theme': (base) =>
      revise(base, 'C4', { title: 'A fourth theme', summary: 'Guilt joins the list, which now has four themes.' }),
    'only metadata': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'All changes are in the metadata; the synopsis is the same.' },
      }),
    'more chapters': (base) =>
      revise(base, 'C5', {
        summary: 'The target rises from 90,000 to 110,000 words, spread over 28 chapters instead of 24.',
      }),
    'Elena in Act One': (base) =>
      revise(base, 'C1', {
        locator: 'Characters and Act One',
        summary: 'The journalist Elena Marin is new and first appears in Act One.',
      }),
    'a shorter book': (base) =>
      revise(base, 'C5', { title: 'Another length', summary: 'The target falls by 20,000 words.' }),
    'once a detective': (base) =>
      revise(base, 'C2', {
        facts: [{ entity: 'Stoyan Kolev', attribute: 'role', from: 'detective', to: 'retired policeman' }],
      }),
    'no fire': (base) => conclude(base, { rationale: 'Georgi no longer burns the papers, which makes him milder.' }),
    'a wedding': (base) =>
      conclude(base, {
        risks: [{ text: 'The wedding of Elena and Kolev in Act Three comes without preparation.', severity: 'high' }],
      }),
    'the cap stays': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'Kolev still takes off his cap at the auction.' },
      }),
    'a theme in the synopsis': (base) =>
      revise(base, 'C4', {
        units: ['u2'],
        locator: 'Synopsis, Act Two',
        summary: 'In the synopsis, Act Two now names guilt as its theme.',
      }),
  },
  honest: {
    'the base': (base) => base,
    'four years': (base) => revise(base, 'C3', { summary: 'Both the setting and the heroine move on by four years.' }),
    'three themes': (base) =>
      revise(base, 'C4', { summary: 'There are three themes as before; guilt has taken the place of silence.' }),
    'what stays': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The title, the genre and the village are the same, and so is the opening paragraph.',
        },
      }),
    percent: (base) => revise(base, 'C5', { summary: 'The planned length grows by about 22 percent.' }),
    'no warning': (base) =>
      revise(base, 'C2', {
        summary: 'Kolev, once a policeman, has left the force. He speaks of his regret and wants the case reopened.',
      }),
    'three to four': (base) =>
      revise(base, 'C1', { summary: 'The cast grows from three to four: a journalist of 29 joins it.' }),
    'longer chapters': (base) =>
      conclude(base, {
        risks: [{ text: 'There are still 24 chapters, so on average they have to be longer.', severity: 'low' }],
      }),
    'Georgi stays': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Georgi is untouched: he wants to sell, burns papers and leaves the room at the auction.',
        },
      }),
    reversal: (base) =>
      revise(base, 'C2', {
        summary: 'Where Kolev wanted to close the case, he now wants it opened again; he warns nobody any more.',
      }),
    'the papers': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'Nadia saves three papers and reads them aloud, just as before.' },
      }),
    'the ending': (base) =>
      revise(base, 'C1', {
        summary:
          'At the end it is Elena who writes down the name. Kolev says it, but he does not take off his cap any more.',
      }),
    'where she enters': (base) =>
      revise(base, 'C1', { summary: 'Elena is absent from Act One; she enters in Act Two and is there at the end.' }),
  },
}
