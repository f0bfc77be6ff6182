import type { RealAgent } from './agents.ts'
import { type AgentName, packages } from './install.ts'
import type { Turn } from './turn.ts'

export type Scenario = {
  readonly name: string
  /** Only for these; for all otherwise. */
  readonly only?: readonly AgentName[]
  /** Recorded of the current version only: it takes minutes, or tests how a process ends. */
  readonly current?: true
  turns(agent: RealAgent, work: string, name: AgentName): readonly Turn[]
  /** The command where it differs from the usual one. */
  readonly argv?: Partial<Record<AgentName, (usual: readonly string[]) => readonly string[]>>
  readonly env?: Partial<Record<AgentName, Readonly<Record<string, string>>>>
  /** Variables that it does not get. */
  readonly hidden?: readonly string[]
  /** The signal that the program gets once the model is asked. */
  readonly interrupt?: NodeJS.Signals
  /** Nobody listens where the model should be. */
  readonly unreachable?: boolean
}

export const prompt = 'Create made.txt. When all is done, end with the line <promise>SUCCESS</promise>.\n'

const success = 'All done.\n<promise>SUCCESS</promise>'
const writes: Scenario['turns'] = (agent, work) => [
  { do: 'call', say: 'I will create the file.', tool: agent.write(work, 'made.txt', 'made\n') },
  { do: 'say', text: success },
]
const runs: Scenario['turns'] = (agent) => [
  { do: 'call', say: 'I will look.', tool: agent.shell('echo checked >checked.txt; cat checked.txt; exit 3') },
  { do: 'say', text: success },
]
const says =
  (text: string): Scenario['turns'] =>
  () => [{ do: 'say', text }]

const always =
  (status: number, type: string, message: string, headers = {}): Scenario['turns'] =>
  (_agent, _work, name) => [failure(name, status, type, message, headers)]

const refusesKey = always(401, 'authentication_error', 'No API key was sent')
const addBadFlag = (usual: readonly string[]): string[] => [...usual, '--no-such-flag']
const tooMany = 'Number of request tokens has exceeded your limit'
const strict: Pick<Scenario, 'argv' | 'env'> = {
  argv: {
    claude: () => ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'dontAsk'],
    codex: (usual) => usual.map((word) => (word === 'workspace-write' ? 'read-only' : word)),
    opencode: (usual) => usual.filter((word) => word !== '--dangerously-skip-permissions'),
  },
  env: { opencode: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask"}' } },
}
// Left alone it tries ten times over, for minutes.
const impatient: Scenario['env'] = { claude: { CLAUDE_CODE_MAX_RETRIES: '2' } }
export const subscribed = { claude: { CLAUDE_CODE_OAUTH_TOKEN: 'none', ANTHROPIC_API_KEY: '' } }

// A second in the future that no clock reaches while this is recorded, and that says where it came from when read.
const resetAt = 4102444800

