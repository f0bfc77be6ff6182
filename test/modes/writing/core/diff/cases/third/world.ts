import { change, conclude, type Fixture, revise } from '../case.ts'
import { affect } from './edit.ts'
import { worldAfter, worldBefore } from './world-texts.ts'

// Held out: written without knowing the rules. The metadata of a game and its synopsis; one file is deleted, one left alone.

export const world: Fixture = {
  name: 'third world',
  before: worldBefore,
  after: worldAfter,
  base: (hunk) => {
    const [players, towns, region, faction, permadeath, rating] = hunk.of('world.json') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    return {
      changes: [
        change({
          id: 'C1',
          hunks: [hunk('Joss Arden'), faction],
          units: ['u3', 'u4'],
          evidence: [{ side: 'after', quote: 'Their captain, Joss Arden' }],
          before: 'The Quiet Court and its envoy Sister Maud want the fire.',
          after: 'The Tidewardens and their captain Joss Arden want the fire.',
          facts: [
            { entity: 'pursuer', attribute: 'name', from: 'Sister Maud', to: 'Joss Arden' },
            { entity: 'pursuit', attribute: 'start', from: 'second chapter', to: 'fourth chapter' },
          ],
          type: 'rewrite',
          magnitude: 'major',
          locator: 'The antagonists',
          title: 'The Tidewardens replace the Quiet Court',
          summary:
            'The Tidewardens under Joss Arden are after the fire now. The Quiet Court is no longer a faction of the world.',
          why: 'The author found the Court too vague.',
        }),
        change({
          id: 'C2',
          hunks: [hunk('twelve chapters'), region],
          units: ['u3', 'u4'],
          evidence: [{ side: 'after', quote: 'twelve chapters and three endings' }],
          before: 'Nine chapters and two endings.',
          after: 'Twelve chapters, three endings and a new region, The Sunken Orchard.',
          facts: [
            { entity: 'story', attribute: 'chapters', from: 'nine', to: 'twelve' },
            { entity: 'story', attribute: 'endings', from: 'two', to: 'three' },
          ],
          type: 'add',
          magnitude: 'major',
          locator: 'Endings and regions',
          title: 'A third ending in The Sunken Orchard',
          summary: 'The story has twelve chapters and three endings; the last leads into the new region.',
          why: 'The author asked for a darker way out.',
        }),
        change({
          id: 'C3',
          hunks: [permadeath, rating, players],
          units: ['u4'],
          evidence: [{ side: 'after', quote: 'true' }],
          before: 'Four players, no permadeath, age rating 12.',
          after: 'Six players, permadeath, age rating 16.',
          facts: [
            { entity: 'players', attribute: 'max', from: '4', to: '6' },
            { entity: 'permadeath', attribute: 'value', from: 'false', to: 'true' },
            { entity: 'age_rating', attribute: 'value', from: '12', to: '16' },
          ],
          type: 'fact',
          magnitude: 'major',
          locator: 'Rules of play',
          title: 'Permadeath, six players, age rating 16',
          summary: 'Permadeath is switched on, up to six players can join, and the age rating is 16.',
          why: 'The game should be harder.',
        }),
        change({
          id: 'C4',
          hunks: [towns],
          units: ['u4'],
          before: 'Two towns.',
          after: 'Four towns.',
          facts: [{ entity: 'Hollow Peaks', attribute: 'towns', from: '2', to: '4' }],
          type: 'fact',
          magnitude: 'minor',
          locator: 'Hollow Peaks',
          title: 'More towns in Hollow Peaks',
          summary: 'Hollow Peaks has four towns instead of two.',
          why: 'More chapters need more places.',
        }),
        change({
          id: 'C5',
          hunks: hunk.of('rumours.md'),
          units: ['u2'],
          evidence: [{ side: 'before', quote: 'They say the smith is younger than her own hammer.' }],
          before: 'Three rumours in a file of their own.',
          after: '',
          type: 'remove',
          magnitude: 'moderate',
          locator: 'Rumours',
          title: 'The rumours are deleted',
          summary: 'The file with the three rumours is removed.',
          why: 'The rumours led nowhere.',
        }),
      ],
      impact: {
        tone: null,
        arcs: ['The courier gets an ending without a return.'],
        consistency: 'The quests are unchanged.',
      },
      risks: [{ text: 'One of the quests is still named after Sister Maud.', severity: 'high' }],
      rationale: 'The pursuers are now a faction that players know. The new ending gives the new region a purpose.',
    }
  },
  lies: {
    'permadeath stays off': (base) =>
      revise(base, 'C3', {
        title: 'Six players, age rating 16',
        summary: 'Up to six players can join and the age rating is 16; permadeath remains switched off.',
      }),
    'microtransactions switched on': (base) =>
      revise(base, 'C3', {
        facts: [{ entity: 'microtransactions', attribute: 'value', from: 'false', to: 'true' }],
      }),
    'no file removed': (base) => affect(base, { consistency: 'No file was removed.' }),
    'rumours moved': (base) =>
      revise(base, 'C5', {
        type: 'reorder',
        title: 'The rumours move into the synopsis',
        summary: 'The three rumours are part of the synopsis now.',
      }),
    'quests updated': (base) =>
      conclude(base, { rationale: 'The quests were updated as well, so that Sister Maud no longer appears in them.' }),
    'too many towns': (base) =>
      revise(base, 'C2', { after: 'Twelve chapters, three endings and The Sunken Orchard with its four towns.' }),
    'a wrong captain': (base) =>
      revise(base, 'C1', { summary: 'The Tidewardens under their captain Mira Holt are after the fire now.' }),
    'fewer chapters': (base) =>
      revise(base, 'C2', { summary: 'The story shrinks from twelve to nine chapters, and an ending is added.' }),
    'an old ending removed': (base) =>
      revise(base, 'C2', {
        summary: 'The ending in which the flame stays with Orla Venn is gone; the last one leads into the new region.',
      }),
    'a wrong rating': (base) => revise(base, 'C3', { after: 'Six players, permadeath, age rating 18.' }),
    'the Court is still listed': (base) =>
      affect(base, { consistency: 'The Quiet Court is still in the list of factions.' }),
    'shorter days': (base) =>
      revise(base, 'C4', { summary: 'Hollow Peaks has four towns now, and a day lasts 30 minutes instead of 40.' }),
  },
  honest: {
    'two chapters later': (base) =>
      revise(base, 'C1', {
        summary:
          'Instead of Sister Maud and the Quiet Court, Joss Arden and the Tidewardens want the fire. The pursuit begins two chapters later.',
      }),
    'three and one more': (base) =>
      revise(base, 'C2', { summary: 'There are three chapters more and one ending more than before.' }),
    'a fourth region': (base) =>
      revise(base, 'C2', {
        summary:
          'A fourth region joins the map: humid, with a single town, for levels 18 to 25. A third ending uses it.',
      }),
    'twice as many': (base) =>
      revise(base, 'C4', {
        title: 'Twice as many towns in the mountains',
        summary: 'The number of towns in Hollow Peaks doubles; its climate and levels stay the same.',
      }),
    'all towns together': (base) =>
      revise(base, 'C4', {
        summary: 'Together with the new region, the world now has thirteen towns instead of ten.',
      }),
    'four years': (base) =>
      revise(base, 'C3', {
        title: 'A harder game',
        summary: 'Death is permanent now, two more people can play, and the age rating rises by four years.',
      }),
    'what stays': (base) =>
      affect(base, {
        consistency: 'Currency, day length and engine version are the same, and there are still no microtransactions.',
      }),
    'a stale quest': (base) =>
      conclude(base, {
        risks: [
          {
            text: "The quests were not changed: Sister Maud's Offer still exists, although she is no longer in the synopsis.",
            severity: 'high',
          },
        ],
      }),
    'nowhere else': (base) =>
      revise(base, 'C5', {
        title: 'No more rumours',
        summary: 'All three rumours are gone; none of them was taken over into another file.',
      }),
    'counting files': (base) =>
      conclude(base, { rationale: 'Of four files one is gone, two are revised and one is the same as before.' }),
    'the bargain': (base) =>
      revise(base, 'C1', {
        summary:
          'The pursuers have changed, the bargain has not: it is still offered three times and still costs a companion. Only two factions are left.',
      }),
    'both old endings': (base) =>
      revise(base, 'C2', {
        summary:
          'Both old endings remain. In the new one the courier takes the flame down into The Sunken Orchard and does not come back.',
      }),
  },
}
