#!/usr/bin/env node
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { BridgeEvent } from '../../ports/bridge.ts'
import { converse, toFailure } from './converse.ts'
import { openWire } from './wire.ts'

/**
 * `node bridge.ts <command> ...`, a program: starts an agent that speaks the Agent Client Protocol, hands it the prompt
 * from stdin, and prints what becomes of it as lines that Pawl reads. Contract: it ends, whatever the agent does.
 */
async function main([program, ...args]: readonly string[]): Promise<number> {
  if (program === undefined) throw new Error('usage: bridge.ts <command> ...')
  const prompt = await text(process.stdin)
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const stopped = new AbortController()
  // They reach the agent as well, which is in the same group; one that goes on is told in its own language.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  stopped.signal.addEventListener('abort', () => void delay(cancelMs).then(() => end(child)))
  // Nobody reads any more: the agent must not work on.
  process.stdout.on('error', () => child.kill())
  try {
    await once(child, 'spawn')
    const reason = await converse(openWire(child, drained), { cwd: process.cwd(), prompt, emit }, stopped.signal)
    emit({ type: 'end', reason })
    return reason === 'end_turn' ? 0 : 1
  } catch (error) {
    emit(await failure(child, error as Error))
    return 1
  } finally {
    await end(child)
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>

/** Where the agent is gone, how it went says more than that nobody answers. */
async function failure(child: Child, error: Error): Promise<BridgeEvent> {
  if ('code' in error || !(await gone(child, exitMs))) return toFailure(error)
  const { exitCode, signalCode } = child
  const how = signalCode ? `ended by ${signalCode}` : `exit ${exitCode}`
  return { type: 'error', message: `the agent ended in the middle of its work (${how})` }
}

async function end(child: Child): Promise<void> {
  child.kill()
  if (await gone(child, endMs)) return
  child.kill('SIGKILL')
  await gone(child, endMs)
}

async function gone(child: Child, withinMs: number): Promise<boolean> {
  const isGone = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  if (!isGone()) await Promise.race([once(child, 'exit'), delay(withinMs, undefined, { ref: false })])
  return isGone()
}

/** How long it may take the agent to tell that it is cancelled, to exit behind its last word, and to end when told. */
const [cancelMs, exitMs, endMs] = [2000, 500, 2000]

function emit(event: BridgeEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
}

const code = await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  return 2
})
// Whatever is still open, such as a pipe that a stray child holds, is no reason to stay.
process.stdout.write('', () => process.exit(code))
