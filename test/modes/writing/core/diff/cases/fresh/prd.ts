import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'

// A product requirements document: figures, a list with numbers, a section that moves.

const users = `## Users

Nurses offer and take shifts. Ward managers approve swaps that change the skill mix. The payroll team reads the result once a month.

`

const text = `# PRD: Shift Swap

Version 1.2, owner: Dana Whitlock

## Summary

Shift Swap lets nurses trade shifts without calling the ward office. Today a swap takes two phone calls and a paper form. We want it to take no paper at all.

## Goals

- Cut the median time per swap from 40 minutes to 5 minutes.
- Reach 60 percent of all wards by the end of the second quarter.
- Keep the share of unfilled shifts below 3 percent.

${users}## Requirements

- R1: A nurse can offer a shift up to 48 hours before it starts.
- R2: The app shows an offer only to nurses with the same qualification.
- R3: A ward manager must approve or reject a swap within 12 hours.
- R4: If nobody answers in time, the swap is rejected automatically.
- R5: Every swap is written to the audit log and kept for 2 years.
- R6: The app works offline and syncs later.

## Rollout

The pilot starts on 4 March with three wards at Northgate Hospital. After six weeks we compare the numbers with the baseline. If the goals are met, all 22 wards follow.

## Risks

Managers may see approvals as extra work. Two unions have asked for a say in the design.

## Open questions

- Who pays for the text messages?
- Do we need a Spanish version at launch?
`

