import assert from 'node:assert/strict'
import type { Agent, AgentReport, AgentRequest } from '../ports/agent.ts'
import type { Case } from './journal-suite.ts'

export type AgentPortUnderTest = {
  /** Works and succeeds. */
  readonly working: Agent
  /** Fails by itself. */
  readonly failing: Agent
  /** Works until it is stopped. */
  readonly hanging: Agent
  /** The working folder. */
  readonly cwd: string
}

/** The contract of every implementation of the agent port. Run each case with any test function. */
export function agentPortSuite(make: () => Promise<AgentPortUnderTest>): Case[] {
  const suite: [string, (subject: AgentPortUnderTest) => Promise<void>][] = [
    ['successful work is ok', works],
    ['failed work is a status, not an error', fails],
    ['an abort ends it soon, as interrupted', aborts],
    ['a timeout ends it', timesOut],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await make()) }))
}

const never = new AbortController().signal
const soonMs = 20_000

const createRequest = (cwd: string): AgentRequest => ({
  run: 'suite',
  task: 'iteration-1',
  attempt: 1,
  cwd,
  prompt: { text: 'Do what you always do.\n' },
})

function checkShape({ usage, providerMs, denied, lastMessage }: AgentReport): void {
  for (const amount of [usage.tokens, usage.costUsd]) assert.ok(amount === null || amount >= 0)
  assert.ok(providerMs >= 0 && denied >= 0)
  assert.equal(typeof lastMessage, 'string')
}

async function works({ working, cwd }: AgentPortUnderTest): Promise<void> {
  const report = await working.run(createRequest(cwd), never)
  checkShape(report)
  assert.equal(report.status, 'ok')
}

async function fails({ failing, cwd }: AgentPortUnderTest): Promise<void> {
  const report = await failing.run(createRequest(cwd), never)
  checkShape(report)
  assert.equal(report.status, 'failed')
  assert.ok(report.detail, 'a failure has a reason')
}

async function aborts({ hanging, cwd }: AgentPortUnderTest): Promise<void> {
  const stop = new AbortController()
  const began = performance.now()
  const run = hanging.run(createRequest(cwd), stop.signal)
  setTimeout(() => stop.abort('stopped'), 200)
  const report = await run
  checkShape(report)
  assert.equal(report.status, 'interrupted')
  assert.ok(performance.now() - began < soonMs)
}

async function timesOut({ hanging, cwd }: AgentPortUnderTest): Promise<void> {
  const report = await hanging.run({ ...createRequest(cwd), wallMs: 300 }, never)
  checkShape(report)
  assert.equal(report.status, 'timed-out')
}
