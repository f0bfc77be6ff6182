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

/** What failed last, if the last word on an attempt was a failure: a gate, or the agent itself. */
export type LastFailure = {
  readonly by: 'gate' | 'agent'
  readonly gate: number | null
  readonly task: string
  readonly attempt: number
  readonly detail: string
  readonly log: string
}

const mostGates = 1000

/** Gates run in their order up to the first that fails: one verdict tells of all before it. */
export function createGates() {
  const results = new Map<number, Omit<GateResult, 'command'>>()
  let failure: LastFailure | null = null

  function see(event: LoopEvent): void {
    if (event.type !== 'verdict-reached' || event.verdict.status === 'unavailable') return
    const { status, detail = '', data } = event.verdict
    const told = toRecord(data)
    const place = { task: event.task ?? '', attempt: event.attempt ?? 0 }
    const failed = told.by === 'gate' && status === 'failed' ? toCount(told.gate) : null
    const passed = Math.min(mostGates, status === 'passed' ? (toCount(told.gates) ?? 0) : (failed ?? 0))
    for (let gate = 0; gate < passed; gate++) put(gate, 'passed')
    if (failed !== null && failed < mostGates) put(failed, 'failed')
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

/** The name of what a process of an attempt printed: of its agent, or of one of its gates. */
const logName = ({ task, attempt }: { task: string; attempt: number }, what: string): string =>
  `${task}-attempt-${attempt}-${what}.log`

/** What modes put into `data` is theirs: whatever is not plainly there is unknown. */
export function toRecord(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {}
}

export const toCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null

/** A detail that only repeats the status says nothing. */
export const withDetail = ({ status, detail }: { status: string; detail?: string | undefined }): string =>
  detail && detail !== status ? `${status}: ${detail}` : status
