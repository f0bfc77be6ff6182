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
    const rows = runs.map((run) => [
      run.id,
      run.name,
      renderText([standingLook(run.standing, formatStatus(run))], rendering),
      run.card?.progress ?? run.problem ?? '',
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
    const options = { width: rendering.width, headings: 1, shorten: [5, 3, 1], drop: [5, 4, 0, 3] }
    return layoutTable([head, ...rows], options)
  })
  return 0
}

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
  ...(problem !== undefined && { problem }),
})
