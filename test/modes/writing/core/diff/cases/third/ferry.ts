import { change, conclude, type Fixture, revise } from '../case.ts'
import { affect, pick } from './edit.ts'
import { ferryAfter, ferryBefore } from './ferry-texts.ts'

// Held out: written without knowing the rules. A thriller in four chapters, of which the second is left alone.

export const ferry: Fixture = {
  name: 'third ferry',
  before: ferryBefore,
  after: ferryAfter,
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: pick(hunk, 'lifted the lid'),
        units: ['u4'],
        evidence: [{ side: 'after', quote: 'set the padlock to 0417 and lifted the lid' }],
        before: 'The case goes into the sea, and nothing happens.',
        after: 'Ines opens the case, and the clock stops at ninety seconds.',
        facts: [{ entity: 'the case', attribute: 'fate', from: 'the case went out', to: 'lifted the lid' }],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'The finale with the case',
        title: 'Ines opens the case instead of throwing it',
        summary:
          'The crew no longer pushes the case out of the stern door. Ines opens it with the code 0417 and finds a clock, passports and a photograph of herself.',
        why: 'The ending asked for an answer.',
      }),
      change({
        id: 'C2',
        hunks: pick(hunk, 'seven calls', 'She did not hang up'),
        units: ['u3'],
        evidence: [{ side: 'after', quote: 'a key with a brass tag: cabin 214' }],
        before: 'Three calls; Ines hangs up and runs.',
        after: 'Seven calls; the line stays open, and the coat hangs behind the door.',
        facts: [{ entity: 'radio log', attribute: 'calls', from: 'three', to: 'seven' }],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Radio room',
        title: 'The line stays open and the coat turns up',
        summary:
          'The log now shows seven calls instead of three. Ines leaves the line open and finds the coat with a key to cabin 214.',
        why: 'It makes the captain a suspect.',
      }),
      change({
        id: 'C3',
        hunks: pick(hunk, 'The name on the tag was', 'It was Marek Stahl'),
        units: ['u1', 'u3'],
        evidence: [{ side: 'before', quote: 'It was Marek Stahl.' }],
        before: 'Marek Stahl',
        after: 'Anton Reuss',
        facts: [{ entity: 'missing passenger', attribute: 'name', from: 'Marek Stahl', to: 'Anton Reuss' }],
        type: 'rename',
        magnitude: 'moderate',
        locator: 'The tag and the telephone',
        title: 'Marek Stahl becomes Anton Reuss',
        summary: 'The missing passenger is called Anton Reuss now, in Chapters 1 and 3.',
        why: 'The author wanted another name.',
      }),
      change({
        id: 'C4',
        hunks: pick(hunk, 'At the rail a boy', 'The other one was wearing'),
        units: ['u1', 'u4'],
        evidence: [{ side: 'before', quote: 'a boy in a yellow raincoat' }],
        before: 'A boy in a yellow raincoat runs away, and an officer wears one at the end.',
        after: '',
        type: 'remove',
        magnitude: 'moderate',
        locator: 'The rail and the last paragraph',
        title: 'The yellow raincoat is removed',
        summary: 'The boy at the rail in Chapter 1 and the last paragraph of Chapter 4 are cut.',
        why: 'Nothing in the story explained the raincoat.',
      }),
      change({
        id: 'C5',
        hunks: pick(hunk, '23:15'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'at 23:15, fifty-five minutes late' }],
        before: 'The ferry leaves at 22:40, twenty minutes late.',
        after: 'The ferry leaves at 23:15, fifty-five minutes late.',
        facts: [{ entity: 'Halvorsen', attribute: 'departure', from: '22:40', to: '23:15' }],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Opening',
        title: 'A later departure',
        summary: 'The Halvorsen leaves Dock 9 at 23:15 instead of 22:40.',
        why: 'The calls since midnight come sooner after the departure.',
      }),
    ],
    impact: {
      tone: null,
      arcs: ['Ines decides for herself instead of following Oduya.'],
      consistency: 'Chapter 2 is unchanged; its code 0417 is now used in Chapter 4.',
    },
    risks: [{ text: 'Oduya still wants to throw the case, although nobody does it.', severity: 'low' }],
    rationale: 'The finale now uses what Chapter 2 has set up. The raincoat is gone because nothing explained it.',
  }),
  lies: {
    'a wrong number of calls': (base) =>
      revise(base, 'C2', { summary: 'The log now shows nine calls instead of three, and Ines leaves the line open.' }),
    'an untouched chapter revised': (base) =>
      conclude(base, { rationale: 'Chapter 2 was tightened so that the code 0417 pays off in the finale.' }),
    'nothing cut': (base) => affect(base, { consistency: 'No scene and no paragraph was cut in any of the chapters.' }),
    'renamed in a chapter without the name': (base) =>
      revise(base, 'C3', { summary: 'Marek Stahl is called Anton Reuss now, in Chapters 1, 3 and 4.' }),
    'renamed the other way': (base) =>
      revise(base, 'C3', { summary: 'The passenger who used to be Anton Reuss is called Marek Stahl now.' }),
    'an earlier departure': (base) =>
      revise(base, 'C5', {
        title: 'The ferry leaves earlier',
        summary: 'The Halvorsen leaves 35 minutes earlier than before.',
      }),
    'the case still goes overboard': (base) =>
      revise(base, 'C1', { after: 'Ines looks into the case, and then it goes out of the stern door as before.' }),
    'only reworded': (base) =>
      revise(base, 'C1', {
        title: 'The finale in a better style',
        summary: 'The finale is only reworded; what happens to the case stays the same.',
      }),
    'an invented quote': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'the line was dead before she reached the door' }] }),
    'the wrong person opens it': (base) =>
      revise(base, 'C1', {
        summary: 'Captain Brandt opens the case with the code 0417 and finds passports and a photograph.',
      }),
    'a chapter gets shorter': (base) =>
      affect(base, { arcs: ['Chapter 3 gets shorter, so that the finale comes sooner.'] }),
    'the police are gone': (base) =>
      affect(base, { consistency: 'The two police officers no longer appear in Chapter 4.' }),
  },
  honest: {
    'the finale in other words': (base) =>
      revise(base, 'C1', {
        title: 'What is in the case',
        summary:
          'Instead of dumping the case, the inspector unlocks it with the four digits from the car deck. Her own picture is inside.',
      }),
    'four more calls': (base) =>
      revise(base, 'C2', { summary: 'The log lists four calls more than before, seven in all.' }),
    'the delay computed': (base) =>
      revise(base, 'C5', {
        summary:
          'The ferry leaves thirty-five minutes later, at a quarter past eleven; it is now almost an hour behind time.',
      }),
    'what stays': (base) =>
      affect(base, {
        consistency: 'Chapter 2 was not touched. Dock 9, the nineteen kilos and the bank in Lisbon stay as they were.',
      }),
    'both surnames': (base) =>
      revise(base, 'C3', {
        summary:
          'Stahl is now Reuss, on the tag as well as on the telephone. The name Marek Stahl no longer occurs anywhere.',
      }),
    'no more raincoats': (base) =>
      revise(base, 'C4', {
        title: 'No more yellow raincoats',
        summary:
          'The boy who fed the gulls is gone, and the story no longer closes with a police officer in a raincoat.',
      }),
    'lengths, rounded': (base) =>
      conclude(base, {
        rationale:
          'The whole is hardly longer than before: Chapter 1 loses about twenty words, Chapter 3 gains more than forty.',
      }),
    'three of four': (base) =>
      conclude(base, { rationale: 'Three of the four chapters change; the one on the car deck does not.' }),
    'a loose end': (base) =>
      conclude(base, {
        risks: [
          { text: 'Cabin 214 is mentioned only once and may look like a loose end.', severity: 'low' },
          { text: 'Chapter 4 does not come back to the key.', severity: 'low' },
        ],
      }),
    'no longer runs': (base) =>
      revise(base, 'C2', {
        summary:
          'Ines no longer hangs up, and she does not run for the stairs. The coat is found behind the door, dry and with a torn collar; the radio log is longer.',
      }),
    'the new last line': (base) =>
      revise(base, 'C4', {
        summary:
          'Two short passages are cut, one near the end of Chapter 1 and one at the end of Chapter 4. The book now ends with what Ines keeps from the police.',
      }),
    'the arrival remains': (base) =>
      affect(base, {
        consistency:
          'The arrival in Skarhamn at dawn and both police officers remain, and Pia Lund still cuts the chain.',
      }),
  },
}
