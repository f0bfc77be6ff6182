import type { Claim } from './claim.ts'

/** Believed although it is not meant: nothing tells these from a promise. The gates still have to be green. */
export const gaps: readonly Claim[] = [
  {
    name: 'an announcement whose last line is the bare promise',
    looksLike: 'completed',
    says: 'One test is still red. As soon as it is green I will write:\n<promise>SUCCESS</promise>',
  },
  {
    name: 'a negation that breaks before the promise',
    looksLike: 'blocked',
    says: 'There is another key in the vault, so this is not\n<promise>BLOCKED</promise>',
  },
  {
    name: 'plain output that ends with the last line of a file, and no word about it',
    looksLike: 'completed',
    says: 'Let me look at the notes.\n$ cat NOTES.md\nLast time:\n<promise>SUCCESS</promise>',
    by: ['text'],
  },
]