export const prd: Fixture = {
  name: 'fresh PRD',
  before: { 'prd.md': text },
  after: {
    'prd.md': edit(text, [
      ['Version 1.2', 'Version 1.3'],
      [users, ''],
      ['## Goals\n', `${users}## Goals\n`],
      ['to 5 minutes', 'to 2 minutes'],
      ['below 3 percent.\n', 'below 3 percent.\n- Win at least 500 active nurses by September.\n'],
      ['up to 48 hours', 'up to 24 hours'],
      ['the swap is rejected automatically', 'the swap is approved automatically'],
      [
        '- R6: The app works offline and syncs later.',
        '- R7: A nurse can withdraw an offer until another nurse has taken it.',
      ],
      ['three wards at', 'five wards at'],
      ['\n- Do we need a Spanish version at launch?', ''],
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('R1:'), hunk('R4:')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'major',
        locator: 'Requirements, R1 and R4',
        title: 'Later offers, and silence means yes',
        summary:
          'Nurses may offer a shift up to 24 hours before it starts, and a swap that nobody answers is approved.',
        before: 'Offers up to 48 hours before the start; silence rejects a swap.',
        after: 'Offers up to 24 hours before the start; silence approves a swap.',
        facts: [
          { entity: 'R1', attribute: 'deadline', from: '48 hours', to: '24 hours' },
          { entity: 'R4', attribute: 'result', from: 'rejected automatically', to: 'approved automatically' },
        ],
        why: 'The request was to make swaps easier.',
        evidence: [
          { side: 'before', quote: 'the swap is rejected automatically' },
          { side: 'after', quote: 'the swap is approved automatically' },
        ],
      }),
      change({
        id: 'C2',
        hunks: [hunk('R7:')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Requirements, end of the list',
        title: 'Withdrawal replaces offline use',
        summary: 'R6 about offline use is dropped. R7 lets a nurse withdraw an offer until it is taken.',
        before: 'The app works offline.',
        after: 'A nurse can withdraw an offer.',
        why: 'The author asked for a way to take an offer back.',
      }),
      change({
        id: 'C3',
        hunks: [hunk('median time'), hunk('500 active nurses')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Goals',
        title: 'A faster swap and a new goal',
        summary: 'The target for the median time falls from 5 to 2 minutes, and 500 active nurses are a new goal.',
        before: 'The target is 5 minutes.',
        after: 'The target is 2 minutes.',
        facts: [{ entity: 'median time per swap', attribute: 'target', from: '5 minutes', to: '2 minutes' }],
        why: 'The goals should be ambitious.',
        evidence: [{ side: 'after', quote: 'Win at least 500 active nurses by September.' }],
      }),
      change({
        id: 'C4',
        hunks: [hunk.of('prd.md')[1]!, hunk.of('prd.md')[4]!],
        units: ['u1'],
        type: 'reorder',
        magnitude: 'minor',
        locator: 'Users',
        title: 'Users stands before Goals',
        summary: 'The section Users moves up, between Summary and Goals. Its text is the same.',
        before: 'Users after Goals.',
        after: 'Users before Goals.',
        why: 'Readers should know for whom the goals are.',
      }),
      change({
        id: 'C5',
        hunks: [hunk('five wards'), hunk('Spanish version'), hunk('Version 1.3')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Rollout, Open questions, version',
        title: 'A larger pilot and one question less',
        summary:
          'The pilot has five wards instead of three, and the question about a Spanish version is gone. The version is now 1.3.',
        before: 'Three wards, version 1.2.',
        after: 'Five wards, version 1.3.',
        facts: [{ entity: 'pilot', attribute: 'size', from: 'three wards', to: 'five wards' }],
        why: 'More data in the same time.',
      }),
    ],
    impact: {
      tone: null,
      arcs: ['Nurses gain room, and a manager can no longer stop a swap by silence.'],
      consistency: 'R2, R3 and R5 are unchanged.',
    },
    risks: [{ text: 'R4 may approve swaps that nobody has looked at.', severity: 'high' }],
    rationale: 'The document now favours speed. The pilot grows with the ambition.',
  }),
  lies: {
    'more time for managers': (base) =>
      revise(base, 'C1', {
        summary: 'Nurses may offer shifts later, and managers have 24 hours instead of 12 to decide.',
      }),
    'seven requirements': (base) => conclude(base, { rationale: 'The list of requirements grows from six to seven.' }),
    'still rejected': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'R2, R3 and R5 are unchanged, and an unanswered swap is still rejected.',
        },
      }),
    'Rollout moves': (base) =>
      revise(base, 'C4', {
        title: 'Rollout moves up',
        summary: 'The section Rollout moves up and now stands before Requirements.',
      }),
    'a later pilot': (base) =>
      revise(base, 'C5', { summary: 'The pilot has five wards instead of three and starts two weeks later.' }),
    'a new owner': (base) =>
      revise(base, 'C5', {
        summary: 'The pilot has five wards instead of three, and Mark Ostrow takes over from Dana Whitlock as owner.',
      }),
    'a longer audit log': (base) =>
      revise(base, 'C1', { facts: [{ entity: 'R5', attribute: 'retention', from: '2 years', to: '5 years' }] }),
    'offline is only parked': (base) =>
      revise(base, 'C2', {
        summary: 'R6 about offline use has been moved to the open questions. R7 lets a nurse withdraw an offer.',
      }),
    'only wording': (base) =>
      revise(base, 'C1', {
        type: 'rewrite',
        magnitude: 'minor',
        title: 'Clearer wording',
        summary: 'R1 and R4 are phrased more clearly; what they demand is the same.',
        before: '',
        after: '',
        facts: [],
      }),
    'twice the notice': (base) =>
      revise(base, 'C1', { summary: 'The notice that an offer needs doubles, from 24 to 48 hours.' }),
    'merged sections': (base) =>
      revise(base, 'C4', {
        type: 'structure',
        title: 'Users and Goals become one',
        summary: 'Users and Goals are merged into one section.',
      }),
    'no question left': (base) =>
      revise(base, 'C5', {
        summary: 'The pilot has five wards instead of three, and the list of open questions is empty now.',
      }),
    'a higher reach': (base) =>
      conclude(base, {
        rationale: 'The document now favours speed, and the reach rises from 60 to 80 percent of all wards.',
      }),
    'no deadline before': (base) => revise(base, 'C1', { why: 'The old R1 had no deadline at all.' }),
  },
  honest: {
    'the base': (base) => base,
    'one day': (base) => revise(base, 'C1', { summary: 'One day of notice is enough now, where two were needed.' }),
    'six as before': (base) =>
      conclude(base, { rationale: 'There are still six requirements: one goes and one comes.' }),
    'users first': (base) =>
      revise(base, 'C4', {
        summary: 'Readers meet the users before the goals now; not a word of that section is different.',
      }),
    'goes through': (base) =>
      revise(base, 'C1', { summary: 'A swap that nobody answers now goes through instead of being turned down.' }),
    'two more wards': (base) => revise(base, 'C5', { summary: 'Two more wards join the pilot at Northgate Hospital.' }),
    'dates stay': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The start on 4 March, the six weeks of the pilot and the 22 wards after it are as before.',
        },
      }),
    'a gap': (base) =>
      conclude(base, {
        risks: [
          {
            text: 'The numbering jumps from R5 to R7, because R6 is gone and nothing was renumbered.',
            severity: 'low',
          },
        ],
      }),
    'one question left': (base) =>
      revise(base, 'C5', {
        summary: 'Of two open questions one is left, namely who pays for the text messages. The pilot is larger.',
      }),
    'three minutes less': (base) =>
      revise(base, 'C3', {
        summary: 'A swap is to take three minutes less than planned so far; the starting point of 40 minutes stays.',
      }),
    'four goals': (base) =>
      revise(base, 'C3', {
        summary: 'Four goals instead of three; the figures of 60 and 3 percent are not touched.',
      }),
    'not offline': (base) =>
      revise(base, 'C2', {
        summary:
          'The app no longer has to work offline. In return, nurses may take back an offer as long as nobody has accepted it.',
      }),
    'seven sections': (base) =>
      conclude(base, {
        impact: { ...base.impact, arcs: ['The document has the same seven sections in a slightly different order.'] },
      }),
  },
}
