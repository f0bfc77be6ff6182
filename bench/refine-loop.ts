import { systemClock } from '../src/adapters/clock/system.ts'
import { openArtifacts } from '../src/adapters/files/artifacts.ts'
import { type Disk, realDisk } from '../src/adapters/files/disk.ts'
import { openInbox } from '../src/adapters/files/inbox.ts'
import { openFileJournal } from '../src/adapters/files/journal.ts'
import { acquireLease } from '../src/adapters/files/lease.ts'
import type { Ref } from '../src/contract/values.ts'
import type { Policy } from '../src/kernel/policy.ts'
import { type Attempt, runLoop, type Work } from '../src/kernel/run.ts'
import type { Artifacts } from '../src/ports/artifacts.ts'
import type { Model, ModelReply } from '../src/ports/model.ts'
import { type Judgement, scoreOf, steps, task } from './instant-model.ts'
import { neverStop } from './trivial.ts'

export type Durability = 'strict' | 'unsynced'

/** One refinement in a folder of its own, from taking the lease to giving it back: five drafts, each judged. */
export const refineLoop =
  (model: Model, durability: Durability) =>
  async (dir: string): Promise<void> => {
    const disk = disks[durability]
    const lease = acquireLease(dir, { disk })
    const artifacts = openArtifacts(dir, disk)
    const journal = openFileJournal({ dir, run: 'bench', lease, disk, flushContent: artifacts.flush })
    try {
      const left = await runLoop<Memo>({
        run: 'bench',
        policy,
        work: workWith(model, artifacts),
        journal,
        inbox: openInbox(dir, disk),
        clock: systemClock,
        stop: neverStop,
        start: { pins: {} },
        attended: false,
        holdMs: 0,
      })
      const { ended, attempts } = left.view.state
      if (ended?.ending === 'completed' && attempts === steps) return
      throw new Error(`${dir} ended as ${JSON.stringify(ended)} after ${attempts} steps`)
    } finally {
      journal.close()
      lease.release()
    }
  }

/** Without syncs what was written survives kill -9 as ever; power loss is another matter. */
const disks: Readonly<Record<Durability, Disk>> = {
  strict: realDisk,
  unsynced: { ...realDisk, fdatasyncSync: () => {}, fsyncSync: () => {} },
}

type Memo = { readonly phase: number; readonly best: { readonly score: number; readonly text: Ref | null } }

/** What a refinement decides, without what it does when things go wrong. */
const policy: Policy<Memo> = {
  name: 'refinement',
  version: 1,
  caps: { attemptsPerTask: steps, tokens: 1_000_000, overheadTokens: 1_000_000, activeMs: 600_000 },
  memo: { phase: 0, best: { score: -1, text: null } },
  fold: (memo, event, { outcome }) => {
    if (event.type === 'decision-made' && event.decision.do === 'settle') return { ...memo, phase: memo.phase + 1 }
    if (event.type !== 'verdict-reached') return memo
    const score = event.verdict.score ?? 0
    return score > memo.best.score ? { ...memo, best: { score, text: outcome?.output ?? null } } : memo
  },
  pick: ({ memo }) =>
    memo.phase === 0
      ? { id: 'phase-1', kind: 'work', via: 'instant' }
      : { do: 'stop', ending: 'completed', reason: 'threshold_met' },
  decide: ({ state }) => (state.verdict?.status === 'passed' ? { do: 'settle', as: 'done' } : { do: 'retry' }),
  whenSpent: (cap) => ({ do: 'stop', ending: 'failed', reason: cap }),
}

function workWith(model: Model, artifacts: Artifacts): Work<Memo> {
  return {
    attempt: async (attempt, { memo }, signal) => {
      const best = memo.best.text ? await textOf(memo.best.text) : ''
      const prompt = `Step ${attempt.attempt}\n${task}\n\n${best}`
      const reply = await model.call({ prompt, maxOutputTokens: attempt.left().tokens }, signal)
      const output = await artifacts.put('draft.md', reply.text)
      await attempt.record(callOf('generate', attempt, reply, output))
      return {
        status: 'ok',
        ...(output && { output }),
        data: { iteration: attempt.attempt, prunedTokens: 0, feedback: 0 },
      }
    },
    evaluate: async (attempt, { state }, signal) => {
      const draft = await textOf(state.outcome!.output!)
      const prompt = `Step ${attempt.attempt}\nJudge how well this answers: ${task}\n\n${draft}`
      const reply = await model.call({ prompt, json: true, maxOutputTokens: attempt.left().overheadTokens }, signal)
      const evidence = await artifacts.put('judgement.json', reply.text)
      await attempt.record({ ...callOf('judge', attempt, reply, evidence), overhead: true })
      const judgement = JSON.parse(reply.text) as Judgement
      const score = scoreOf(judgement)
      const ledger = await artifacts.put('ledger.json', JSON.stringify(judgement.issues))
      const data = {
        raw: score,
        dimensions: judgement.dimensions,
        samples: 1,
        judge: 'instant',
        ledger: ledger ?? null,
      }
      return { status: score >= 80 ? 'passed' : 'failed', score, ...(evidence && { evidence }), data }
    },
  }

  async function textOf(ref: Ref): Promise<string> {
    return Buffer.from(await artifacts.get(ref)).toString('utf8')
  }
}

function callOf(key: 'generate' | 'judge', { via }: Attempt, reply: ModelReply, output: Ref | undefined) {
  const { status, usage, providerMs, sentBytes } = reply
  const data = { role: key, remote: false, bytes: sentBytes }
  return { key, via, status, usage, providerMs, data, ...(output && { output }) }
}
