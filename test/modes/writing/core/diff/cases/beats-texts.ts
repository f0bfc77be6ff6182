import type { Files } from '../level.ts'

// Chapter beats of a novel: a foundation and eight chapters. Chapter 3 is rewritten, 2 and 4 follow, the others stay.

const write = (
  number: number,
  title: string,
  events: readonly string[],
  beat: string,
  hook: string,
): string => `# Chapter ${number}: ${title}

POV: Marcus
Act: ${number < 3 ? 'I' : number < 7 ? 'II' : 'III'}

## Key Events

${events.map((event) => `- ${event}`).join('\n')}

## Emotional Beat

${beat}

## Hook

${hook}
`

const foundation = `# Metadata

Genre: Dark Fantasy
Tone: hopeful
Themes: redemption, sacrifice, duty

# Characters

## Marcus Vale

Role: protagonist
Archetype: hero
Background: A former captain of the city guard who lost his post after the warehouse fire.
Motivation: To bring the corrupt magistrate to justice.

## Livia Brandt

Role: ally
Background: A healer of the lower quarter who trusts Marcus without reserve.

# World

Setting: The river city of Ostmark, in the ninth year of the drought.
`

const second = [
  'Marcus finds the ledger in the dry cistern -> He learns who paid for the fire',
  'Livia hides the ledger in the chapel -> The magistrate sends men to search the quarter',
  'Marcus bribes the clerk Osric -> Osric promises him a key',
]

const fourth = [
  'Livia binds the wounds of the clerk -> She thanks Marcus for his mercy',
  'The guild votes to shelter Marcus -> He gains a safe house',
  'Marcus plans the raid on the archive -> Every ally agrees to follow him',
  'A courier brings the summons -> The trial is set for the new moon',
]

const dream = 'Marcus dreams of the warehouse -> He wakes with ash on his hands'

const oldThird = [
  'Marcus wakes refreshed and walks to the court -> The crowd cheers him',
  'He confronts the magistrate before witnesses -> The magistrate is arrested',
  'Osric confesses in public -> The guard returns the sword to Marcus',
  'The city celebrates until morning -> Marcus is offered his old post',
]

const newThird = [
  'Marcus wakes from a nightmare of the people he could not save -> He cannot tell dream from memory',
  'He threatens the clerk Osric with a knife -> Osric gives up his brother',
  'Marcus must choose between the brother and the witness -> He lets the brother burn',
  'The magistrate is arrested at a terrible price -> Nobody cheers',
  'Alone, Marcus washes his hands three times -> The smell of smoke stays',
]

const newFourth = [
  fourth[0]!.replace('thanks Marcus for his mercy', 'asks Marcus what he has done'),
  fourth[1]!,
  fourth[2]!.replace('Every ally agrees to follow him', 'Two allies walk out of the room'),
  fourth[3]!,
]

const arrival = [
  'Marcus returns to Ostmark -> The gate guard takes his sword',
  'He meets Livia at the well -> She offers him a room',
  'The magistrate speaks in the square -> Marcus recognises his voice',
]
const archive = [
  'The raid begins at dusk -> The archive is empty',
  'Marcus finds a hidden stair -> It leads below the river bed',
  'Livia is separated from the others -> She hears water',
]
const sluice = [
  'Livia follows the sound -> She finds the sluice',
  'The sluice keeper refuses to speak -> Marcus waits with him through the night',
  'The keeper dies at dawn -> He leaves a single word',
]
const trial = [
  'The trial opens under guard -> Marcus must speak first',
  'The ledger is read aloud -> Three names are missing',
  'The judge withdraws -> The crowd turns on the court',
]
const rain = [
  'The sluice is opened -> The river returns',
  'Livia names the fourth man -> Marcus lets him go',
  'Marcus leaves the sword at the gate -> The guard lets him pass',
]

const unchanged = {
  'chapter-01.md': write(
    1,
    'The Dry River',
    arrival,
    'Marcus is tired but willing to begin again.',
    'Who set the fire?',
  ),
  'chapter-05.md': write(5, 'The Archive', archive, 'Marcus doubts the map.', 'There is water below the city.'),
  'chapter-06.md': write(6, 'Below the River', sluice, 'Grief, without anger.', 'What does the word mean?'),
  'chapter-07.md': write(7, 'The Trial', trial, 'Marcus is ashamed of the crowd.', 'Who cut the pages?'),
  'chapter-08.md': write(8, 'Rain', rain, 'Marcus forgives himself.', 'None.'),
}

export const beatsTexts: { readonly before: Files; readonly after: Files } = {
  before: {
    'foundation.md': foundation,
    'chapter-02.md': write(
      2,
      'The Ledger',
      second,
      'Marcus feels the first hope in years.',
      'The key opens more than one door.',
    ),
    'chapter-03.md': write(
      3,
      'The Magistrate',
      oldThird,
      'Marcus feels justified and at peace.',
      'A letter arrives without a seal.',
    ),
    'chapter-04.md': write(
      4,
      'The Safe House',
      fourth,
      'Marcus is surrounded by friends.',
      'The courier knows his real name.',
    ),
    ...unchanged,
  },
  after: {
    'foundation.md': foundation
      .replace('Tone: hopeful', 'Tone: dark, introspective')
      .replace('sacrifice, duty', 'sacrifice, duty, moral ambiguity')
      .replace('Archetype: hero', 'Archetype: anti-hero'),
    'chapter-02.md': write(
      2,
      'The Ledger',
      [...second, dream],
      'Marcus feels the first hope in years, and distrusts it.',
      'The key opens more than one door.',
    ),
    'chapter-03.md': write(
      3,
      'The Price of Silence',
      newThird,
      'Marcus sees that he is becoming what he fought.',
      'Osric is waiting at the door.',
    ),
    'chapter-04.md': write(
      4,
      'The Safe House',
      newFourth,
      'Marcus is surrounded by friends who no longer meet his eyes.',
      'The courier knows his real name.',
    ),
    ...unchanged,
  },
}
