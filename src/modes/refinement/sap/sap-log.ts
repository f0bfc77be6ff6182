import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { LoopEvent } from '../../../contract/event.ts'
import { person } from '../../../run/continue-run.ts'
import { type Place, stateDir } from '../../../run/paths.ts'
import type { Projection } from '../../../run/projection.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { openSapFile } from './sap-file.ts'
import { hidePeople } from './sap-hide.ts'
import { sapProjection } from './sap-projection.ts'

export type SapLogOptions = {
  readonly place: Pick<Place, 'env' | 'home'>
  readonly run: string
  readonly history: () => Iterable<LoopEvent>
  readonly workspace: string
  readonly refinement: Pick<RefinementRequest, 'taskId' | 'correlationId' | 'branch' | 'ladder'>
  readonly pseudonymOf: (text: string) => string
  readonly onNotice: (text: string) => void
}

/** The seeds' log of a refinement, in its workspace. */
export function openSapLog(options: SapLogOptions): Projection {
  const { place, run, history, refinement, pseudonymOf, onNotice } = options
  const { taskId, correlationId, branch, ladder } = refinement
  const folder = join(options.workspace, 'agent_logs')
  const labels = Object.fromEntries(ladder.map(({ id, label }) => [id, label]))
  return sapProjection({
    about: { run, taskId, correlationId, branch, labels, hide: hidePeople(pseudonymOf, [person()]) },
    file: openSapFile(folder, lockFolder(place, folder)),
    history,
    onLost: (error) => onNotice(`cannot write ${folder}: ${(error as Error).message}. The run goes on.`),
  })
}

const lockFolder = (place: Pick<Place, 'env' | 'home'>, folder: string): string =>
  join(stateDir(place), 'logs', createHash('sha256').update(folder).digest('hex').slice(0, 16))
