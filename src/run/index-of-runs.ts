import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readPlain, realDisk, writeWhole } from '../adapters/stores/files/disk.ts'
import { ProcedureName } from '../contract/config.ts'
import { RunId } from '../modes/delivery/contract/input.ts'
import { type Place, runsDir, stateDir } from './paths.ts'

/** Ids and names become paths, so they are taken only in the shape that this program gives them. */
const Entry = z.object({
  id: RunId,
  dir: z.string(),
  name: ProcedureName,
  workspace: z.string(),
  created: z.iso.datetime(),
  /** The hash of the request that this person has started or trusted. */
  request: z.string().optional(),
})
export type RunEntry = z.infer<typeof Entry>

const folderOf = (place: Place): string => join(stateDir(place), 'runs')

/** One small file per run, so that two starters never meet in one. Losing it loses nothing but the listing. */
export function registerRun(place: Place, entry: RunEntry): void {
  try {
    mkdirSync(folderOf(place), { recursive: true, mode: 0o700 })
    writeWhole(realDisk, join(folderOf(place), `${entry.id}.json`), `${JSON.stringify(entry)}\n`)
  } catch {
    // The run's own folder says the same.
  }
}

export function forgetRun(place: Place, id: string): void {
  rmSync(join(folderOf(place), `${id}.json`), { force: true })
}

/** Runs of this person anywhere, and those that lie in this workspace whoever started them; newest first. */
export function listRuns(place: Place): RunEntry[] {
  const indexed = filesIn(folderOf(place)).flatMap((name) => readEntry(join(folderOf(place), name)))
  const here = filesIn(runsDir(place)).flatMap((id) => readRequest(join(runsDir(place), id)))
  const all = new Map([...here, ...indexed].map((entry) => [entry.id, entry]))
  return [...all.values()]
    .filter(({ dir }) => existsSync(join(dir, 'request.json')))
    .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? 1 : -1))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readEntry(path: string): RunEntry[] {
  try {
    return [Entry.parse(JSON.parse(readPlain(realDisk, path, 1 << 20)))]
  } catch {
    return []
  }
}

/** A run's own folder says the same as its index entry. */
export function readRequest(dir: string): RunEntry[] {
  try {
    const request = JSON.parse(readPlain(realDisk, join(dir, 'request.json'), 1 << 20)) as Record<string, unknown>
    return [Entry.parse({ ...request, id: request.run_id, dir, request: undefined })]
  } catch {
    return []
  }
}
