import { change, conclude, type Fixture, revise } from './case.ts'

// Requirements of a product: one Markdown file with numbered requirements.

const text = `# Shared Lists

## Goals

People in one household keep one shopping list. The list is the same on every phone within five seconds.

## Requirements

- R1: A person can create a list and give it a name of at most 60 characters.
- R2: A person can invite up to 5 others by a link. The link is valid for 24 hours.
- R3: An item that two people check at the same time is checked once.
- R4: The app works offline. Changes are sent when the connection returns.
- R5: A deleted item can be restored for 30 days.

## Non-goals

Payments and delivery are not part of this product.

## Metrics

- 40 % of invited people join a list within a week.
- The median time from change to display is below 2 seconds.
`

export const requirements: Fixture = {
  name: 'requirements',
  before: { 'requirements.md': text },
  after: {
    'requirements.md': text
      .replace('within five seconds', 'within two seconds')
      .replace(
        'up to 5 others by a link. The link is valid for 24 hours.',
        'up to 12 others by a link. The link is valid for 72 hours and can be revoked.',
      )
      .replace(
        '- R5: A deleted item can be restored for 30 days.\n',
        '- R5: A deleted item can be restored for 30 days.\n- R6: A person can leave a list at any time. Their items stay.\n- R7: The owner can remove a person from the list.\n',
      )
      .replace('below 2 seconds', 'below 1 second')
      .replace('\n## Non-goals\n\nPayments and delivery are not part of this product.\n', ''),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('within two seconds'), hunk('below 1 second')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Goals and Metrics',
        title: 'Faster sync: two seconds, median below one',
        summary: 'The goal drops from five seconds to two, and the median from 2 seconds to 1.',
        before: 'Lists agree within five seconds.',
        after: 'Lists agree within two seconds.',
        why: 'The request asks for lists that feel immediate.',
        facts: [{ entity: 'list', attribute: 'time to agree', from: 'five seconds', to: 'two seconds' }],
        evidence: [{ side: 'after', quote: 'The list is the same on every phone within two seconds.' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('up to 12 others')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'R2',
        title: 'R2: larger households and links that can be revoked',
        summary: 'Up to 12 people instead of 5 can be invited; links last 72 hours and can be revoked.',
        before: 'At most 5 invitations, valid for 24 hours.',
        after: 'At most 12 invitations, valid for 72 hours, revocable.',
        why: 'Shared flats are larger than families.',
        facts: [{ entity: 'invitation', attribute: 'limit', from: '5', to: '12' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('R6: A person can leave')],
        units: ['u1'],
        type: 'add',
        magnitude: 'moderate',
        locator: 'Requirements',
        title: 'R6 and R7: leaving and removing',
        summary: 'Two requirements are added: people can leave a list, and the owner can remove people.',
        before: 'Nobody can leave a list.',
        after: 'People can leave or be removed; items stay.',
        why: 'Larger groups change.',
        depends_on: ['C2'],
      }),
      change({
        id: 'C4',
        hunks: [hunk('Payments and delivery')],
        units: ['u1'],
        type: 'remove',
        magnitude: 'minor',
        locator: 'Non-goals',
        title: 'The section on non-goals is removed',
        summary: 'Payments and delivery are no longer excluded by name.',
        before: 'Payments and delivery are excluded.',
        after: 'Nothing is excluded by name.',
        why: 'It was obvious.',
        evidence: [{ side: 'before', quote: 'Payments and delivery are not part of this product.' }],
      }),
    ],
    impact: { tone: null, arcs: [], consistency: 'R1, R3, R4 and R5 are unchanged.' },
    risks: [{ text: 'A median below 1 second may not be possible on slow connections.', severity: 'high' }],
    rationale: 'The product now serves groups, not only families.',
  }),
  lies: {
    'a limit of twenty': (base) =>
      revise(base, 'C2', { summary: 'Up to 20 people can be invited, and links last 72 hours.' }),
    'three new requirements': (base) =>
      revise(base, 'C3', { title: 'Three new requirements', summary: 'Three requirements are added.' }),
    'R4 was removed': (base) =>
      revise(base, 'C4', {
        title: 'R4 and the non-goals are removed',
        summary: 'Offline use (R4) was removed together with the non-goals.',
      }),
    'nothing in the metrics changed': (base) =>
      conclude(base, { rationale: 'The product now serves groups. The metrics are unchanged.' }),
    'the wrong direction of a number': (base) =>
      revise(base, 'C1', {
        summary: 'The median is raised from 1 second to 2 seconds.',
        facts: [{ entity: 'median', attribute: 'time', from: '1 second', to: '2 seconds' }],
      }),
    'a new section': (base) =>
      revise(base, 'C3', {
        title: 'A new section on privacy',
        summary: 'A section on privacy is added with two requirements.',
      }),
    'a quote of a promise': (base) =>
      revise(base, 'C1', { evidence: [{ side: 'after', quote: 'The list is the same on every phone at once.' }] }),
    'the document shrank': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'The document is 30 % shorter than before.' } }),
    'an unknown unit': (base) => revise(base, 'C4', { units: ['u4'] }),
  },
  honest: {
    'the base': (base) => base,
    'percent and numbers that stay': (base) =>
      conclude(base, {
        rationale:
          'The product now serves groups of up to 12. The target of 40 % is kept, and so is the limit of 60 characters.',
      }),
    'R numbers that are unchanged': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'R3 still settles conflicts, and R5 keeps its 30 days.' },
      }),
    'number words for digits': (base) =>
      revise(base, 'C2', {
        summary: 'Twelve people instead of five can be invited, for three days instead of one.',
        after: 'Twelve invitations, valid for 72 hours.',
      }),
    'a cut section': (base) =>
      revise(base, 'C4', {
        title: 'Non-goals cut',
        summary: 'One section is gone: the exclusion of payments and delivery.',
        locator: 'Non-goals',
      }),
    'a longer list': (base) => revise(base, 'C3', { summary: 'The list of requirements grows from five to seven.' }),
  },
}
