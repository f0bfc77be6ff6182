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

const worked: Check = ({ status, lastMessage, denied, fault, worked }) => {
  assert.deepEqual({ status, denied, fault, worked }, { status: 'ok', denied: 0, fault: undefined, worked: true })
  assert.equal(findPromise(lastMessage, 'no promise in here'), 'SUCCESS')
}
const unavailable =
  (fault: 'limit' | 'provider', began = false): Check =>
  (report) => {
    assert.deepEqual({ status: report.status, fault: report.fault }, { status: 'unavailable', fault })
    if (began) assert.equal(report.worked, true)
    else assert.notEqual(report.worked, true)
  }
const failed =
  (worked: boolean, ...faults: readonly (AgentReport['fault'] | undefined)[]): Check =>
  (report) => {
    assert.deepEqual({ status: report.status, worked: report.worked }, { status: 'failed', worked })
    assert.ok(faults.includes(report.fault), `the fault is ${report.fault}`)
    assert.match(report.detail ?? '', /^exit [0-9]+; .*\p{L}{3}/u, 'the agent is quoted')
  }
const denied: Check = ({ status, worked, denied: times }) => {
  assert.deepEqual({ status, worked }, { status: 'ok', worked: true })
  assert.ok(times > 0, 'denials are counted')
}
const notDone: Check = ({ status, worked }) => {
  assert.notEqual(status, 'ok')
  assert.notEqual(worked, true)
}
const noPromise: Check = ({ status, lastMessage, fault, worked }) => {
  assert.deepEqual({ status, fault, worked }, { status: 'ok', fault: undefined, worked: true })
  assert.equal(findPromise(lastMessage, ''), undefined)
}
const notIdle: Check = ({ fault, lastMessage, worked }) => {
  assert.deepEqual({ fault, promise: findPromise(lastMessage, '') }, { fault: undefined, promise: undefined })
  assert.notEqual(worked, false)
}

/** The expected report of every scenario, for all agents and versions. */
const expected: Readonly<Record<string, Check>> = {
  'writes-file': worked,
  shell: worked,
  'text-only': worked,
  'usage-limit-near': worked,
  echo: noPromise,
  empty: notIdle,
  denied,
  'denied-shell': denied,
  'limit-429': unavailable('limit'),
  'limit-long': unavailable('limit'),
  'usage-limit': unavailable('limit'),
  'usage-limit-key': unavailable('limit'),
  'usage-limit-later': unavailable('limit', true),
  overloaded: unavailable('provider'),
  'overloaded-529': unavailable('provider'),
  'server-error': unavailable('provider'),
  'cut-stream': unavailable('provider'),
  dropped: unavailable('provider'),
  offline: unavailable('provider'),
  'auth-401': failed(false, 'login'),
  'no-login': failed(false, 'login', undefined),
  'no-key': failed(false, 'login', undefined),
  'unknown-model': failed(false, undefined),
  'bad-request': failed(false, undefined),
  'bad-flag': failed(false, undefined),
  refusal: failed(true, undefined),
  budget: failed(true, undefined),
  'max-turns': failed(true, undefined),
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
