import type { Claim } from './claim.ts'

/** Words that sound like having failed or being blocked. */
export const failureWords: readonly Claim[] = [
  { name: 'has failed', looksLike: 'failed', says: 'I failed to reproduce the bug twice, then found it in the cache.' },
  { name: 'only that', looksLike: 'failed', says: 'I failed.' },
  { name: 'FAILURE', looksLike: 'failed', says: 'FAILURE' },
  {
    name: 'names of tests',
    looksLike: 'failed',
    says: 'New tests: test_FAILURE_is_counted, test_on_failure_retries, FAILURE_MODES.',
  },
  {
    name: 'FAILED in capitals',
    looksLike: 'failed',
    says: 'FAILED tests/test_api.py::test_limits - AssertionError\nFixed since.',
  },
  { name: 'an error line', looksLike: 'failed', says: 'Error: something went wrong\n    at main (index.js:3:9)' },
  { name: 'fatal of git', looksLike: 'failed', says: 'fatal: not a git repository' },
  {
    name: 'a stack trace',
    looksLike: 'failed',
    says: 'Traceback (most recent call last):\n  File "x.py", line 1\nKeyError: "id"',
  },
  {
    name: 'exit code 1 in prose',
    looksLike: 'failed',
    says: 'The old script ended with exit code 1; the new one does not.',
  },
  { name: 'FAILURE as a promise in prose', looksLike: 'failed', says: 'My promise: FAILURE is not an option.' },
  { name: 'a status field', looksLike: 'failed', says: '{"status":"failed","error":"tests are red"}' },
  { name: 'gives up on one thing', looksLike: 'failed', says: 'I give up on the regex and parse by hand instead.' },
  { name: 'BLOCKED', looksLike: 'blocked', says: 'BLOCKED' },
  { name: 'a status of BLOCKED', looksLike: 'blocked', says: 'STATUS: BLOCKED\nREASON: waiting for the design team' },
  {
    name: 'a thread that is blocked',
    looksLike: 'blocked',
    says: 'Worker 3 was BLOCKED on a mutex; the dump shows it.',
  },
  {
    name: 'blocked requests',
    looksLike: 'blocked',
    says: 'The firewall page says "Request BLOCKED". I whitelisted the host.',
  },
  { name: 'needs a person', looksLike: 'blocked', says: 'I need human input before I can continue. Please advise!' },
  { name: 'a tag of another loop', looksLike: 'blocked', says: '<loop-blocked>no credentials</loop-blocked>' },
]
