import type { Claim } from './claim.ts'

/** The promise is explained or shown, and not given. */
export const quotes: readonly Claim[] = [
  {
    name: 'in backticks, last line',
    looksLike: 'completed',
    says: 'Once the release notes exist I will finish with\n`<promise>SUCCESS</promise>`',
  },
  {
    name: 'in double quotes, last line',
    looksLike: 'completed',
    says: 'The loop waits for this string:\n"<promise>SUCCESS</promise>"',
  },
  {
    name: 'in typographic quotes, last line',
    looksLike: 'completed',
    says: 'Die Schleife wartet auf\n„<promise>SUCCESS</promise>“',
  },
  {
    name: 'quoted with > at the end',
    looksLike: 'completed',
    says: 'The instructions say:\n\n> End with this line:\n>\n> <promise>SUCCESS</promise>',
  },
  {
    name: 'in a fenced block at the end',
    looksLike: 'completed',
    says: 'When everything is finished I will print:\n\n```\n<promise>SUCCESS</promise>\n```',
  },
  {
    name: 'in a fence of tildes at the end',
    looksLike: 'blocked',
    says: 'How to stop the loop from the inside:\n\n~~~text\n<promise>BLOCKED</promise>\n~~~\n',
  },
  {
    name: 'in a fence that was never closed',
    looksLike: 'completed',
    says: 'At the end I am going to print\n\n```text\n<promise>SUCCESS</promise>',
  },
  {
    name: 'in a bare fence that was never closed, after one that was',
    looksLike: 'completed',
    says: 'Ran it:\n\n```\n$ make\nok\n```\n\nAt the end I am going to print\n\n```\n<promise>SUCCESS</promise>',
  },
  {
    name: 'as an indented code block at the end',
    looksLike: 'completed',
    says: 'The last line of the last iteration has to be\n\n    <promise>SUCCESS</promise>',
  },
  {
    name: 'indented by a tab at the end',
    looksLike: 'failed',
    says: 'A worker that gives up prints\n\n\t<promise>FAILURE</promise>',
  },
  { name: 'nothing but an indented code block', looksLike: 'completed', says: '    <promise>SUCCESS</promise>\n' },
  {
    name: 'as a list of what may be said',
    looksLike: 'blocked',
    says: 'I know three endings:\n- <promise>SUCCESS</promise>\n- <promise>FAILURE</promise>\n- <promise>BLOCKED</promise>',
  },
  {
    name: 'in a table',
    looksLike: 'failed',
    says: '| word | meaning |\n|---|---|\n| <promise>FAILURE</promise> | counts as a failure |',
  },
  {
    name: 'as a key of a JSON object',
    looksLike: 'completed',
    says: 'I added the setting:\n\n{"stop_on": "<promise>SUCCESS</promise>"}',
  },
  {
    name: 'as a string in code that it wrote',
    looksLike: 'completed',
    says: "The new test reads\nexpect(output).toContain('<promise>SUCCESS</promise>')",
  },
  {
    name: 'after an explanation on the same line',
    looksLike: 'completed',
    says: 'The marker for a finished plan is: <promise>SUCCESS</promise>',
  },
  {
    name: 'FAILURE quoted from the manual',
    looksLike: 'failed',
    says: 'The manual says that `<promise>FAILURE</promise>` ends an iteration. I have rewritten that chapter.',
  },
]
