import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain, realDisk } from '../adapters/stores/files/disk.ts'
import { PawlError } from '../contract/exit.ts'
import { RunRequest } from '../contract/request.ts'
import { eventsOf } from './read-run.ts'

export const requestText = (request: RunRequest): string => `${JSON.stringify(request, null, 2)}\n`
export const requestHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** `original` is what the journal's first event vouches for; `current` is what a person has made of it since. */
export type Frozen<Request extends RunRequest = RunRequest> = {
  readonly original: Request
  readonly originalHash: string
  readonly current: Request
  readonly currentHash: string
}

/** What a run was started with must still be what its first event says, or it is not the same run. */
export function readFrozenRequest(dir: string): Frozen {
  const path = join(dir, 'request.json')
  const [original, originalHash] = readRequestFile(path)
  const [first] = eventsOf(dir).take(1)
  if (first?.type === 'run-started' && first.pins.request !== originalHash) {
    throw new PawlError(30, `${path} is not what this run was started with`, 'Put it back, or start a new run.')
  }
  const amended = amendments(dir)
  if (amended === 0) return { original, originalHash, current: original, currentHash: originalHash }
  const [current, currentHash] = readRequestFile(join(dir, amendmentName(amended)))
  return { original, originalHash, current, currentHash }
}

/** Tells processes of this run from those of another one that was given the same name. */
export const runMarkOf = ({ originalHash }: Pick<Frozen, 'originalHash'>): string => originalHash.slice(0, 32)

/** How often a person has changed what the run goes by. */
export function amendments(dir: string): number {
  const numbers = readdirSync(dir).flatMap((name) => /^request\.([1-9][0-9]{0,6})\.json$/.exec(name)?.[1] ?? [])
  return Math.max(0, ...numbers.map(Number))
}

export const amendmentName = (number: number): string => `request.${number}.json`

function readRequestFile(path: string): [RunRequest, string] {
  const text = readText(path)
  const request = RunRequest.safeParse(asJson(text))
  if (request.success) return [request.data, requestHash(text)]
  throw new PawlError(30, `${path} is not a run request: ${request.error.issues[0]?.path.join('.')}`)
}

function readText(path: string): string {
  try {
    return readPlain(realDisk, path, 1 << 20)
  } catch (error) {
    throw new PawlError(30, `cannot read ${path}: ${(error as Error).message}`, 'Without it the run cannot go on.')
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
