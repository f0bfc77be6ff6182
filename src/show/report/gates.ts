import type { LoopEvent } from '../../contract/event.ts'

/** The last result of one gate. `log` is the name of its output. */
export type GateResult = {
  readonly gate: number
  readonly command: string | null
  readonly status: 'passed' | 'failed'
  readonly task: string
  readonly attempt: number
  readonly at: number
  readonly log: string
}

/** The failure of the last judged attempt: a gate, or the agent itself. */
export type LastFailure = {
  readonly by: 'gate' | 'agent'
  readonly gate: number | null
  readonly task: string
  readonly attempt: number
  readonly detail: string
  readonly log: string
}

const maxGates = 1000

/** Collects gate results. Gates run in order until one fails, so a verdict implies that all gates before it passed. */
export function createGates() {
  const results = new Map<number, Omit<GateResult, 'command'>>()
  let failure: LastFailure | null = null

  function see(event: LoopEvent): void {
    if (event.type !== 'verdict-reached' || event.verdict.status === 'unavailable') return
    const { status, detail = '', data } = event.verdict
    const fields = toRecord(data)
    const place = { task: event.task ?? '', attempt: event.attempt ?? 0 }
    const failed = fields.by === 'gate' && status === 'failed' ? toCount(fields.gate) : null
    const passed = Math.min(maxGates, status === 'passed' ? (toCount(fields.gates) ?? 0) : (failed ?? 0))
    for (let gate = 0; gate < passed; gate++) put(gate, 'passed')
    if (failed !== null && failed < maxGates) put(failed, 'failed')
    const log = failed === null ? logName(place, 'agent') : logName(place, `gate-${failed + 1}`)
    failure =
      status === 'failed' ? { by: failed === null ? 'agent' : 'gate', gate: failed, ...place, detail, log } : null

    function put(gate: number, how: GateResult['status']): void {
      results.set(gate, { gate, status: how, ...place, at: event.at, log: logName(place, `gate-${gate + 1}`) })
    }
  }

  const list = (commands: readonly string[]): GateResult[] =>
    [...results.values()]
      .sort((a, b) => a.gate - b.gate)
      .map((result) => ({ ...result, command: commands[result.gate] ?? null }))
  return { see, list, failure: () => failure }
}

/** Returns the log name of an attempt's agent or gate. */
export const logName = ({ task, attempt }: { task: string; attempt: number }, what: string): string =>
  `${task}-attempt-${attempt}-${what}.log`

/** Returns `data` as a record, or an empty one: its fields belong to the mode and may be missing. */
export function toRecord(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {}
}

export const toCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null

/** "failed: exit 4". Omits a detail that only repeats the status. */
export const withDetail = ({ status, detail }: { status: string; detail?: string | undefined }): string =>
  detail && detail !== status ? `${status}: ${detail}` : status
