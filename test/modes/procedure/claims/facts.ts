import type { Claim } from './claim.ts'

/** The words say one thing; the stream they came on, the exit code or the gates say another. */
export const facts: readonly Claim[] = [
  {
    name: 'SUCCESS on stderr alone',
    looksLike: 'completed',
    says: 'Still compiling.\n',
    stderr: '<promise>SUCCESS</promise>\n',
  },
  {
    name: 'BLOCKED on stderr, nothing on stdout',
    looksLike: 'blocked',
    says: '',
    stderr: '<promise>BLOCKED</promise>\n',
  },
  {
    name: 'FAILURE on stderr',
    looksLike: 'failed',
    says: 'Renamed the module.\n',
    stderr: '<promise>FAILURE</promise>\n',
  },
  {
    name: 'a usage limit on stderr, exit 0',
    looksLike: 'limit',
    says: 'Answered from the cache.',
    stderr: 'warning: 429 Too Many Requests, usage limit reached, resets at 5pm\n',
  },
  {
    name: 'a limit event on stderr, exit 0',
    looksLike: 'limit',
    says: 'Ported the first module.',
    stderr: '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}}\n',
  },
  {
    name: 'permission denied on stderr',
    looksLike: 'denied',
    says: 'Listed the logs that I may read.',
    stderr: "ls: cannot open directory '/root': Permission denied\n",
  },
  {
    name: 'a rejected push in the log of a command that failed',
    looksLike: 'denied',
    says: 'The branch has moved; I will rebase first.',
    stderr:
      '2026-11-15T07:06:13.822530Z ERROR codex_core::tools::router: error=exec_command failed for `git push`: ! [rejected] main\n',
  },
  {
    name: 'a command with the word rejected that could not start',
    looksLike: 'denied',
    says: 'No such script; I will write it.',
    stderr:
      "2026-11-15T07:06:14.011201Z ERROR codex_core::tools::router: error=exec_command failed for `/bin/bash -lc 'count rejected orders'`: not found\n",
  },
  {
    name: 'SUCCESS, gates red',
    looksLike: 'completed',
    says: 'Everything works.\n<promise>SUCCESS</promise>',
    gate: 'false',
  },
  { name: 'nothing but SUCCESS, gates red', looksLike: 'completed', says: '<promise>SUCCESS</promise>', gate: 'false' },
  {
    name: 'SUCCESS, exit 1',
    looksLike: 'completed',
    says: 'Everything works.\n<promise>SUCCESS</promise>',
    exitCode: 1,
  },
  { name: 'SUCCESS, exit 137', looksLike: 'completed', says: 'Merged.\n<promise>SUCCESS</promise>', exitCode: 137 },
  {
    name: 'SUCCESS, exit 1 and gates red',
    looksLike: 'completed',
    says: '<promise>SUCCESS</promise>',
    exitCode: 1,
    gate: 'false',
  },
  {
    name: 'a limit in prose, exit 1',
    looksLike: 'limit',
    says: 'Error: 429 Too Many Requests. Your limit resets at 17:00.',
    exitCode: 1,
  },
  {
    name: 'a limit on stderr, exit 1',
    looksLike: 'limit',
    says: '',
    stderr: 'rate_limit_error: retry after 3600 seconds\n',
    exitCode: 1,
  },
  { name: 'no login in prose, exit 1', looksLike: 'no login', says: 'Not logged in · Please run /login', exitCode: 1 },
  {
    name: 'an outage in prose, exit 2',
    looksLike: 'provider down',
    says: 'API Error: 500 overloaded_error',
    exitCode: 2,
  },
  { name: 'nothing at all, exit 0', looksLike: 'completed', says: '' },
  { name: 'blank lines, exit 0', looksLike: 'completed', says: '\n\n   \n\t\n' },
  { name: 'nothing at all, exit 0, gates red', looksLike: 'completed', says: '', gate: 'false' },
]
