import assert from 'node:assert/strict'
import { type Model, type ModelReply, modelFaults } from '../ports/model.ts'
import type { Case } from './journal-suite.ts'

export type ModelUnderTest = {
  /** Answers every request with a text. */
  readonly answering: Model
  /** Starts a call and never ends it by itself. */
  readonly hanging: Model
  /** Its provider is unreachable or refuses every call. */
  readonly down: Model
}

/** The contract of every model. Run each case with any test function. */
export function modelSuite(make: () => Promise<ModelUnderTest>): Case[] {
  const suite: [string, (subject: ModelUnderTest) => Promise<void>][] = [
    ['an answer is a text with its cost, or null if the cost is unknown', answers],
    ['the text is streamed in pieces that add up to it', streams],
    ['a listener that throws does not end the call', survivesListener],
    ['an abort resolves soon, as failed', aborts],
    ['a call with an aborted signal is not made', startsAborted],
    ['a provider that is down is reported as a fault, not thrown', isDown],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await make()) }))
}

const never = new AbortController().signal
const request = { prompt: 'Say hello.', maxOutputTokens: 100 }
const soonMs = 5000

function checkShape({ status, text, usage, providerMs, sentBytes, fault }: ModelReply): void {
  assert.ok(['ok', 'failed', 'unavailable'].includes(status))
  assert.equal(typeof text, 'string')
  for (const amount of [usage.tokens, usage.costUsd]) assert.ok(amount === null || amount >= 0)
  assert.ok(providerMs >= 0 && sentBytes >= 0)
  if (status === 'ok') assert.equal(fault, undefined)
  else assert.ok(fault && modelFaults.includes(fault), `a call that came to nothing has a fault, not ${fault}`)
  const isNobodysFault = fault === 'limit' || fault === 'provider' || fault === 'login' || fault === 'model'
  assert.equal(status === 'unavailable', isNobodysFault)
}

async function answers({ answering }: ModelUnderTest): Promise<void> {
  const reply = await answering.call(request, never)
  checkShape(reply)
  assert.equal(reply.status, 'ok')
  assert.notEqual(reply.text.trim(), '')
}

async function streams({ answering }: ModelUnderTest): Promise<void> {
  const pieces: string[] = []
  const { text } = await answering.call({ ...request, onText: (piece) => pieces.push(piece) }, never)
  assert.equal(pieces.join(''), text)
}

async function survivesListener({ answering }: ModelUnderTest): Promise<void> {
  const onText = (): never => {
    throw new Error('a listener of somebody')
  }
  assert.equal((await answering.call({ ...request, onText }, never)).status, 'ok')
}

async function aborts({ hanging }: ModelUnderTest): Promise<void> {
  const stop = new AbortController()
  const began = performance.now()
  const call = hanging.call(request, stop.signal)
  setTimeout(() => stop.abort('stopped'), 20)
  const reply = await call
  checkShape(reply)
  assert.deepEqual([reply.status, reply.fault], ['failed', 'stopped'])
  assert.ok(performance.now() - began < soonMs)
}

async function startsAborted({ answering }: ModelUnderTest): Promise<void> {
  const reply = await answering.call(request, AbortSignal.abort('stopped'))
  checkShape(reply)
  assert.equal(reply.fault, 'stopped')
}

async function isDown({ down }: ModelUnderTest): Promise<void> {
  const reply = await down.call(request, never)
  checkShape(reply)
  assert.equal(reply.status, 'unavailable')
}
