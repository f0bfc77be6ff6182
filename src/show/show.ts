import type { z } from 'zod'
import type { LoopEvent, Question } from '../contract/event.ts'
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
  /** Shapes of the fields beside the code. */
  readonly fields: z.ZodRawShape
  /** A function where the same reason may pass tomorrow or not. Only stops have an exit code of their own. */
  readonly exit?: ExitCode | ((view: View<Memo>) => ExitCode)
  readonly text: string | ((reason: Reason, setting: (cap: CapName) => string) => string)
}

/** What lines and reports are made from besides the view. `words`: content that was asked for by `wants`, parsed, as far as this person may read it. */
export type About<Request, Inputs> = {
  readonly id: string
  readonly name: string
  readonly request: Request
  readonly inputs: Inputs
  words(ref: Ref): Json | undefined
}

/** What of a run every mode shares, from the journal alone. `show --json` prints all of it but `state`, and the mode's facts beside it. */
export type Report<Facts> = {
  readonly id: string
  readonly name: string
  readonly standing: Standing
  /** Why it stands so; null: nothing more is known than the standing says. */
  readonly reason: Reason | null
  /** The same as a sentence. */
  readonly says: string
  readonly rule: Rule | null
  readonly last: LastAttempt | null
  readonly underWay: UnderWay | null
  /** When a limit that it waits for ends. */
  readonly waitsUntil: number | null
  readonly spend: Spend
  /** The action that goes on with it, if any does. */
  readonly next: Action | null
  readonly startedAt: number | null
  readonly lastAt: number | null
  /** Where each bound was set, by cap. */
  readonly origins: Readonly<Record<string, string>>
  readonly question: Question | null
  readonly state: LoopState
  readonly facts: Facts
}
/** The rule that decided, where that was set, and at which event. */
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
}

/** Pure: values in, values out. No clock, no content, no terminal. A page and a terminal render the same. */
export type Show<Request, Inputs, Memo, Facts> = {
  /** What a task is called: iteration, story, phase. */
  readonly unit: { readonly one: string; readonly many: string }
  /** The setting that a person knows a bound by: `max_iterations`. */
  setting(cap: CapName): string
  task(id: string, about: About<Request, Inputs>, view: View<Memo>): string
  /** What it does at this moment, behind "is": "running iteration 2". The renderer adds since when. */
  doing(underWay: UnderWay, about: About<Request, Inputs>, view: View<Memo>): string
  /** Content whose words are used for the lines of this event, or from here on. Whoever shows them loads it first, or leaves it out. */
  wants(event: LoopEvent, view: View<Memo>, request: Request): readonly Ref[]
  /** `before` and `after` instead of a memory of its own, so that any line of a long run can be shown without those before it. */
  lines(step: Step<Memo>, about: About<Request, Inputs>): readonly Line[]
  live(watched: Watched<Memo>, about: About<Request, Inputs>): Live
  bounds(state: LoopState, about: About<Request, Inputs>): readonly Bound[]
  question(question: Question, view: View<Memo>, about: About<Request, Inputs>): QuestionShown
  /** The cell of a list: "3/5 stories". */
  progress(view: View<Memo>, about: About<Request, Inputs>): Pick<Card, 'progress' | 'did'>
  notices(report: Report<Facts>, about: About<Request, Inputs>): readonly Notice[]
  report(report: Report<Facts>, about: About<Request, Inputs>): readonly Section[]
  why(report: Report<Facts>, about: About<Request, Inputs>): readonly Block[]
  /** Texts that are the run's output, for `logs --output`. Absent: its output is what its processes print. */
  outputs?(event: LoopEvent): readonly Output[]
}

export type Step<Memo> = { readonly event: LoopEvent; readonly before: View<Memo>; readonly after: View<Memo> }

/** A run as it is watched from outside. Moments are wall-clock; the renderer ticks. */
export type Watched<Memo> = {
  readonly view: View<Memo>
  /** When the last event was. */
  readonly eventAt: number
  /** The last thing that an agent or a model said, and when; before that, when the attempt began. */
  readonly said?: Progress | undefined
  readonly saidAt: number
  /** Used so far by the attempt that runs, where it tells; no longer once it is part of the totals. */
  readonly usage?: Usage | undefined
  /** The moment that it is shown at. */
  readonly now: number
}