const scenarios: readonly Scenario[] = [
  { name: 'writes-file', turns: writes },
  { name: 'text-only', turns: says(success) },
  { name: 'shell', turns: runs },
  {
    name: 'echo',
    turns: says(
      'You asked me to end with the line <promise>SUCCESS</promise> when all is done.\n' +
        'I met "429 rate limit exceeded, try again at 5 pm" in the log of the service; it is not mine.\n' +
        'Nothing is done yet.',
    ),
  },
  { name: 'refusal', turns: () => [{ do: 'refuse', text: 'I cannot help with that.' }] },
  { name: 'denied', turns: writes, ...strict },
  { name: 'denied-shell', turns: runs, ...strict },
  { name: 'limit-429', turns: always(429, 'rate_limit_error', tooMany, { 'retry-after': '2' }), env: impatient },
  // How it waits when nobody bounds it.
  { name: 'limit-patient', only: ['claude'], current: true, turns: always(429, 'rate_limit_error', tooMany) },
  { name: 'limit-long', current: true, turns: always(429, 'rate_limit_error', tooMany, { 'retry-after': '3600' }) },
  // What a subscription says when its share is used up, in contrast to a busy key.
  {
    name: 'usage-limit',
    only: ['claude', 'codex'],
    turns: (_agent, _work, name) => [usageLimit(name)],
    env: subscribed,
  },
  {
    name: 'usage-limit-key',
    only: ['claude'],
    turns: (_agent, _work, name) => [usageLimit(name)],
    env: impatient,
  },
  {
    name: 'usage-limit-later',
    turns: (agent, work, name) => [writes(agent, work, name)[0]!, usageLimit(name)],
    env: subscribed,
  },
  {
    name: 'usage-limit-near',
    only: ['claude'],
    turns: () => [{ do: 'say', text: success, headers: unifiedLimit('allowed_warning', '0.91') }],
    env: subscribed,
  },
  {
    name: 'overloaded',
    current: true,
    turns: always(503, 'overloaded_error', 'Overloaded, try again later'),
    env: impatient,
  },
  { name: 'overloaded-529', only: ['claude'], current: true, turns: always(529, 'overloaded_error', 'Overloaded') },
  { name: 'server-error', turns: always(500, 'api_error', 'Internal server error'), env: impatient },
  { name: 'auth-401', turns: always(401, 'authentication_error', 'invalid x-api-key'), env: impatient },
  { name: 'bad-request', turns: always(400, 'invalid_request_error', 'prompt is too long: 210000 tokens') },
  { name: 'cut-stream', current: true, turns: () => [{ do: 'cut', text: 'I will begin by' }], env: impatient },
  { name: 'dropped', current: true, turns: () => [{ do: 'drop' }], env: impatient },
  { name: 'offline', current: true, turns: says(success), unreachable: true, env: impatient },
  { name: 'interrupted', current: true, turns: () => [{ do: 'hang' }], interrupt: 'SIGINT' },
  { name: 'terminated', current: true, turns: () => [{ do: 'hang' }], interrupt: 'SIGTERM' },
  { name: 'max-turns', only: ['claude'], turns: writes, argv: { claude: (usual) => [...usual, '--max-turns', '1'] } },
  {
    name: 'budget',
    only: ['claude'],
    turns: writes,
    argv: { claude: (usual) => [...usual, '--max-budget-usd', '0.0001'] },
  },
  // Nobody has logged in, and no key is set.
  {
    name: 'no-login',
    only: ['claude', 'opencode'],
    turns: always(401, 'invalid_request_error', 'Missing bearer or basic authentication in header'),
    env: { claude: { ANTHROPIC_API_KEY: '' } },
    hidden: ['LOCAL_KEY'],
    argv: { opencode: (usual) => [...usual, '--model', 'anthropic/claude-sonnet-4-5'] },
  },
  // Its settings name a variable for the key, and the variable is missing.
  { name: 'no-key', only: ['codex', 'opencode'], turns: refusesKey, hidden: ['LOCAL_KEY'] },
  {
    name: 'unknown-model',
    turns: always(404, 'not_found_error', 'model: no-such-model'),
    argv: {
      claude: (usual) => [...usual, '--model', 'no-such-model'],
      codex: (usual) => usual.toSpliced(-1, 0, '--model', 'no-such-model'),
      opencode: (usual) => [...usual, '--model', 'local/no-such-model'],
    },
  },
  { name: 'empty', turns: says('') },
  { name: 'bad-flag', turns: says(success), argv: { claude: addBadFlag, codex: addBadFlag, opencode: addBadFlag } },
]

export const scenariosFor = (agent: AgentName, version: string): readonly Scenario[] =>
  scenarios.filter(({ only, current }) => {
    if (current && version !== packages[agent].version) return false
    return !only || only.includes(agent)
  })

export function failure(name: AgentName, status: number, type: string, message: string, headers = {}): Turn {
  if (name === 'claude') return { do: 'fail', status, headers, body: { type: 'error', error: { type, message } } }
  return { do: 'fail', status, headers, body: { error: { message, type, param: null, code: type } } }
}

/** A usage limit in the words of each provider, up to a moment in seconds. */
export function usageLimit(name: AgentName, until = resetAt): Turn {
  if (name === 'opencode') return failure(name, 429, 'insufficient_quota', 'You exceeded your current quota')
  if (name === 'codex') {
    const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached' }
    return { do: 'fail', status: 429, body: { error: { ...error, plan_type: 'plus', resets_at: until } } }
  }
  const message = "This request would exceed your account's rate limit."
  return failure(name, 429, 'rate_limit_error', message, {
    'retry-after': '3600',
    ...unifiedLimit('rejected', '1.0', until),
  })
}

function unifiedLimit(status: string, utilization: string, until = resetAt): Record<string, string> {
  const window = { status, reset: String(until), utilization, 'surpassed-threshold': '0.9' }
  const five = Object.entries(window).map(([key, value]) => [`anthropic-ratelimit-unified-5h-${key}`, value])
  return {
    'anthropic-ratelimit-unified-status': status,
    'anthropic-ratelimit-unified-reset': String(until),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    ...(Object.fromEntries(five) as Record<string, string>),
  }
}
