import type { Action, Block, Card, Line, Notice, Section, Span, Standing, UnderWay } from '../../contract/show.ts'
import type { RunPayload } from '../../contract/web.ts'
import type { View } from '../../kernel/policy.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { formatStanding, toOneLine } from '../../show/format.ts'
import { standingLook } from '../../show/lines.ts'
import { formatReason } from '../../show/reasons.ts'
import type { About, Report } from '../../show/show.ts'
import { summarizeSpend } from '../../show/spend.ts'
import { createTimeline } from '../../show/timeline.ts'
import { findFirstBound, formatFirstBound } from '../../show/work-live.ts'
import { buildCard } from '../card.ts'
import type { Mode, Program } from '../mode.ts'
import { chooseNextAction, isPaused, startAfresh } from '../next-action.ts'
import { findRequestChange, openRunToRead } from '../open-run.ts'
import { decideStanding, foldRun } from '../read-run.ts'
import type { Run } from '../run.ts'
import { preloadContent } from '../words.ts'
import { createExplainer, type Explained } from './explain.ts'
import { decideSteering } from './steering.ts'
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
  readonly page: PageValues
}

/** Values that only a page draws. */
export type PageValues = Pick<
  RunPayload,
  'notices' | 'bounds' | 'forecast' | 'question' | 'live' | 'timeline' | 'steered' | 'can' | 'seq'
> & { readonly standing: Standing; readonly says: string; readonly next: Action | null; readonly card: Card }

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
  const timeline = createTimeline()
  const words = preloadContent(run.content, true)
  const wanted = new Map<string, Parameters<typeof words.load>[0][number]>()
  const view = await foldRun(mode, run, inputs, {
    ...(upTo !== undefined && { upTo }),
    onStep: (event, _before, after) => {
      explainer.see(event)
      timeline.see(event, after.state)
      for (const ref of mode.show.wants(event, after, current.request)) wanted.set(ref.path, ref)
    },
  })
  await words.load([...wanted.values()])
  const { id, name } = entry
  const about: About<Request, Inputs> = { id, name, request: current.request, inputs, words: words.get }
  const left = explainer.explain(view.state, false).leftBy !== undefined
  const now = decideStanding(view.state, owner, left, run.entry.queued)
  // After an event of the past, the run was at work, whatever became of it.
  const standing = upTo !== undefined && now === 'crashed' ? 'running' : now
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
  const page = buildPage()
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
    page: { ...page, notices },
  }

  function forecast(): PageValues['forecast'] {
    const first = findFirstBound(view.state)
    return first ? { cap: first.cap, says: formatFirstBound(view.state, mode.show) } : null
  }

  function buildPage(): Omit<PageValues, 'notices'> {
    const { state } = view
    const { show } = mode
    const bounds = show.bounds(state, about)
    const now = machine.clock.now()
    const eventAt = explained.underWay?.since ?? full.lastAt ?? now
    const steering = { standing, state, request: current.request, bounds, owned: owner !== undefined }
    return {
      standing,
      says: full.says,
      next: full.next,
      card: buildCard(mode, view, about, { at: full.lastAt ?? now, left }),
      bounds,
      forecast: standing === 'running' ? forecast() : null,
      question: state.question ? show.question(state.question, view, about) : null,
      live: standing === 'running' ? show.live({ view, eventAt, saidAt: eventAt, now }, about) : null,
      timeline: timeline.build((task) => show.task(task, about, view), show.unit, show.planned?.(about, view) ?? []),
      steered: timeline.steered(),
      can: decideSteering(mode, steering),
      seq: state.seq,
    }
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
  if (standing === 'queued') return 'in the queue: the next free worker takes it'
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
