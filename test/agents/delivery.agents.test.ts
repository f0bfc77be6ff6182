import { describe, expect, test, vi } from 'vitest'
import { realAgents } from './agents.ts'
import type { AgentName } from './install.ts'
import { newRealDelivery, proof, type RealDelivery } from './real-delivery.ts'
import type { Options } from './real-place.ts'
import { bothCalls, lastCall, writes } from './real-suite.ts'
import { failure, subscribed, usageLimit } from './scenarios.ts'
import type { Turn } from './turn.ts'

type Subject = {
  readonly name: AgentName
  readonly agent: { readonly mode: string; readonly model_hint: string }
  /** What stands behind --agent. */
  readonly flag: string
  readonly tokens: number
  readonly costUsd: number
  /** A limit that is over soon, in the words of its provider. */
  readonly limit: () => Turn
  readonly env?: Readonly<Record<string, string>>
}

const soon = () => Math.ceil(Date.now() / 1000) + 2
const busy = () => failure('opencode', 429, 'rate_limit_error', 'Rate limit reached', { 'retry-after': '1' })

const subjects: readonly Subject[] = [
  {
    name: 'opencode',
    agent: { mode: 'ralph_fresh', model_hint: 'opencode' },
    flag: 'opencode',
    tokens: bothCalls,
    costUsd: 0.004755,
    limit: busy,
  },
  {
    name: 'codex',
    agent: { mode: 'ralph_fresh', model_hint: 'codex' },
    flag: 'codex',
    tokens: bothCalls,
    costUsd: 0,
    limit: () => usageLimit('codex', soon()),
  },
  {
    name: 'claude',
    agent: { mode: 'ralph_fresh', model_hint: 'claude' },
    flag: 'claude',
    tokens: bothCalls,
    costUsd: 0.00618,
    limit: () => usageLimit('claude', soon()),
    env: subscribed.claude,
  },
  {
    name: 'opencode',
    agent: { mode: 'acp', model_hint: 'opencode acp' },
    flag: 'acp:opencode acp',
    tokens: lastCall,
    costUsd: 0,
    limit: busy,
  },
]

const claim: Turn = { do: 'say', text: 'Done, all tests pass.\n<promise>SUCCESS</promise>' }
const rejected = 'Why the attempt before this one was rejected'

vi.setConfig({ testTimeout: 240_000 })

describe.each(subjects)('$flag as $agent.mode', ({ name, agent, flag, tokens, costUsd, limit, env }) => {
  const begin = (options: Options) => newRealDelivery(name, agent, options)
  const made = (work: string) => writes(name)(work) as readonly Turn[]

  test.each(['off', 'auto'] as const)('carries a story to done, sandbox %s', async (sandbox) => {
    const run = await begin({ turns: writes(name), sandbox })
    const { code, err } = await run.execute()
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(run.result()).toMatchObject({
      status: 'success',
      reason: null,
      run_verification: 'passed',
      next_action: 'open_pr',
      spend: { attempts: 1, tokens, cost_usd: expect.closeTo(costUsd, 6), unknown_calls: 0 },
      sandbox: sandbox === 'auto' ? 'bubblewrap' : 'none',
    })
    expect(story(run)).toMatchObject({ status: 'done', attempts: 1, verification: 'passed', evidence: 'proven' })
    expect(run.git('show', `${run.ref}:made.txt`)).toBe('made')
    expect(run.git('rev-parse', run.ref)).toBe(story(run).commit)
    expect(run.git('log', '--format=%s')).toBe('begin')
    expect(run.provider.calls()).toMatchObject({ model: 2, promptArrived: true })
    expect(run.processes()).toEqual([])
    const page = run.page('attempts/S1-attempt-1.md')
    expect(page).toContain('AC-01: made.txt holds the line made.')
    expect(page).toContain('+made')
    expect(page).toContain(`- passed: "${proof}"`)
    expect(page).toContain(`tokens: ${tokens}`)
    expect(page).toContain(costUsd ? `Cost: $${costUsd}` : 'Cost: unknown')
  })

  test('what it made is a commit on the branch of whoever delivers', async () => {
    const run = await begin({ turns: writes(name) })
    const { code, lines, err } = await run.deliver('--agent', flag, '--trust')
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(lines.at(-1)?.result).toMatchObject({ status: 'success', spend: { attempts: 1, tokens } })
    expect(run.git('log', '--format=%s').split('\n')).toEqual([expect.stringMatching(/^S1: /), 'begin'])
    expect(run.git('show', '--format=', '--name-only', 'HEAD')).toBe('made.txt')
    expect(run.git('status', '--porcelain')).toBe('')
  })

  test('a claim is rejected, and the next attempt is told why', async () => {
    const turns = (work: string) => (holds: (text: string) => boolean) => (holds(rejected) ? made(work) : [claim])
    const run = await begin({ turns })
    expect((await run.execute()).code).toBe(0)
    expect(story(run)).toMatchObject({ status: 'done', attempts: 2, evidence: 'proven' })
    expect(names(run).filter((one) => one.startsWith('verify/'))).toEqual(['verify/failed', 'verify/passed'])
    expect(run.provider.heard(rejected)).toBe(2)
    expect(run.provider.heard(`"${proof}" failed (exit 2)`)).toBe(2)
    expect(run.page('attempts/S1-attempt-1.md')).toContain('Nothing was changed.')
  })

  test('a usage limit in the middle of a story is waited for and costs no attempt', async () => {
    const half = (work: string): Turn => ({
      do: 'call',
      say: 'I begin.',
      tool: realAgents[name].write(work, 'half.txt', 'half\n'),
    })
    const turns = (work: string) => (holds: (text: string) => boolean) =>
      holds('This is attempt 1.') ? [half(work), limit()] : made(work)
    const run = await begin({ turns, ...(env && { env }) })
    const { code, err } = await run.execute()
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(names(run)).toContain('execute/unavailable')
    expect(story(run)).toMatchObject({ status: 'done', attempts: 1, evidence: 'proven' })
    expect(run.result().spend.wait_ms).toBeGreaterThan(0)
    expect(run.git('show', '--format=', '--name-only', run.ref)).toBe('half.txt\nmade.txt')
  })

  test('a login that is missing blocks the run and costs no attempt', async () => {
    const turns = () => [failure(name, 401, 'authentication_error', 'invalid x-api-key')]
    const run = await begin({ turns, env: { CLAUDE_CODE_MAX_RETRIES: '1' } })
    expect((await run.execute()).code).toBe(10)
    expect(run.result()).toMatchObject({
      status: 'blocked',
      reason: 'blocked_dependency',
      next_action: 'unblock',
      detail: expect.stringMatching(/^not logged in \(.*\): .*\blog/),
      spend: { attempts: 0 },
    })
    expect(story(run)).toMatchObject({ status: 'pending', attempts: 0, verification: 'not_run' })
  })
})

const story = (run: RealDelivery) => run.result().stories[0]!
const names = (run: RealDelivery): string[] =>
  run.journal().flatMap(({ story_id, phase, status }) => (story_id === 'S1' ? [`${phase}/${status}`] : []))
