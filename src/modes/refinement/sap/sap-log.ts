import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Projection } from '../../../run/mode.ts'
import { person } from '../../../run/new-run.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { openSapFile } from './sap-file.ts'
import { hidePeople } from './sap-hide.ts'
import { openSapProjection } from './sap-projection.ts'

export type SapLogOptions = {
  readonly machine: Pick<Machine, 'environment' | 'withLock'>
  readonly stored: Pick<StoredRun, 'entry' | 'read'>
  readonly workspace: string
  readonly request: Pick<RefinementRequest, 'taskId' | 'correlationId' | 'branch' | 'ladder'>
  readonly pseudonymOf: (text: string) => string
  readonly onNotice: (text: string) => void
}

/** The seeds' log of a refinement, in its workspace. */
export function openSapLog(options: SapLogOptions): Promise<Projection<unknown>> {
  const { machine, stored, request, pseudonymOf, onNotice } = options
  const { taskId, correlationId, branch, ladder } = request
  const folder = join(options.workspace, 'agent_logs')
  const lock = join(machine.environment.stateFolder, 'logs', hashOf(folder))
  return openSapProjection({
    about: {
      run: stored.entry.id,
      taskId,
      correlationId,
      branch,
      labels: Object.fromEntries(ladder.map(({ id, label }) => [id, label])),
      hide: hidePeople(pseudonymOf, [person()]),
    },
    file: openSapFile(folder, { alone: (action) => machine.withLock(lock, action) }),
    history: async () => (await stored.read()).events,
    onLost: (error) => onNotice(`cannot write ${folder}: ${(error as Error).message}. The run goes on.`),
  })
}

const hashOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)
