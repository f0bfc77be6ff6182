#!/usr/bin/env node
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentStep } from '../../contract/script.ts'
import { changeFiles } from './files.ts'
import { leaveChildren } from './fork.ts'
import { pickStep } from './pick.ts'
import { readScript } from './script.ts'

/** The scripted agent, a real process: `node agent.ts <script.yml>`, with the prompt on stdin. */
async function main(scriptPath: string | undefined): Promise<number> {
  if (!scriptPath) throw new Error('usage: agent.ts <script.yml>')
  const script = readScript(scriptPath)
  const prompt = await readAll(process.stdin)
  const { PAWL_STORY_ID: task, PAWL_ATTEMPT: attempt } = process.env
  const occasion = { task, attempt: attempt ? Number(attempt) : undefined }
  const step = pickStep(script.agent, occasion, `${scriptPath}.count`)
  if (!step) throw new Error(`${scriptPath}: no agent entry fits task ${task} attempt ${attempt}`)
  return play(step, prompt)
}

async function play(step: AgentStep, prompt: Buffer): Promise<number> {
  for (const signal of step.ignore ?? []) process.on(signal, () => {})
  leaveChildren(step.fork ?? [])
  if (step.delay_ms) await delay(step.delay_ms)
  if (step.echo_prompt) await print(process.stdout, prompt)
  if (step.output) await print(process.stdout, step.output)
  if (step.stderr) await print(process.stderr, step.stderr)
  if (step.bytes) await printMany(step.bytes)
  changeFiles(process.cwd(), step)
  report(step)
  if (step.silent_ms) await delay(step.silent_ms)
  if (step.kill_self) process.kill(process.pid, step.kill_self)
  return step.exit ?? 0
}

function report({ usage, limit }: AgentStep): void {
  const file = process.env.PAWL_RESULT_FILE
  if (!file || !(usage || limit)) return
  const told = {
    ...(usage ? { usage: { tokens: usage.tokens ?? null, cost_usd: usage.cost_usd ?? null } } : {}),
    ...(limit ? { limit: { reset_at: Date.now() + limit.reset_in_ms } } : {}),
  }
  writeFileSync(file, JSON.stringify(told))
}

async function readAll(stream: NodeJS.ReadStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function printMany(bytes: number): Promise<void> {
  const line = 'All work and no play makes a dull agent, so it prints this line again and again until it may stop.\n'
  const block = Buffer.from(line.repeat(600))
  for (let left = bytes; left > 0; left -= block.length) await print(process.stdout, block.subarray(0, left))
}

async function print(stream: NodeJS.WriteStream, content: string | Buffer): Promise<void> {
  if (!stream.write(content)) await once(stream, 'drain')
}

try {
  process.exitCode = await main(process.argv[2])
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
