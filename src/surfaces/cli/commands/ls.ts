import { storiesOf } from '../../../modes/delivery/start/stories.ts'
import { iterationsBegun } from '../../../modes/procedure/start/state-file.ts'
import { refinementOf } from '../../../modes/refinement/show/report/read.ts'
import type { RefinementReport } from '../../../modes/refinement/show/report/report.ts'
import { sayScore } from '../../../modes/refinement/show/say-score.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import { readRun } from '../../../run/read-run.ts'
import { moment, table } from '../../../show/format.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, options, io }) => {
  const all = listRuns(place)
  const runs = (options.all ? all : all.filter(({ workspace }) => workspace === place.cwd)).map(rowOf)
  io.result({ runs }, () => {
    if (runs.length === 0)
      return [all.length ? 'No run here. Elsewhere: pawl ls --all' : 'No run yet. To see one: pawl demo']
    const rows = runs.map((run) => [
      run.id,
      run.name,
      run.standing,
      didOf(run),
      moment(run.created),
      ...(options.all ? [run.workspace] : []),
    ])
    return table([['RUN', 'NAME', 'STATUS', 'ITERATIONS', 'STARTED (UTC)', ...(options.all ? ['WHERE'] : [])], ...rows])
  })
  return 0
}

function rowOf(run: RunEntry) {
  try {
    const { standing, state } = readRun(run.dir)
    const refinement = state.caps.escalations === undefined ? undefined : refinementOf(run.dir, standing)
    if (refinement) return { ...run, standing, did: scored(refinement) }
    const stories = state.caps.attemptsPerTask === undefined ? [] : storiesOf(run.dir)
    if (stories.length === 0) {
      return { ...run, standing, did: { iterations: iterationsBegun(state), of: state.caps.tasks ?? null } }
    }
    const done = stories.filter(({ status }) => status === 'done').length
    return { ...run, standing, did: { stories: done, of: stories.length } }
  } catch (error) {
    return { ...run, standing: 'damaged', did: null, problem: (error as Error).message }
  }
}

function scored({ bounds, best, rules }: RefinementReport) {
  const { used: iterations, of } = bounds.find(({ name }) => name === 'iterations')!
  const { score, spread } = best?.judged ?? { score: null, spread: null }
  const says = best?.judged ? `${iterations}/${of}, ${sayScore(best.judged, rules)}` : `${iterations}/${of}`
  return { iterations, of, score, spread, says }
}

function didOf(run: ReturnType<typeof rowOf>): string {
  if (!run.did) return run.problem
  if ('says' in run.did) return run.did.says
  if ('stories' in run.did) return `${run.did.stories}/${run.did.of} stories`
  return `${run.did.iterations}${run.did.of === null ? '' : `/${run.did.of}`}`
}
