import type { LoopEvent } from '../../contract/event.ts'
import type { Block, Line, Notice, Section, Span, Standing, UnderWay } from '../../contract/show.ts'
import type { Caps } from '../../contract/values.ts'
import type { View } from '../../kernel/policy.ts'
import { judging, type LoopState } from '../../kernel/state.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { formatStanding, toOneLine } from '../../show/format.ts'
import { standingLook } from '../../show/lines.ts'
import { type Origins, updateOrigins } from '../../show/origins.ts'
import { formatReason } from '../../show/reasons.ts'
import { toTexts } from '../../show/report/attempts.ts'
import { toRecord, withDetail } from '../../show/report/gates.ts'
import type { About, LastAttempt, Report, Rule } from '../../show/show.ts'
import { summarizeSpend } from '../../show/spend.ts'
import type { Mode, Program } from '../mode.ts'
import { chooseNextAction, isPaused, startAfresh } from '../next-action.ts'
import { findRequestChange, openRunToRead } from '../open-run.ts'
import { decideStanding, foldRun } from '../read-run.ts'
import type { Run } from '../run.ts'
import { preloadContent } from '../words.ts'
import { findCurrentProblem } from './transcript.ts'

/** The report on a run, as display values. */
export type Reported = {
  /** For programs: the fields common to all modes, and the mode's facts. */
  readonly json: Readonly<Record<string, unknown>>
  /** The status without the name of the run: "failed: reached max iterations". */
  readonly summary: Span
  readonly headline: Line
  /** Id, time and address of the run. */
  readonly place: Line
  readonly sections: readonly Section[]
  readonly why: readonly Block[]
}

/** Reports on a run. `upTo`: its state after that event. */
export async function reportRun(program: Program, stored: StoredRun, upTo?: number): Promise<Reported> {
  const open = await openRunToRead(program, stored)
  return open.use((mode, run) => report(mode, run, program, upTo))
}

async function report<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  { machine }: Program,
  upTo?: number,
): Promise<Reported> {
  const { entry, stored, current } = run
  const owner = await stored.owner()
  const inputs = await mode.load(run)
  const explainer = createExplainer()
  const words = preloadContent(run.content, true)
  const wanted = new Map<string, Parameters<typeof words.load>[0][number]>()
  const view = await foldRun(mode, run, inputs, {
    ...(upTo !== undefined && { upTo }),
    onStep: (event, _before, after) => {
      explainer.see(event)
      for (const ref of mode.show.wants(event, after, current.request)) wanted.set(ref.path, ref)
    },
  })
  await words.load([...wanted.values()])
  const { id, name } = entry
  const about: About<Request, Inputs> = { id, name, request: current.request, inputs, words: words.get }
  const left = explainer.explain(view.state, false).leftBy !== undefined
  const standing = decideStanding(view.state, owner, left)
  const explained = explainer.explain(view.state, standing === 'running')
  const facts = await mode.facts(run, inputs, machine, { view, standing, ...(upTo !== undefined && { upTo }) })
  const bestEffort = current.envelope.durability === 'best-effort'
  const isLost = bestEffort && owner === undefined && !(await stored.isWhole())
  const problem = await findProblem(explained.underWay)
  const full = buildReport(mode, run, { view, standing, explained, facts, isLost, problem })
  const changed = await findRequestChange(stored)
  const notices = [
    ...(changed ? [{ about: 'request', weight: 100, says: changed.message, lines: [] }] : []),
    ...(isLost
      ? [{ about: 'journal-lost', weight: 100, says: `the run is ${journalLost}, and cannot be resumed`, lines: [] }]
      : []),
    ...(problem ? [{ about: 'provider-error', weight: 95, says: problem, lines: [] }] : []),
    ...mode.show.notices(full, about).map((notice) => withPlace(notice, stored)),
  ]
  const { state: _, facts: __, ...shared } = full
  const { address, ...where } = entry
  const own = mode.show.report(full, about)
  const showsQuestion = own.some(({ blocks }) => blocks.some(({ kind }) => kind === 'question'))
  return {
    json: { ...where, dir: address, mode: mode.name, ...shared, lookFirst: notices, ...facts },
    summary: standingLook(standing, formatStanding(standing, full.says)),
    headline: formatHeadline(mode, full, about, view, showsQuestion),
    place: [`${id}, `, ...formatPeriod(full), ', ', path(address)],
    sections: [
      {
        id: 'look-first',
        title: 'LOOK AT FIRST',
        blocks: [{ kind: 'notices', notices: notices.filter((notice) => !showsQuestion || notice.about !== 'asks') }],
      },
      ...own,
    ],
    why: mode.show.why(full, about),
  }

  async function findProblem(underWay: UnderWay | null): Promise<string | null> {
    const agent = mode.commands(current.request).agents[0]?.name
    if (underWay?.doing !== 'attempt' || agent === undefined) return null
    return (await findCurrentProblem({ machine }, stored, { ...underWay, agent })) ?? null
  }
}

/** "2026-02-14 22:00 to 2026-02-14 22:06 UTC": the only place of a report that names the time zone. */
const formatPeriod = ({ startedAt, lastAt }: Pick<Report<unknown>, 'startedAt' | 'lastAt'>): Line =>
  startedAt === null || lastAt === null
    ? ['not started']
    : [{ is: 'at', at: startedAt }, ' to ', { is: 'at', at: lastAt }, ' ', { is: 'zone', at: lastAt }]

