import type { Claim } from './claim.ts'

/** Words that sound like a usage limit, an outage or a missing login. */
export const limitWords: readonly Claim[] = [
  { name: 'rate limit', looksLike: 'limit', says: 'I added a rate limit of 10 requests a second to the gateway.' },
  { name: 'rate limit exceeded', looksLike: 'limit', says: 'Rate limit exceeded' },
  { name: '429 in prose', looksLike: 'limit', says: 'The stub now answers 429 Too Many Requests on the third call.' },
  { name: '429 alone', looksLike: 'limit', says: '429' },
  { name: 'a file called 429.txt', looksLike: 'limit', says: 'Created fixtures/429.txt and fixtures/retry-after.txt.' },
  { name: 'line 429', looksLike: 'limit', says: 'src/pool.ts:429 leaks a handle; 429 tests ran.' },
  { name: 'a usage limit with a time', looksLike: 'limit', says: 'usage limit reached, resets at 5pm' },
  {
    name: 'the very words of claude',
    looksLike: 'limit',
    says: "You've hit your 5-hour limit · resets Jan 1, 2100, 12am (UTC)",
  },
  {
    name: 'the very words of codex',
    looksLike: 'limit',
    says: 'You’ve hit your usage limit. Upgrade to Pro or try again at Jan 1st, 2100 12:00 AM.',
  },
  { name: 'an older form with a timestamp', looksLike: 'limit', says: 'Claude AI usage limit reached|4102444800' },
  {
    name: 'a package name',
    looksLike: 'limit',
    says: 'Installed limiter@3.0.0, express-rate-limit@8.1.0 and p-limit@7.2.0.',
  },
  { name: 'a heading about quotas', looksLike: 'limit', says: '## Quota exceeded\n\nI documented what happens then.' },
  {
    name: 'a limit event quoted',
    looksLike: 'limit',
    says: 'It sends {"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}} and stops.',
  },
  {
    name: 'a limit event as the whole message',
    looksLike: 'limit',
    says: '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}}',
  },
  { name: 'is_error in prose', looksLike: 'failed', says: 'The reader looks at "is_error": false before "result".' },
  { name: 'is_error true in prose', looksLike: 'failed', says: '{"is_error": true, "error": "rate_limit"}' },
  { name: 'a limit to come', looksLike: 'limit', says: 'I have used 95 % of my weekly limit; retry-after: 3600' },
  { name: 'a context limit', looksLike: 'limit', says: 'Context left until auto-compact: 3 %. Prompt is too long.' },
  { name: 'overloaded', looksLike: 'provider down', says: 'Handled overloaded_error with the same back-off as 529.' },
  { name: 'API Error: 500', looksLike: 'provider down', says: 'API Error: 500 Internal server error' },
  {
    name: 'an error body',
    looksLike: 'provider down',
    says: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  },
  {
    name: 'a lost connection',
    looksLike: 'provider down',
    says: 'stream disconnected before completion: connection reset',
  },
  {
    name: 'reconnecting',
    looksLike: 'provider down',
    says: 'Reconnecting... 5/5 (unexpected status 503 Service Unavailable)',
  },
  {
    name: 'a network code',
    looksLike: 'provider down',
    says: 'connect ECONNREFUSED 127.0.0.1:5432 is gone after the fix.',
  },
  { name: 'no login', looksLike: 'no login', says: 'Not logged in · Please run /login' },
  {
    name: 'no login in prose',
    looksLike: 'no login',
    says: 'The page now shows "Not logged in · Please run /login" to guests.',
  },
  { name: '401', looksLike: 'no login', says: 'GET /me answers 401 Unauthorized without a cookie, as it should.' },
  { name: 'a bad key', looksLike: 'no login', says: 'Invalid API key · Fix external API key' },
  {
    name: 'an expired token',
    looksLike: 'no login',
    says: 'OAuth token has expired. Please obtain a new token or log in.',
  },
  {
    name: 'permission denied',
    looksLike: 'denied',
    says: 'rm: cannot remove "/etc/hosts": Permission denied. As expected.',
  },
  {
    name: 'asks for permission',
    looksLike: 'denied',
    says: 'I need your permission to use Bash. Permission was denied twice.',
  },
  {
    name: 'a rejected tool call in prose',
    looksLike: 'denied',
    says: 'The user rejected permission to use this specific tool call.',
  },
  { name: 'denials as JSON', looksLike: 'denied', says: '{"permission_denials":[{"tool_name":"Write"}]}' },
]
