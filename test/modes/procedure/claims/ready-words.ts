import type { Claim } from './claim.ts'

/** Words by which other loops are ended. */
export const readyWords: readonly Claim[] = [
  { name: 'all tests pass', looksLike: 'completed', says: 'All tests pass. Nothing is left to do.' },
  { name: 'COMPLETE', looksLike: 'completed', says: 'Plan checked off.\nCOMPLETE' },
  { name: 'a tag that says complete', looksLike: 'completed', says: '<loop-complete/>\n<complete>true</complete>' },
  { name: 'EXIT_SIGNAL', looksLike: 'completed', says: '---STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END---' },
  { name: 'is done', looksLike: 'completed', says: "I'm done. Have a nice day!" },
  { name: 'the bare word', looksLike: 'completed', says: 'SUCCESS' },
  { name: 'the word after a label', looksLike: 'completed', says: 'promise: SUCCESS' },
  { name: 'a promise in prose', looksLike: 'completed', says: 'I promise that this is a success.' },
  { name: 'a green check', looksLike: 'completed', says: '✅ TASK COMPLETE ✅\nReady to merge 🎉' },
  { name: 'a project that is finished', looksLike: 'completed', says: 'project_complete = true; no more work to do' },
  { name: 'exit code 0 in prose', looksLike: 'completed', says: 'make test finished with exit code 0.' },
  { name: 'a JSON status', looksLike: 'completed', says: '{"status":"success","done":true,"passes":true}' },
  {
    name: 'a result event as text',
    looksLike: 'completed',
    says: '{"type":"result","subtype":"success","is_error":false,"result":"<promise>SUCCESS</promise>"}',
  },
  {
    name: 'an end of turn as text',
    looksLike: 'completed',
    says: 'The stream ends with {"type":"turn.completed"} and then {"reason":"stop"}.',
  },
  { name: 'a shell command that would print it', looksLike: 'completed', says: "$ echo '<promise>SUCCESS</promise>'" },
  { name: 'a done marker file', looksLike: 'completed', says: 'I have created .done and touched SUCCESS.' },
]