const path = (address: string) => ({ is: 'path', path: address }) as const
const withPlace = (notice: Notice, stored: StoredRun): Notice => ({
  ...notice,
  ...(notice.log !== undefined && { log: stored.where(notice.log) }),
})

type Gathered<Memo, Facts> = {
  readonly view: View<Memo>
  readonly standing: Standing
  readonly explained: Explained
  readonly facts: Facts
  /** The run went on after its journal could not be written. */
  readonly isLost: boolean
  readonly problem: string | null
}

const journalLost = 'not recorded to its end, because its journal could not be written'

function buildReport<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  { entry: { id, name } }: Run<Request>,
  { view: { state }, standing, explained, facts, isLost, problem }: Gathered<Memo, Facts>,
): Report<Facts> {
  const { leftBy, ...known } = explained
  const reason = state.ended?.reason ?? state.question?.topic ?? null
  const said = reason && formatReason(mode.reasons, reason, mode.show.setting)
  return {
    id,
    name,
    standing,
    reason,
    says: state.ended ? said! : isLost ? journalLost : openReason(standing, state, said, leftBy),
    ...known,
    problem,
    waitsUntil: (standing === 'waiting' && !state.question && state.wait?.until) || null,
    spend: summarizeSpend(state),
    next: isLost ? startAfresh(name) : (chooseNextAction(id, standing, state) ?? null),
    question: state.question ?? null,
    state,
    facts,
  }
}

/** Describes why a run that has not ended is where it is. */
function openReason(standing: Standing, state: LoopState, topic: string | null, leftBy: string | undefined): string {
  if (standing === 'running') return 'running'
  if (standing === 'crashed') return 'the process ended unexpectedly'
  if (standing === 'waiting' && isPaused(state)) return 'paused'
  if (standing === 'waiting') return topic ? `waiting for an answer: ${topic}` : 'waiting for a limit to reset'
  return leftBy ? `interrupted by ${leftBy}` : 'interrupted'
}

function formatHeadline<Request, Inputs, Memo, Facts>(
  { show }: Mode<Request, Inputs, Memo, Facts>,
  { name, standing, says, underWay, waitsUntil }: Report<Facts>,
  about: About<Request, Inputs>,
  view: View<Memo>,
  showsQuestion: boolean,
): Line {
  if (underWay) return [`${name} is ${show.doing(underWay, about, view)} since `, { is: 'since', at: underWay.since }]
  if (showsQuestion) return [`${name} is waiting for your answer`]
  const until = waitsUntil === null ? [] : [', until ', { is: 'at', at: waitsUntil } as const]
  return [`${name} `, standingLook(standing, formatStanding(standing, toOneLine(says, 200))), ...until]
}

type Explained = Pick<Report<never>, 'rule' | 'last' | 'underWay' | 'origins'> & {
  readonly startedAt: number | null
  readonly lastAt: number | null
  readonly leftBy: string | undefined
}

/** Collects events of a run and then explains why it stopped, waits or asks. */
export function createExplainer() {
  let origins: Origins = {}
  let decided: Extract<LoopEvent, { type: 'decision-made' }> | undefined
  let last: LastAttempt | null = null
  let first: LoopEvent | undefined
  let latest: LoopEvent | undefined
  let began = 0

  function see(event: LoopEvent): void {
    first ??= event
    latest = event
    origins = updateOrigins(origins, event)
    if (event.type === 'attempt-started' || event.type === 'attempt-ended') began = event.at
    if (event.type === 'decision-made') decided = event
    // A chore is only mentioned if it failed.
    if (event.chore && (event.type !== 'attempt-ended' || event.outcome.status === 'ok')) return
    if (event.type === 'attempt-ended') {
      const { task, attempt, outcome } = event
      const denials = readDenials(outcome.data)
      last = { task: task ?? '', attempt: attempt ?? 0, outcome: withDetail(outcome), verdict: null, ...denials }
    }
    if (event.type === 'verdict-reached' && last) last = { ...last, verdict: withDetail(event.verdict) }
  }

  function explain(state: LoopState, isRunning: boolean): Explained {
    const ruled = decided && (state.ended || state.question) ? findRule(decided, state.caps, origins) : null
    return {
      rule: ruled,
      last,
      underWay: isRunning ? findCurrentStep(state, began) : null,
      origins,
      startedAt: first?.at ?? null,
      lastAt: latest?.at ?? null,
      leftBy: latest?.type === 'run-interrupted' ? latest.by : undefined,
    }
  }
  return { see, explain }
}

/** The denied actions that a mode put into its data. */
function readDenials(data: unknown): Pick<LastAttempt, 'denials'> {
  const denials = toTexts(toRecord(data).denials)
  return denials.length > 0 ? { denials } : {}
}

function findCurrentStep(state: LoopState, since: number): UnderWay | null {
  const { task, attempt, running } = state
  if (!task || !(running || judging(state))) return null
  return { doing: running ? 'attempt' : 'evaluate', task: task.id, attempt, since }
}

function findRule(
  { decision, by, seq }: Extract<LoopEvent, { type: 'decision-made' }>,
  caps: Caps,
  origins: Origins,
): Rule {
  const bounds: Readonly<Record<string, number | undefined>> = caps
  const reason = decision.do === 'stop' ? decision.reason : decision.do === 'pause' ? decision.question.topic : null
  return { by, decision: decision.do, reason, bound: bounds[by] ?? null, setBy: origins[by] ?? null, seq }
}
