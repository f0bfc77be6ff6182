import { type ListedRun, listRuns } from '../../../run/reports/list-runs.ts'
import { formatClockTime, formatMoment, formatZone } from '../../../show/format.ts'
import { standingLook } from '../../../show/lines.ts'
import type { Handler } from '../../terminal/command.ts'
import { createRendering, renderText } from '../../terminal/render.ts'
import { layoutTable } from '../../terminal/table.ts'

export const handle: Handler = async ({ program, options, io }) => {
  const { store, environment } = program.machine
  const all = options.all === true
  const runs = await listRuns(program, all ? {} : { workspace: environment.cwd })
  const elsewhere = runs.length === 0 && !all && (await store.list({ limit: 1 })).length > 0
  io.result({ runs: runs.map(toRow) }, () => {
    if (runs.length === 0)
      return [
        elsewhere
          ? `No runs in this folder. To list all: ${environment.program} ls --all`
          : `No runs yet. To try one: ${environment.program} demo`,
      ]
    const rendering = createRendering(program, undefined, io)
    const shown = options.each === true ? runs.map((run) => ({ run, others: 0 })) : groupRuns(runs)
    const rows = shown.map(({ run, others }) => [
      run.id,
      run.name,
      renderText([standingLook(run.standing, formatStatus(run))], rendering),
      `${run.card?.progress ?? run.problem ?? ''}${others > 0 ? ` (+${others} before, in the same sitting)` : ''}`,
      formatMoment(run.created),
      ...(all ? [run.workspace] : []),
    ])
    const head = [
      'RUN',
      'NAME',
      'STATUS',
      'PROGRESS',
      `STARTED (${formatZone(rendering.now)})`,
      ...(all ? ['WHERE'] : []),
    ]
    const layout = { width: rendering.width, headings: 1, shorten: [5, 3, 1], drop: [5, 4, 0, 3] }
    return layoutTable([head, ...rows], layout)
  })
  return 0
}

/** Ended runs of one group become one row, that of the newest. A run that is open always has its own. */
function groupRuns(runs: readonly ListedRun[]): readonly { readonly run: ListedRun; readonly others: number }[] {
  const rows: { run: ListedRun; others: number }[] = []
  for (const run of runs) {
    const { group } = run.card ?? {}
    const row = rows.find(
      (one) =>
        group !== undefined &&
        one.run.card?.group === group &&
        one.run.workspace === run.workspace &&
        hasEnded(one.run),
    )
    if (row && hasEnded(run)) row.others += 1
    else rows.push({ run, others: 0 })
  }
  return rows
}

const hasEnded = ({ standing }: ListedRun): boolean =>
  ['completed', 'failed', 'blocked', 'cancelled'].includes(standing)

/** Says what a waiting run waits for. */
function formatStatus({ standing, card }: ListedRun): string {
  const waits = standing === 'waiting' ? card?.waits : undefined
  if (!waits) return standing
  if (waits.for === 'resume') return 'paused'
  if (waits.for === 'answer') return 'asking'
  const what = waits.for === 'limit' ? 'usage limit' : 'waiting'
  return waits.until === undefined ? what : `${what} until ${formatClockTime(waits.until).slice(0, 5)}`
}

const toRow = ({ id, address, mode, name, workspace, created, standing, card, problem }: ListedRun) => ({
  id,
  dir: address,
  mode,
  name,
  workspace,
  created,
  standing,
  waits: (standing === 'waiting' && card?.waits) || null,
  did: card?.did ?? null,
  ...(card?.group !== undefined && { group: card.group }),
  ...(problem !== undefined && { problem }),
})
