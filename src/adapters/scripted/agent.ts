#!/usr/bin/env node
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentStep } from '../../contract/script.ts'
import { leaveChildren } from './fork.ts'
import { readScript } from './script.ts'

/** Throws for a path that leaves the workspace, by `..` or through a symlink. */
function changeFiles(workspace: string, step: AgentStep): void {
  for (const [path, text] of Object.entries(step.write ?? {})) writeFileSync(prepareFile(workspace, path), text)
  for (const [path, text] of Object.entries(step.append ?? {})) appendFileSync(prepareFile(workspace, path), text)
  for (const path of step.delete ?? []) rmSync(resolveInside(workspace, path), { recursive: true, force: true })
}

function prepareFile(workspace: string, path: string): string {
  const file = resolveInside(workspace, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw leavesError(path)
  mkdirSync(dirname(file), { recursive: true })
  return file
}

function resolveInside(workspace: string, path: string): string {
  const file = resolve(workspace, path)
  if (file === resolve(workspace) || leaves(resolve(workspace), file)) throw leavesError(path)
  if (leaves(realpathSync(workspace), realpathSync(nearestFolder(file)))) throw leavesError(path)
  return file
}

function nearestFolder(file: string): string {
  const folder = dirname(file)
  return lstatSync(folder, { throwIfNoEntry: false }) ? folder : nearestFolder(folder)
}

function leaves(workspace: string, file: string): boolean {
  const path = relative(workspace, file)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}

function leavesError(path: string): Error {
  return new Error(`path leaves the workspace: ${path}`)
}

type Occasion = { readonly task: string | undefined; readonly attempt: number | undefined }

/** Returns the first entry whose `when` matches, otherwise the next entry without `when`. The last of those repeats. */
function pickStep(steps: readonly AgentStep[], occasion: Occasion, countFolder: string): AgentStep | undefined {
  const match = steps.find((step) => step.when && matches(step.when, occasion))
  if (match) return match
  const plain = steps.filter((step) => !step.when)
  if (plain.length < 2) return plain[0]
  return plain[Math.min(takeNumber(countFolder), plain.length) - 1]
}

function matches(when: NonNullable<AgentStep['when']>, { task, attempt }: Occasion): boolean {
  if (when.task !== undefined && when.task !== task) return false
  return when.attempt === undefined || when.attempt === attempt
}

/** Returns 1, 2, 3 and so on. Creating a file is atomic, so no two processes get the same number. */
export function takeNumber(folder: string): number {
  mkdirSync(folder, { recursive: true })
  for (let number = readdirSync(folder).length + 1; ; number += 1) {
    try {
      closeSync(openSync(join(folder, String(number)), 'wx'))
      return number
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Runs the scripted agent as a real process: `node agent.ts <script.yml>`, with the prompt on stdin. */
async function main(scriptPath: string | undefined): Promise<number> {
  if (!scriptPath) throw new Error('usage: agent.ts <script.yml>')
  const script = readScript(scriptPath)
  const prompt = await readAll(process.stdin)
  const { PAWL_STORY_ID: task, PAWL_ATTEMPT: attempt } = process.env
  const occasion = { task, attempt: attempt ? Number(attempt) : undefined }
  const step = pickStep(script.agent, occasion, `${scriptPath}.count`)
  if (!step) throw new Error(`${scriptPath}: no agent entry matches task ${task} attempt ${attempt}`)
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
  const result = {
    ...(usage ? { usage: { tokens: usage.tokens ?? null, cost_usd: usage.cost_usd ?? null } } : {}),
    ...(limit ? { limit: { reset_at: Date.now() + limit.reset_in_ms } } : {}),
  }
  writeFileSync(file, JSON.stringify(result))
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
