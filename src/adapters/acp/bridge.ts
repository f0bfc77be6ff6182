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
 * `node bridge.ts <command> ...` starts an agent that speaks the Agent Client Protocol, sends it the prompt from stdin,
 * and prints its events as JSON lines. Contract: the bridge exits, whatever the agent does.
 */
async function main([program, ...args]: readonly string[]): Promise<number> {
  if (program === undefined) throw new Error('usage: bridge.ts <command> ...')
  const prompt = await text(process.stdin)
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const stopped = new AbortController()
  // The agent is in the same process group and gets these signals too. If it continues, it is cancelled by protocol.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  stopped.signal.addEventListener('abort', () => void delay(cancelMs).then(() => end(child)))
  // The output is no longer read, so the agent must stop.
  process.stdout.on('error', () => child.kill())
  try {
    await once(child, 'spawn')
    const reason = await converse(openWire(child, drained), { cwd: process.cwd(), prompt, emit }, stopped.signal)
    emit({ type: 'end', reason })
    return reason === 'end_turn' ? 0 : 1
  } catch (error) {
    emit(await describeFailure(child, error as Error))
    return 1
  } finally {
    await end(child)
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>

/** If the agent has exited, its exit code says more than the broken connection. */
async function describeFailure(child: Child, error: Error): Promise<BridgeEvent> {
  if ('code' in error || !(await hasExited(child, exitMs))) return toFailure(error)
  const { exitCode, signalCode } = child
  const how = signalCode ? `ended by ${signalCode}` : `exit ${exitCode}`
  return { type: 'error', message: `the agent exited before it finished (${how})` }
}

async function end(child: Child): Promise<void> {
  child.kill()
  if (await hasExited(child, endMs)) return
  child.kill('SIGKILL')
  await hasExited(child, endMs)
}

async function hasExited(child: Child, withinMs: number): Promise<boolean> {
  const isDone = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  if (!isDone()) await Promise.race([once(child, 'exit'), delay(withinMs, undefined, { ref: false })])
  return isDone()
}

/** How long the agent may take to confirm a cancel, to exit after its last message, and to exit after a signal. */
const [cancelMs, exitMs, endMs] = [2000, 500, 2000]

function emit(event: BridgeEvent): void {
  process.stdout.write(`${JSON.stringify({ ...event, timestamp: Date.now() })}\n`)
}

async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
}

const code = await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  return 2
})
// Exit even if something is still open, such as a pipe held by a stray child.
process.stdout.write('', () => process.exit(code))
