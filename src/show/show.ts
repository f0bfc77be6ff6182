import type { z } from 'zod'
import type { LoopEvent, Outcome, Question, Verdict } from '../contract/event.ts'
import type { ExitCode } from '../contract/exit.ts'
import type { Progress } from '../contract/progress.ts'
import type { Reason } from '../contract/reasons.ts'
import type {
  Action,
  Block,
  Bound,
  Card,
  Line,
  Live,
  Notice,
  Output,
  QuestionShown,
  Section,
  Standing,
  UnderWay,
} from '../contract/show.ts'
import type { CapName, Json, Ref, Usage } from '../contract/values.ts'
import type { View } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'
import type { Spend } from './spend.ts'

export type Reasons<Memo> = Readonly<Record<string, ReasonRule<Memo>>>
export type ReasonRule<Memo> = {
  /** Schemas of the fields besides the code. */
  readonly fields: z.ZodRawShape
  /** The exit code of a stop; a function if it depends on the run. Waits and questions have none. */
  readonly exit?: ExitCode | ((view: View<Memo>) => ExitCode)
  readonly text: string | ((reason: Reason, setting: (cap: CapName) => string) => string)
}

/** Input of lines and reports besides the view. `words` returns content requested by `wants`, parsed; undefined if it may not be shown. */
export type About<Request, Inputs> = {
  readonly id: string
  readonly name: string
  readonly request: Request
  readonly inputs: Inputs
  words(ref: Ref): Json | undefined
}

/** The part of a report common to all modes, from the journal alone. `show --json` prints it without `state`, and adds the facts. */
export type Report<Facts> = {
  readonly id: string
  readonly name: string
  readonly standing: Standing
  /** Why the run ended or asks; null otherwise. */
  readonly reason: Reason | null
  /** The reason as a sentence. */
  readonly says: string
  readonly rule: Rule | null
  readonly last: LastAttempt | null
  readonly underWay: UnderWay | null
  /** The error that the running attempt reported last, if it has done nothing since. */
  readonly problem: string | null
  /** When the current wait ends. */
  readonly waitsUntil: number | null
  readonly spend: Spend
  /** The action that continues the run, if there is one. */
  readonly next: Action | null
  readonly startedAt: number | null
  readonly lastAt: number | null
  /** The source of each cap. */
  readonly origins: Readonly<Record<string, string>>
  readonly question: Question | null
  readonly state: LoopState
  readonly facts: Facts
}
/** The rule that decided, where it was set, and the event that records the decision. */
export type Rule = {
  readonly by: string
  readonly decision: string
  readonly reason: Reason | null
  readonly bound: number | null
  readonly setBy: string | null
  readonly seq: number
}
export type LastAttempt = {
  readonly task: string
  readonly attempt: number
  readonly outcome: string
  readonly verdict: string | null
  /** Actions that the agent was denied: tool and argument. */
  readonly denials?: readonly string[]
}

/** How a mode displays its runs. Pure: no clock, no content, no terminal. A terminal and a page render the same values. */
export type Show<Request, Inputs, Memo, Facts> = {
  /** The mode's name for a task: iteration, story, phase. */
  readonly unit: { readonly one: string; readonly many: string }
  /** The setting that people know a cap by: `max_iterations`. */
  setting(cap: CapName): string
  task(id: string, about: About<Request, Inputs>, view: View<Memo>): string
  /** Tasks that are known before they begin, in order. */
  planned?(about: About<Request, Inputs>, view: View<Memo>): readonly { readonly id: string; readonly title: string }[]
  /** The current activity, to follow "is": "running iteration 2". The renderer adds the duration. */
  doing(underWay: UnderWay, about: About<Request, Inputs>, view: View<Memo>): string
  /** Content that the lines of this event, or later ones, quote. The caller loads it first or omits it. */
  wants(event: LoopEvent, view: View<Memo>, request: Request): readonly Ref[]
  /** Lines for one event. Depends only on `before` and `after`, so any part of a long run can be shown alone. */
  lines(step: Step<Memo>, about: About<Request, Inputs>): readonly Line[]
  live(watched: Watched<Memo>, about: About<Request, Inputs>): Live
  bounds(state: LoopState, about: About<Request, Inputs>): readonly Bound[]
  question(question: Question, view: View<Memo>, about: About<Request, Inputs>): QuestionShown
  /** The progress column of a list: "3/5 stories". */
  progress(view: View<Memo>, about: About<Request, Inputs>): Pick<Card, 'progress' | 'did' | 'tasks' | 'group'>
  notices(report: Report<Facts>, about: About<Request, Inputs>): readonly Notice[]
  report(report: Report<Facts>, about: About<Request, Inputs>): readonly Section[]
  why(report: Report<Facts>, about: About<Request, Inputs>): readonly Block[]
  /** Lists the grounds of a verdict as names and values. */
  evidence?(judged: Judged, about: About<Request, Inputs>): FactRows
  /** Texts that the run produced, for `logs --output`. Absent: the output is that of its processes. */
  outputs?(event: LoopEvent): readonly Output[]
}

/** How an attempt ended and was judged; undefined while it goes on. */
export type Judged = { readonly outcome: Outcome | undefined; readonly verdict: Verdict | undefined }
export type FactRows = Extract<Block, { kind: 'facts' }>['rows']

export type Step<Memo> = { readonly event: LoopEvent; readonly before: View<Memo>; readonly after: View<Memo> }

/** A running run, for live display. Times are wall-clock; the renderer keeps them up to date. */
export type Watched<Memo> = {
  readonly view: View<Memo>
  /** Time of the last event. */
  readonly eventAt: number
  /** The last output of an agent or a model. `saidAt` is its time, or the start of the attempt if there is none yet. */
  readonly said?: Progress | undefined
  readonly saidAt: number
  /** Usage of the current attempt, if reported and not yet included in the totals. */
  readonly usage?: Usage | undefined
  /** Actions that the agent was denied in the current attempt: how many, and the last one. */
  readonly denied?: { readonly count: number; readonly last: string } | undefined
  /** The time of display. */
  readonly now: number
}
