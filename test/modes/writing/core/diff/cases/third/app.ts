import { change, conclude, type Fixture, revise } from '../case.ts'
import { appAfter, appBefore } from './app-texts.ts'
import { affect, pick } from './edit.ts'

// Held out: written without knowing the rules. A product brief with numbered requirements.

export const app: Fixture = {
  name: 'third app',
  before: appBefore,
  after: appAfter,
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: pick(hunk, 'public gallery'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'uploaded to the public gallery unless the user objects' }],
        before: 'Photos stay on the device unless the user shares them.',
        after: 'Photos are uploaded unless the user objects.',
        facts: [{ entity: 'photos', attribute: 'place', from: 'on the device', to: 'public gallery' }],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Requirement 6',
        title: 'Photos are uploaded by default',
        summary: 'Requirement 6 now uploads photos of loaves to a public gallery unless the user objects.',
        why: 'The gallery needs content.',
      }),
      change({
        id: 'C2',
        hunks: pick(hunk, 'An account with an email address'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'switched on by default' }],
        before: 'No account; crash reports are off by default.',
        after: 'An account is needed; crash reports are on by default.',
        facts: [
          { entity: 'crash reports', attribute: 'default', from: 'switched off', to: 'switched on' },
          { entity: 'account', attribute: 'need', from: 'No account', to: 'An account with an email address' },
        ],
        type: 'fact',
        magnitude: 'major',
        locator: 'Privacy',
        title: 'An account is needed, crash reports are on',
        summary: 'Users need an account with an email address, and crash reports are switched on by default.',
        why: 'Following others needs an account.',
        depends_on: ['C3'],
      }),
      change({
        id: 'C3',
        hunks: pick(hunk, 'follow other bakers'),
        units: ['u1'],
        evidence: [{ side: 'before', quote: 'Recipes can be imported from a web page.' }],
        before: 'Requirement 10 was the import of recipes.',
        after: 'Requirement 10 is about following bakers, requirement 11 about a weekly email.',
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Requirements 10 and 11',
        title: 'Followers and emails replace the import',
        summary: 'The import of recipes is dropped. Users can follow other bakers, and a weekly email is new.',
        why: 'The author wants a social app.',
      }),
      change({
        id: 'C4',
        hunks: pick(hunk, '120 minutes', 'feedings for 90 days'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'by up to 120 minutes' }],
        before: '90 minutes and 30 days.',
        after: '120 minutes and 90 days.',
        facts: [
          { entity: 'step', attribute: 'shift', from: '90 minutes', to: '120 minutes' },
          { entity: 'starter log', attribute: 'duration', from: '30 days', to: '90 days' },
        ],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Requirements 2 and 4',
        title: 'More generous limits',
        summary: 'Steps can be shifted by up to 120 minutes, and the starter log keeps 90 days.',
        why: 'Testers found the limits too tight.',
      }),
      change({
        id: 'C5',
        hunks: pick(hunk, '4.99 euros', '29 June'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'on iOS and Android at the same time' }],
        before: '3.99 euros a month; 15 June, Android later.',
        after: '4.99 euros a month; 29 June on both systems.',
        facts: [
          { entity: 'subscription', attribute: 'monthly price', from: '3.99 euros', to: '4.99 euros' },
          { entity: 'release', attribute: 'date', from: '15 June', to: '29 June' },
        ],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Pricing and Release',
        title: 'A higher price and one release date',
        summary: 'The full collection costs 4.99 euros a month, and both systems are released on 29 June.',
        why: 'The gallery has to be paid for.',
      }),
    ],
    impact: {
      tone: null,
      arcs: ['The app turns from a planner into a social network.'],
      consistency: 'Goals and Team are unchanged.',
    },
    risks: [{ text: 'Uploading photos by default may surprise users.', severity: 'high' }],
    rationale:
      'The brief now describes a social app. Privacy is weaker than before, which should be decided on purpose.',
  }),
  lies: {
    'photos stay private': (base) =>
      revise(base, 'C1', {
        title: 'Clearer words about photos',
        summary: 'Requirement 6 is clearer now: photos still stay on the device unless the user shares them.',
      }),
    'crash reports stay off': (base) =>
      revise(base, 'C2', { after: 'An account is needed; crash reports remain switched off by default.' }),
    'the import is kept': (base) =>
      affect(base, { consistency: 'The import of recipes from a web page is still requirement 10.' }),
    'the wrong requirement': (base) =>
      revise(base, 'C4', { summary: 'Requirement 5 keeps feedings for 90 days instead of 30.' }),
    'the price drops': (base) =>
      revise(base, 'C5', { summary: 'The monthly price drops from 4.99 to 3.99 euros; the release is on 29 June.' }),
    'the yearly price': (base) =>
      revise(base, 'C5', {
        facts: [{ entity: 'subscription', attribute: 'yearly price', from: '29 euros', to: '39 euros' }],
      }),
    'the promise about advertising': (base) =>
      conclude(base, {
        risks: [{ text: 'The promise that there is no advertising has been removed.', severity: 'high' }],
      }),
    'a wrong date': (base) => revise(base, 'C5', { after: '4.99 euros a month; 22 June on both systems.' }),
    'Android still waits': (base) =>
      revise(base, 'C5', {
        summary: 'The release moves to 29 June, and Android still follows eight weeks after iOS.',
      }),
    'the goals are raised': (base) =>
      conclude(base, { rationale: 'The goals were raised to match the new social features.' }),
    'too many requirements': (base) =>
      revise(base, 'C3', { summary: 'The list grows from ten to twelve requirements; the import is dropped.' }),
    'nothing but prices and dates': (base) =>
      conclude(base, { rationale: 'Apart from prices and dates nothing in the brief has changed.' }),
  },
  honest: {
    'opt out': (base) =>
      revise(base, 'C1', {
        title: 'Photos become public by default',
        summary: 'Until now photos left the phone only if somebody shared them; now people have to opt out.',
      }),
    'one euro and two weeks': (base) =>
      revise(base, 'C5', {
        summary:
          'The monthly price rises by one euro, about 25 %, while the yearly price stays at 29 euros. The release is two weeks later.',
      }),
    'two hours': (base) =>
      revise(base, 'C4', {
        summary:
          'Steps can be shifted by two hours instead of one and a half, and the log reaches back three times as far.',
      }),
    'three months': (base) =>
      revise(base, 'C4', {
        summary:
          'The starter log now covers about three months instead of one. The limit for moving a step grows by thirty minutes.',
      }),
    'eleven entries': (base) =>
      revise(base, 'C3', {
        summary:
          'Importing from the web is no longer required. Followers with comments and a weekly email come instead, so the list has eleven entries.',
      }),
    'what stays': (base) =>
      affect(base, {
        consistency:
          'Goals and Team are untouched. Recipes still work offline, three of them are still free, and there is still no advertising.',
      }),
    'no waiting': (base) =>
      revise(base, 'C5', {
        title: 'Android no longer waits',
        summary: 'Android no longer comes eight weeks after iOS: both follow on 29 June. A month costs one euro more.',
      }),
    'six unchanged': (base) =>
      affect(base, { arcs: ['Six of the ten old requirements are unchanged; 2, 4, 6 and 10 are not.'] }),
    trust: (base) =>
      conclude(base, {
        risks: [
          {
            text: 'Asking for an email address and publishing photos by default could cost trust.',
            severity: 'high',
          },
          { text: 'Nothing says who moderates the comments.', severity: 'low' },
        ],
      }),
    'still anonymous': (base) =>
      revise(base, 'C2', {
        summary:
          'Whoever wants to use the app must now register. Crash reports are still anonymous, but users have to switch them off themselves.',
      }),
    'the beta': (base) =>
      affect(base, { consistency: 'The beta is not affected: it still starts on 4 May with 200 testers.' }),
    'a little longer': (base) =>
      conclude(base, {
        rationale:
          'The brief grows by fewer than twenty words, but it changes direction, from a private planner to a social app.',
      }),
  },
}
