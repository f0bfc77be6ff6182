import { expect, test } from 'vitest'
import type { ProcedureRequest } from '../../../src/modes/procedure/contract/request.ts'
import { procedurePolicy } from '../../../src/modes/procedure/core/policy.ts'
import { procedureReasons } from '../../../src/modes/procedure/core/reasons.ts'
import { procedureShow } from '../../../src/modes/procedure/show/show.ts'
import { procedureWork } from '../../../src/modes/procedure/work/work.ts'
import type { AgentReport } from '../../../src/ports/agent.ts'
import { chooseEndExit } from '../../../src/run/errors.ts'
import { go } from '../../kernel/harness.ts'
import { lineTexts } from '../../support/render.ts'

const request: ProcedureRequest = {
  phases: { observe: [{ text: 'look' }], orient: [], decide: [], act: [{ text: 'do it' }] },
  context: [],
  gates: ['gate'],
  agent: { name: 'claude', argv: ['claude'] },
  until: 'promise+gates',
  redIsFine: false,
  stuck: false,
}

/** A procedure whose agent always gives this report; counts the gates that run. */
async function play(report: Partial<AgentReport>) {
  let gates = 0
  const nowhere = { put: async () => undefined, adopt: async () => undefined, get: () => Promise.reject(new Error()) }
  const work = procedureWork(request, {
    agent: {
      name: 'claude',
      run: async () => ({
        status: 'failed',
        exitCode: 1,
        usage: { tokens: 0, costUsd: 0 },
        providerMs: 0,
        denied: 0,
        lastMessage: '',
        ...report,
      }),
    },
    shell: {
      run: () => Promise.reject(new Error(`gate ${++gates}`)),
      endLeftovers: async () => 0,
    },
    content: nowhere,
    repository: { look: async () => undefined },
    run: 'r',
    workspace: '/repo',
    env: {},
    folder: '/run',
    file: () => Promise.reject(new Error()),
    readText: () => Promise.reject(new Error()),
    estimateTokens: () => 1,
    onNotice: () => {},
  })
  const policy = procedurePolicy(request, { tasks: 5, failuresInARow: 3 })
  const run = await go(policy, work)
  const event = run.events.at(-1)!
  const about = { id: 'r', name: 'build', request, inputs: null, words: () => undefined }
  const lines = lineTexts(procedureShow.lines({ event, before: run.view, after: run.view }, about)).join('\n')
  return { ...run, gates, lines }
}

test.each([
  ['exits with 1', { status: 'failed' }, 'agent_did_nothing'],
  ['exits with 0', { status: 'ok', exitCode: 0 }, 'agent_did_nothing'],
  ['is not logged in', { status: 'failed', fault: 'login' }, 'not_logged_in'],
] as const)(
  'an agent that did no work and %s blocks the run after one attempt and no gate',
  async (_, report, code) => {
    const detail = 'Invalid API key. Fix external API key'
    const { state, memo, gates, lines } = await play({ ...report, worked: false, detail })
    expect(state.ended).toEqual({ ending: 'blocked', reason: { code } })
    expect([state.attempts, gates, chooseEndExit(procedureReasons, { state, memo })]).toEqual([1, 0, 10])
    expect(lines).toContain(`The agent said: ${detail}`)
    expect(lines).toMatch(/list its name under env in the config\. To check: pawl doctor/)
  },
)

test('what the agent said is one line of bounded length', async () => {
  const { lines } = await play({ worked: false, detail: `first\n${'x'.repeat(1000)}` })
  const said = lines.split('\n').find((line) => line.startsWith('The agent said'))
  expect(said).toMatch(/^The agent said: first x+$/)
  expect(said!.length).toBeLessThan(400)
})

test('an agent that worked and failed, or whose output does not tell, counts as a failure as before', async () => {
  for (const worked of [true, undefined]) {
    const { state } = await play({ worked, detail: 'exit 1' })
    expect(state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'failuresInARow' })
    expect(state.attempts).toBe(3)
  }
})
