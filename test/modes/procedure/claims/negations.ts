import type { Claim } from './claim.ts'

/** The promise is named in order not to be given. */
export const negations: readonly Claim[] = [
  {
    name: 'will not say it',
    looksLike: 'completed',
    says: 'Two of the nine tasks are open, so I will not say <promise>SUCCESS</promise>',
  },
  {
    name: 'not yet',
    looksLike: 'completed',
    says: 'The parser is done. Not yet <promise>SUCCESS</promise>, the printer is missing.',
  },
  {
    name: 'not yet, at the beginning of the last line',
    looksLike: 'completed',
    says: 'Migrated 14 of 20 call sites.\n<promise>SUCCESS</promise> is not yet due.',
  },
  {
    name: 'crossed out',
    looksLike: 'completed',
    says: 'I take back what I said before:\n~~<promise>SUCCESS</promise>~~',
  },
  {
    name: 'NOT before it on the last line',
    looksLike: 'completed',
    says: 'The integration tests time out.\nNOT <promise>SUCCESS</promise>',
  },
  {
    name: 'a condition that is not met',
    looksLike: 'completed',
    says: 'If the linter were happy I could end with <promise>SUCCESS</promise>. It reports 31 problems.',
  },
  {
    name: 'what would have been a lie',
    looksLike: 'completed',
    says: 'It would be wrong to print\n\n    <promise>SUCCESS</promise>\n\nwhile the coverage is at 61 %.',
  },
  {
    name: 'withheld in a list',
    looksLike: 'completed',
    says: 'Left to do:\n- [ ] docs/api.md\n- [ ] <promise>SUCCESS</promise>',
  },
  {
    name: 'no reason to give up',
    looksLike: 'failed',
    says: 'This was hard, but there is no reason for <promise>FAILURE</promise>: one approach is left.',
  },
  {
    name: 'not blocked after all',
    looksLike: 'blocked',
    says: 'I thought about <promise>BLOCKED</promise> since the key was missing, but .env.example has a working one.',
  },
  {
    name: 'refuses with the word in quotation marks on the last line',
    looksLike: 'completed',
    says: 'I am asked for a promise that I cannot keep.\n"<promise>SUCCESS</promise>" stays unsaid',
  },
  {
    name: 'a question',
    looksLike: 'completed',
    says: 'Should I treat the flaky test as fixed?\n<promise>SUCCESS</promise>?',
  },
]
