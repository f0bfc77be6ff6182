import { posix } from 'node:path'
import type { Ladder } from '../../../config/models/ladder.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import type { Caps } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { createRunId, formatRequest } from '../../../run/new-run.ts'
import type { Answers, Base, Brief, WritingRequest, WritingRules } from '../contract/request.ts'
import type { OpenProject } from '../project/project.ts'

export type NewIteration = {
  readonly open: OpenProject
  readonly kind: WritingRequest['kind']
  readonly target: string
  readonly brief: Brief
  readonly base: Base
  readonly cull: WritingRequest['cull']
  readonly ladder: Pick<Ladder, 'ladder' | 'start' | 'judges'>
  readonly rules: WritingRules
  readonly answers?: Answers | undefined
  readonly view: WritingRequest['view']
  readonly session: string
  readonly caps: Caps
  readonly origins: Readonly<Record<string, string>>
  readonly common: Pick<Envelope, 'sandbox' | 'env' | 'secrets' | 'notify' | 'bell'>
}

const maxInterruptions = 20

/** Creates the run of an iteration. Its texts are stored with it, so that it can be resumed whatever happens to the files. */
export function createIteration(machine: Machine, wanted: NewIteration): Promise<StoredRun> {
  const { open, ladder } = wanted
  const now = new Date(machine.clock.now())
  const { program, folder } = machine.environment
  const entry = {
    id: createRunId(now),
    mode: 'writing',
    name: open.name,
    workspace: open.studio,
    created: now.toISOString(),
  }
  const [judge = ladder.start, secondJudge = judge] = ladder.judges
  return machine.store.create({
    entry,
    listed: true,
    freeze: async (content) => {
      const request: WritingRequest = {
        kind: wanted.kind,
        project: open.name,
        folder: open.shown,
        target: wanted.target,
        session: wanted.session,
        brief: await content.put('brief.json', JSON.stringify(wanted.brief)),
        base: await content.put('base.json', JSON.stringify(wanted.base)),
        cull: wanted.cull,
        ladder: ladder.ladder,
        writer: ladder.start,
        judge,
        secondJudge,
        describer: judge,
        rules: wanted.rules,
        ...(wanted.answers && { answers: wanted.answers }),
        view: wanted.view,
        debug: posix.join(folder, 'debug', open.name, `iteration_${wanted.target}_${formatStamp(now)}`),
      }
      const envelope: Envelope = {
        contract_version: 2,
        run_id: entry.id,
        mode: entry.mode,
        name: entry.name,
        workspace: entry.workspace,
        created: entry.created,
        invoked_as: program,
        durability: 'strict',
        ...wanted.common,
        caps: { interruptionsInARow: maxInterruptions, ...wanted.caps },
        origins: wanted.origins,
        with: request,
      }
      return { request: formatRequest(envelope) }
    },
  })
}

/** `20251023_193000_123`: a folder name that sorts by time. */
const formatStamp = (date: Date): string =>
  date.toISOString().replace(/[-:]/g, '').replace(/[T.]/g, '_').replace('Z', '')
