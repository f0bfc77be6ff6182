import type { Claim } from './claim.ts'

/** Who says two things has said nothing. */
export const contradictions: readonly Claim[] = [
  {
    name: 'FAILURE, then SUCCESS',
    looksLike: 'completed',
    says: 'Task 3:\n<promise>FAILURE</promise>\nTask 4:\n<promise>SUCCESS</promise>',
  },
  {
    name: 'SUCCESS, then FAILURE',
    looksLike: 'failed',
    says: '<promise>SUCCESS</promise>\n<promise>FAILURE</promise>',
  },
  {
    name: 'SUCCESS, then BLOCKED',
    looksLike: 'blocked',
    says: 'Code:\n\n<promise>SUCCESS</promise>\n\nDeployment:\n\n<promise>BLOCKED</promise>',
  },
  {
    name: 'BLOCKED, a line of prose, then SUCCESS',
    looksLike: 'completed',
    says: '<promise>BLOCKED</promise>\nUnless you count the mock server, in which case:\n<promise>SUCCESS</promise>',
  },
  {
    name: 'on one line',
    looksLike: 'completed',
    says: 'One of the two:\n<promise>FAILURE</promise><promise>SUCCESS</promise>',
  },
  {
    name: 'with a slash',
    looksLike: 'failed',
    says: 'So it is\n<promise>SUCCESS</promise> / <promise>FAILURE</promise>',
  },
  {
    name: 'all three, as a form that was not filled in',
    looksLike: 'blocked',
    says: 'Choose:\n<promise>SUCCESS</promise>\n<promise>FAILURE</promise>\n<promise>BLOCKED</promise>',
  },
  {
    name: 'a quoted FAILURE of the line before',
    looksLike: 'completed',
    says: 'The sub-task ended with\n    <promise>FAILURE</promise>\nbut I would call it\n<promise>SUCCESS</promise>',
  },
]
