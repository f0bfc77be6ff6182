import type { Files } from '../../level.ts'
import { edit } from './edit.ts'

const world = {
  title: 'Emberfall',
  engine_version: '2.4',
  players: { min: 1, max: 4 },
  regions: [
    { name: 'Ashmoor', climate: 'dry', towns: 5, levels: '1-8' },
    { name: 'The Glass Coast', climate: 'stormy', towns: 3, levels: '6-14' },
    { name: 'Hollow Peaks', climate: 'frozen', towns: 2, levels: '12-20' },
  ],
  factions: ['Lamplighters', 'Tidewardens', 'The Quiet Court'],
  currency: 'ember shards',
  day_length_minutes: 40,
  permadeath: false,
  microtransactions: false,
  age_rating: '12',
}

const nextWorld = {
  ...world,
  players: { min: 1, max: 6 },
  regions: [
    ...world.regions.slice(0, 2),
    { name: 'Hollow Peaks', climate: 'frozen', towns: 4, levels: '12-20' },
    { name: 'The Sunken Orchard', climate: 'humid', towns: 1, levels: '18-25' },
  ],
  factions: ['Lamplighters', 'Tidewardens'],
  permadeath: true,
  age_rating: '16',
}

const quests = {
  main: [
    { id: 'q1', title: 'The Lost Basket', reward: 50 },
    { id: 'q2', title: "Sister Maud's Offer", reward: 80 },
    { id: 'q3', title: 'A Flame from Orla Venn', reward: 120 },
  ],
  side_quests: 14,
}

const synopsis = `# Emberfall

A hundred years ago the last volcano went out, and with it the warmth under Ashmoor. Since then the Lamplighters have carried fire from town to town in iron baskets.

You play a courier who has lost one of these baskets. To replace it, you cross the Glass Coast before the winter tide, climb the Hollow Peaks and ask the smith Orla Venn for a new flame.

The Quiet Court wants the fire for itself. Its envoy, Sister Maud, follows you from the second chapter on and offers a bargain three times. Whoever accepts loses a companion.

The story has nine chapters and two endings. In one the courier lights the volcano again; in the other the flame stays with Orla Venn.
`

const rumours = `# Rumours

- They say the smith is younger than her own hammer.
- They say the winter tide brings doors ashore, never houses.
- They say a Lamplighter sold his flame for a night of sleep.
`

const write = (data: object): string => `${JSON.stringify(data, null, 2)}\n`

export const worldBefore: Files = {
  'quests.json': write(quests),
  'rumours.md': rumours,
  'synopsis.md': synopsis,
  'world.json': write(world),
}

export const worldAfter: Files = {
  'quests.json': write(quests),
  'synopsis.md': edit(
    synopsis,
    [
      'The Quiet Court wants the fire for itself. Its envoy, Sister Maud, follows you from the second chapter on',
      'The Tidewardens want the fire for themselves. Their captain, Joss Arden, follows you from the fourth chapter on',
    ],
    ['nine chapters and two endings', 'twelve chapters and three endings'],
    [
      'in the other the flame stays with Orla Venn.',
      'in another the flame stays with Orla Venn; in the last the courier carries it down into the Sunken Orchard and does not return.',
    ],
  ),
  'world.json': write(nextWorld),
}
