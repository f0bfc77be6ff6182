import type { Machine } from '../../run/machine.ts'
import type { FactsOptions } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import { collectWork, tailBytes, type WorkFacts } from '../../show/report/collect.ts'
import type { ProcedureRequest } from './contract/request.ts'

/** Collects facts about a procedure from the journal, the stored output and git. */
export async function procedureFacts(
  { entry, stored, original }: Run<ProcedureRequest>,
  { git }: Pick<Machine, 'git'>,
  { standing, upTo }: Pick<FactsOptions<never>, 'standing' | 'upTo'>,
): Promise<WorkFacts> {
  const { events } = await stored.read(upTo === undefined ? {} : { upTo })
  return collectWork({
    events,
    running: standing === 'running',
    gates: original.request.gates,
    changesSince: (base) => git.openRepository(entry.workspace).changesSince(base),
    outputEnd: async (name) => {
      const read = await stored.output(name, -tailBytes)
      return read && new TextDecoder().decode(read.bytes)
    },
    where: (name) => stored.where(name),
  })
}
