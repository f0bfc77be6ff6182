import type { Claim } from './claim.ts'

const noise = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `step ${index}: compiled module_${index % 97}.c`).join('\n')

/** A promise with more after it, or with very much around it. */
export const middles: readonly Claim[] = [
  {
    name: 'then a second thought',
    looksLike: 'completed',
    says: 'All nine tasks are done.\n<promise>SUCCESS</promise>\nWait, the changelog is still empty. I will write it next.',
  },
  { name: 'then one word', looksLike: 'completed', says: 'Done.\n<promise>SUCCESS</promise>\nHm.' },
  {
    name: 'then a closing rule',
    looksLike: 'completed',
    says: 'Summary of this iteration\n<promise>SUCCESS</promise>\n---',
  },
  {
    name: 'then a signature, many blank lines later',
    looksLike: 'completed',
    says: `Ready for review.\n<promise>SUCCESS</promise>${'\n'.repeat(40)}-- \nthe agent`,
  },
  {
    name: 'then what is open',
    looksLike: 'completed',
    says: '<promise>SUCCESS</promise> for the first half.\n\nOpen:\n1. retries\n2. paging',
  },
  {
    name: 'BLOCKED, then unblocked',
    looksLike: 'blocked',
    says: 'The database refuses me.\n<promise>BLOCKED</promise>\n\nSolved: it listens on another port. Going on.',
  },
  {
    name: 'FAILURE, then another way',
    looksLike: 'failed',
    says: '<promise>FAILURE</promise>\n\nNo, the second approach compiled. Committed as "use a queue".',
  },
  {
    name: 'at the beginning of 6,000 lines',
    looksLike: 'completed',
    says: `<promise>SUCCESS</promise>\n${noise(6000)}`,
  },
  {
    name: 'in the midst of 6,000 lines',
    looksLike: 'failed',
    says: `${noise(3000)}\n<promise>FAILURE</promise>\n${noise(3000)}`,
  },
  {
    name: 'at the end of one line of 300,000 characters',
    looksLike: 'completed',
    says: `${'progress '.repeat(33_000)}<promise>SUCCESS</promise>`,
  },
  {
    name: 'before a last line of three million characters that never ends',
    looksLike: 'completed',
    says: `All of it.\n<promise>SUCCESS</promise>\n${'.'.repeat(3_000_000)}`,
    by: ['text'],
  },
  {
    name: 'at the end of a line of three million characters',
    looksLike: 'blocked',
    says: `ready\n${'#'.repeat(3_000_000)}<promise>BLOCKED</promise>`,
    by: ['text'],
  },
]
