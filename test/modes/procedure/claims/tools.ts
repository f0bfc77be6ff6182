import type { Claim } from './claim.ts'

const goesOn = 'I have looked at it. Next I will write the missing test.'

/** A tool printed it: contents of files, output of tests, differences. The agent did not say it. */
export const tools: readonly Claim[] = [
  {
    name: 'a README that explains the promise',
    looksLike: 'completed',
    tool: '$ cat README.md\n# loop\n\nEnd your answer with this line:\n\n<promise>SUCCESS</promise>',
    says: goesOn,
  },
  {
    name: 'the prompt file of another procedure',
    looksLike: 'blocked',
    tool: '$ cat prompts/deploy.md\nWithout a token you print\n<promise>BLOCKED</promise>',
    says: goesOn,
  },
  {
    name: 'a log of the last run',
    looksLike: 'completed',
    tool: '$ tail -3 .pawl/runs/last/attempts/iteration-9-attempt-1-agent.log\nWrote 3 files.\n\n<promise>SUCCESS</promise>',
    says: goesOn,
  },
  {
    name: 'an added line of a diff',
    looksLike: 'completed',
    tool: 'diff --git a/agent.md b/agent.md\n@@ -1,2 +1,3 @@\n Say it at the end:\n+<promise>SUCCESS</promise>',
    says: goesOn,
  },
  {
    name: 'an unchanged line of a diff',
    looksLike: 'failed',
    tool: '@@ -4,3 +4,3 @@\n-old\n+new\n <promise>FAILURE</promise>',
    says: goesOn,
  },
  {
    name: 'output of a test about promises',
    looksLike: 'failed',
    tool: 'ok 1 - reads SUCCESS\nnot ok 2 - reads FAILURE\n  got:\n<promise>FAILURE</promise>\n  wanted: nothing',
    says: goesOn,
  },
  {
    name: 'a search result',
    looksLike: 'completed',
    tool: '$ grep -rhn promise docs\n12:<promise>SUCCESS</promise>\n<promise>SUCCESS</promise>',
    says: goesOn,
  },
  {
    name: 'a commit message',
    looksLike: 'completed',
    tool: 'commit 4be1c02\n\n    finish the parser\n\n    <promise>SUCCESS</promise>',
    says: goesOn,
  },
  {
    name: 'a web page',
    looksLike: 'blocked',
    tool: 'Title: Ralph loops explained\n<promise>BLOCKED</promise>\nShare this article',
    says: goesOn,
  },
  {
    name: 'what another agent answered',
    looksLike: 'completed',
    tool: 'review bot: I agree with the change.\n<promise>SUCCESS</promise>',
    says: 'The review bot is content; I am not. The error path is untested.',
  },
  {
    name: 'an event of a usage limit in a captured stream',
    looksLike: 'limit',
    tool: '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}}',
    says: 'That is the fixture for the limit. I will write the reader against it.',
  },
  {
    name: 'the result event of a failed session in a fixture',
    looksLike: 'limit',
    tool: '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You\'ve hit your limit"}',
    says: goesOn,
  },
  {
    name: "another agent's failed turn in a fixture",
    looksLike: 'limit',
    tool: '{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Try again at 5:00 PM."}}',
    says: goesOn,
  },
  {
    name: 'an error event with a retry-after header in a fixture',
    looksLike: 'limit',
    tool: '{"type":"error","error":{"name":"APIError","data":{"message":"slow","statusCode":429,"isRetryable":true,"responseHeaders":{"retry-after":"3600"}}}}',
    says: goesOn,
  },
  {
    name: 'a refusal of permission in a fixture',
    looksLike: 'denied',
    tool: '{"type":"system","subtype":"permission_denied","tool_name":"Write"}',
    says: goesOn,
  },
  {
    name: 'an answer that the person rejected a tool call, in a log',
    looksLike: 'denied',
    tool: 'The user rejected permission to use this specific tool call.',
    says: goesOn,
  },
  {
    name: 'a web server log',
    looksLike: 'limit',
    tool: '10.0.0.7 "GET /api/items" 429 0\n10.0.0.7 "GET /api/items" 503 0\n10.0.0.7 "GET /me" 401 12\n10.0.0.7 "GET /" 200 512',
    says: 'The client does not back off. I will add a delay between its tries.',
  },
  {
    name: 'a test run that ends with FAILURE',
    looksLike: 'failed',
    tool: 'Running 12 tests\n...F........\nFAILURE: test_login expected 200, got 401\n1 failed, 11 passed',
    says: 'That failure was there before. It is task 7 of the plan.',
  },
]
