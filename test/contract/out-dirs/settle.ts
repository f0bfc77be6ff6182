import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'

export type Files = Readonly<Record<string, string>>
type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Line = { seq: number; timestamp: string; ms: number; phase: string; status: string; context: Record<string, Json> }

const project = fileURLToPath(new URL('../../../', import.meta.url))
const began = Date.parse('2026-02-13T10:00:00.000Z')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * What differs from one recording to the next becomes the same: folders, the run's id, names, objects of git, times. What is
 * named by its hash gets the hash of what it is then, so that the whole holds together as the program wrote it.
 */
export function settle(raw: Files, root: string, run: string): Files {
  const journal = raw['progress.ndjson'] ?? ''
  const steady = steadier([journal, ...Object.values(raw)].join('\n'), root, run)
  const texts = Object.fromEntries(Object.entries(raw).map(([path, text]) => [path, steady(text)]))
  const { 'progress.ndjson': _, 'result.json': result, ...others } = texts
  const [content, requests] = divide(others, (path) => !/^(?:request[^/]*|inbox\/.*)\.json$/.test(path))
  const renamed = new Map(Object.entries(content).map(([path, text]) => [path, { path: nameOf(path, text), text }]))
  const moved = Object.fromEntries([...renamed.values()].map(({ path, text }) => [path, text]))
  const refit = (value: Json): Json => refitted(value, (path) => renamed.get(path))
  const asked = Object.fromEntries(
    Object.entries(requests).map(([path, text]) => [
      path,
      `${JSON.stringify(refit(timeless(JSON.parse(text))), null, 2)}\n`,
    ]),
  )
  for (const [path, text] of Object.entries(asked)) renamed.set(path, { path, text })
  const request = asked['request.json']
  const lines = linesIn(steady(journal)).map((line) => refit(timeless(line)) as Line)
  const timed = timedLines(lines, request === undefined ? '' : sha256(request))
  return {
    ...moved,
    ...asked,
    ...(timed.length > 0 && { 'progress.ndjson': `${timed.map((line) => JSON.stringify(line)).join('\n')}\n` }),
    ...(result !== undefined && { 'result.json': withTimes(result, timed) }),
  }
}

const linesIn = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json)

function divide(files: Files, first: (path: string) => boolean): [Files, Files] {
  const part = (wanted: boolean): Files =>
    Object.fromEntries(Object.entries(files).filter(([path]) => first(path) === wanted))
  return [part(true), part(false)]
}

function steadier(everything: string, root: string, run: string): (text: string) => string {
  const found = [...new Set(everything.match(/\b[0-9a-f]{40}\b/g))]
  const objects = new Map(found.map((id, index) => [id, createHash('sha1').update(`object ${index}`).digest('hex')]))
  const { username } = userInfo()
  return (text) =>
    text
      .replaceAll(root, '/srv/scarlet')
      .replaceAll(process.execPath, '/usr/bin/node')
      .replace(/[^"\s]*\/node_modules\/node-[^"\s]*\/bin\/node/g, '/usr/bin/node')
      .replaceAll(project, '/usr/lib/pawl/')
      .replaceAll('/usr/lib/pawl/src/', '/usr/lib/pawl/dist/')
      .replaceAll(run, 'run_20260213_abc123')
      .replaceAll(`"by":"${username}"`, '"by":"scarlet"')
      .replaceAll(`"by": "${username}"`, '"by": "scarlet"')
      .replaceAll(`ancelled by ${username}`, 'ancelled by scarlet')
      .replaceAll(`"cancelled_by": "${username}"`, '"cancelled_by": "scarlet"')
      .replace(/\b[0-9a-f]{40}\b/g, (id) => objects.get(id)!)
      .replace(/(Agent time: )[0-9.]+ s/g, '$10.1 s')
}

const nameOf = (path: string, text: string): string =>
  path.replace(/^artifacts\/[0-9a-f]{16}-/, `artifacts/${sha256(text).slice(0, 16)}-`)

type Renamed = (path: string) => { readonly path: string; readonly text: string } | undefined

function refitted(value: Json, renamed: Renamed): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => refitted(item, renamed))
  const found = typeof value.path === 'string' && typeof value.sha256 === 'string' ? renamed(value.path) : undefined
  if (found) return { path: found.path, sha256: sha256(found.text), bytes: Buffer.byteLength(found.text) }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refitted(item, renamed)]))
}

const moments: Readonly<Record<string, Json>> = {
  created: new Date(began).toISOString(),
  retryAt: began + 3_600_000,
  until: began + 3_600_000,
  providerMs: 100,
}

function timeless(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(timeless)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moments[key] ?? timeless(item)]))
}

const usualMs = 10

/** An attempt that ran out of time has used what there was; everything else takes a moment. */
function timedLines(lines: readonly Line[], request: string): Line[] {
  let at = began
  return lines.map((line, index) => {
    const ranOut = line.phase === 'call' && lines[index + 1]?.status === 'timed-out'
    const ms = index === 0 ? 0 : ranOut ? leastBound(lines[0]!) : usualMs
    at += ms
    const pins = line.context.pins as Record<string, Json> | undefined
    const context = pins ? { ...line.context, pins: { ...pins, request } } : line.context
    return { ...line, ms, timestamp: new Date(at).toISOString(), context }
  })
}

function leastBound({ context }: Line): number {
  const { taskMs, activeMs } = context.caps as { taskMs: number; activeMs: number }
  return Math.min(taskMs, activeMs)
}

/** Spent time is the only thing in a result that follows from times. */
function withTimes(text: string, lines: readonly Line[]): string {
  const result = JSON.parse(text) as { spend: Record<string, number> }
  const spent = { active_ms: 0, wait_ms: 0 }
  let waiting = false
  for (const { phase, status, ms } of lines) {
    spent[waiting ? 'wait_ms' : 'active_ms'] += ms
    waiting = phase !== 'wait' && (waiting || (phase === 'decide' && status === 'wait'))
  }
  return `${JSON.stringify({ ...result, spend: { ...result.spend, ...spent } }, null, 2)}\n`
}
