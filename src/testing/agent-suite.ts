import assert from 'node:assert/strict'
import { findPromise } from '../judging/promise.ts'
import type { AgentReport } from '../ports/agent.ts'
import type { Case } from './journal-suite.ts'

/** Recorded output of a real agent in one scenario. */
export type AgentTranscript = {
  readonly scenario: string
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

export type AgentUnderTest = {
  readonly transcripts: readonly AgentTranscript[]
  /** Plays a transcript to the adapter as live output. */
  play(transcript: AgentTranscript): Promise<AgentReport>
  /** Token counts of the provider, by scenario. */
  readonly tokens: Readonly<Record<string, number>>
  /** Scenarios that look like success in this agent's output, with the reason. */
  readonly gaps?: Readonly<Record<string, string>>
}

type Check = (report: AgentReport) => void

const worked: Check = ({ status, lastMessage, denied, fault }) => {
  assert.deepEqual({ status, denied, fault }, { status: 'ok', denied: 0, fault: undefined })
  assert.equal(findPromise(lastMessage, 'no promise in here'), 'SUCCESS')
}
const unavailable =
  (fault: 'limit' | 'provider'): Check =>
  (report) =>
    assert.deepEqual({ status: report.status, fault: report.fault }, { status: 'unavailable', fault })
const failed =
  (fault?: 'login'): Check =>
  (report) => {
    assert.deepEqual({ status: report.status, fault: report.fault }, { status: 'failed', fault })
    assert.ok(report.detail, 'a failure has a reason')
  }
const denied: Check = ({ status, denied: times }) => {
  assert.equal(status, 'ok')
  assert.ok(times > 0, 'denials are counted')
}
const notDone: Check = ({ status }) => assert.notEqual(status, 'ok')
const noPromise: Check = ({ status, lastMessage, fault }) => {
  assert.deepEqual({ status, fault }, { status: 'ok', fault: undefined })
  assert.equal(findPromise(lastMessage, ''), undefined)
}

/** The expected report of every scenario, for all agents. */
const expected: Readonly<Record<string, Check>> = {
  'writes-file': worked,
  shell: worked,
  'text-only': worked,
  'usage-limit-near': worked,
  echo: noPromise,
  denied,
  'denied-shell': denied,
  'limit-429': unavailable('limit'),
  'limit-long': unavailable('limit'),
  'usage-limit': unavailable('limit'),
  'usage-limit-key': unavailable('limit'),
  'usage-limit-later': unavailable('limit'),
  overloaded: unavailable('provider'),
  'overloaded-529': unavailable('provider'),
  'server-error': unavailable('provider'),
  'cut-stream': unavailable('provider'),
  dropped: unavailable('provider'),
  offline: unavailable('provider'),
  'auth-401': failed('login'),
  'no-login': failed('login'),
  refusal: failed(),
  'bad-request': failed(),
  budget: failed(),
  'max-turns': failed(),
  interrupted: notDone,
  terminated: notDone,
  'limit-patient': notDone,
}

/** The conformance suite of every agent known by name. Plays recorded output of the real programs. */
export function agentSuite({ transcripts, play, tokens, gaps = {} }: AgentUnderTest): Case[] {
  return transcripts.map((transcript) => ({
    name: `${transcript.scenario}${gaps[transcript.scenario] ? ` (not detectable: ${gaps[transcript.scenario]})` : ''}`,
    check: async () => {
      const { scenario } = transcript
      const check = expected[scenario]
      assert.ok(check, `no expectation for the scenario ${scenario}`)
      const report = await play(transcript)
      if (!gaps[scenario]) check(report)
      if (tokens[scenario] !== undefined) assert.equal(report.usage.tokens, tokens[scenario])
    },
  }))
}
