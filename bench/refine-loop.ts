import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/adapters/clock/system.ts'
import { createShell } from '../src/adapters/shell/shell.ts'
import { type FileArtifacts, openArtifacts } from '../src/adapters/stores/files/artifacts.ts'
import { type Disk, realDisk } from '../src/adapters/stores/files/disk.ts'
import { openInbox } from '../src/adapters/stores/files/inbox.ts'
import { openFileJournal } from '../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../src/adapters/stores/files/lease.ts'
import { sealArtifacts } from '../src/adapters/stores/files/sealed-artifacts.ts'
import type { RefinementRun } from '../src/contract/request.ts'
import { general } from '../src/judging/scoring/rubrics/general.ts'
import { runLoop } from '../src/kernel/run.ts'
import { openKeys } from '../src/machine/keys.ts'
import type { Rung } from '../src/modes/refinement/contract/request.ts'
import { refinementPolicy } from '../src/modes/refinement/core/policy.ts'
import { composeRefinement } from '../src/modes/refinement/mode.ts'
import { requestOf, rulesOf, type Wish } from '../src/modes/refinement/start/start.ts'
import type { Model } from '../src/ports/model.ts'
import type { Place } from '../src/run/paths.ts'
import { newRunId } from '../src/run/request.ts'
import { writeResult } from '../src/run/result.ts'
import { steps, task } from './instant-model.ts'
import { neverStop } from './trivial.ts'

export type Durability = 'strict' | 'unsynced'

/**
 * Refinements in one workspace, each in a folder of its own, put together as `execute-run.ts` does it: from sealing what
 * was asked for to the result. One of them is five drafts, each judged, with every line of the log.
 */
export function refineLoops(workspace: string, model: Model, durability: Durability): () => Promise<void> {
  const place = placeIn(workspace)
  const disk = disks[durability]
  const keys = openKeys(place, { make: false })
  const shell = createShell({ secrets: [], isolation: 'off', kill: neverStop.hard, runMark: 'bench' })
  let made = 0

  return async () => {
    made++
    const notices: string[] = []
    const run = `${newRunId(new Date())}-${made}`
    const dir = join(workspace, run)
    mkdirSync(dir)
    const artifacts = sealArtifacts(openArtifacts(dir, disk), { run, key: keys.content })
    const request = await requestFor(place, run, artifacts)
    const lease = acquireLease(dir, { disk })
    const content = { flushContent: artifacts.flush, hasContent: artifacts.has }
    const journal = openFileJournal({ dir, run, lease, disk, ...content })
    try {
      const { work, projection, resultOf } = composeRefinement(request, {
        place,
        current: request,
        dir,
        shell,
        artifacts,
        confined: false,
        models: { instant: model },
        onNotice: (text) => notices.push(text),
      })
      const left = await runLoop({
        run,
        policy: refinementPolicy(request.refinement, request.caps),
        work,
        journal,
        inbox: openInbox(dir, disk),
        clock: systemClock,
        stop: neverStop,
        start: { pins: {} },
        attended: false,
        holdMs: Number.POSITIVE_INFINITY,
        onEvent: (event, view) => projection.onEvent?.(event, view),
        onSaved: (_seq, view) => projection.onSaved(view),
      })
      writeResult(dir, resultOf(left, undefined))
      projection.onLeft(left)
      const { ended, attempts } = left.view.state
      if (ended?.reason !== 'threshold_met' || attempts !== steps || notices.length > 0)
        throw new Error(`${dir} ended as ${ended?.reason} after ${attempts} steps: ${notices.join('; ')}`, {
          cause: left,
        })
    } finally {
      journal.close()
      lease.release()
    }
  }
}

/** Without syncs what was written survives kill -9 as ever; power loss is another matter. */
const disks: Readonly<Record<Durability, Disk>> = {
  strict: realDisk,
  unsynced: {
    ...realDisk,
    fdatasyncSync: () => {},
    fsyncSync: () => {},
    fdatasync: async () => {},
    fsync: async () => {},
  },
}

/** Nothing of the person who measures is read or written. */
const placeIn = (workspace: string): Place => ({
  name: 'pawl',
  cwd: workspace,
  home: workspace,
  env: { PAWL_KEY: randomBytes(32).toString('hex'), XDG_STATE_HOME: join(workspace, 'state') },
})

const rung: Rung = {
  id: 'instant',
  label: 'Instant',
  provider: 'scripted',
  model: 'instant',
  local: true,
  contextTokens: 100_000,
  price: null,
}
const only = [rung.id]

/** The rules of seed 001, with room for drafts of 2 KB and for five of them in a row, and no rests in between. */
const wish: Wish & { branch: null } = {
  name: 'bench',
  brief: { task, context: [] },
  rubric: general,
  rules: rulesOf('sap-0010', {
    tokens: 1_000_000,
    escalateTokens: 1_000_000,
    overheadTokens: 1_000_000,
    retries: steps,
    backOffMs: [],
    phases: { least: 1, most: 1 },
  }),
  ladder: { ladder: [rung], start: rung.id, escalateTo: [], failover: only, judges: only },
  localOnly: true,
  caps: {},
  origins: {},
  common: { sandbox: 'off', env: [], secrets: [] },
  branch: null,
}

async function requestFor(place: Place, run: string, content: FileArtifacts): Promise<RefinementRun> {
  const brief = await content.put('brief.json', JSON.stringify(wish.brief))
  const rubric = await content.put('rubric.json', JSON.stringify(wish.rubric))
  return requestOf(place, run, wish, { brief, rubric })
}
