import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PawlError } from '../contract/exit.ts'
import { RunRequest } from '../contract/request.ts'
import { type RunEntry, registerRun } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { eventsOf } from './read-run.ts'

export const requestText = (request: RunRequest): string => `${JSON.stringify(request, null, 2)}\n`
export const requestHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What a run was started with must still be what its first event says, or it is not the same run. */
export function readFrozenRequest(dir: string): { request: RunRequest; hash: string } {
  const path = join(dir, 'request.json')
  const text = readFileSync(path, 'utf8')
  const hash = requestHash(text)
  const [first] = eventsOf(dir).take(1)
  if (first?.type === 'run-started' && first.pins.request !== hash) {
    throw new PawlError(30, `${path} is not what this run was started with`, 'Put it back, or start a new run.')
  }
  return { request: RunRequest.parse(JSON.parse(text)), hash }
}

/**
 * Going on with a run runs the commands that it was started with. They are this person's if the index, which no
 * repository can write, knows the hash of the request; otherwise they must be trusted first.
 */
export function checkFrozenTrust(place: Place, run: RunEntry, trusted: boolean): void {
  const { request, hash } = readFrozenRequest(run.dir)
  if (trusted) registerRun(place, { ...run, request: hash })
  if (trusted || run.request === hash) return
  const { agent, gates } = request.procedure
  const commands = [agent.argv.join(' '), ...gates].map((command) => `  ${command}`).join('\n')
  const what = `you did not start this run; going on with it runs:\n${commands}`
  throw new PawlError(10, what, 'If that is fine: the same command with --trust')
}
