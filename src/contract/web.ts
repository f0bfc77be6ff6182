/**
 * What the page and other programs get from `pawl serve`, version 1 (`/api/v1`). Types only: plain JSON. Fields may be added. Every string is
 * untrusted text: renderers must escape it. Times are milliseconds since the epoch.
 */
import type { LoopEvent } from './event.ts'
import type {
  Action,
  Block,
  Bound,
  Card,
  DiffLine,
  Line,
  Live,
  Notice,
  QuestionShown,
  Section,
  Standing,
} from './show.ts'
import type { TranscriptEntry } from './transcript.ts'
import type { CapName, Json } from './values.ts'

/** `GET /api/v1/runs`. Newest first. */
export type RunsPayload = {
  readonly runs: readonly RunRow[]
  /** Of all runs, whatever the filter. */
  readonly counts: Readonly<Record<Standing | 'damaged' | 'needsYou' | 'all', number>>
  readonly today: { readonly costUsd: number; readonly tokens: number; readonly atLeast: boolean }
  readonly modes: readonly string[]
  readonly workspaces: readonly string[]
  readonly now: number
}

/** A run in the list. */
export type RunRow = {
  readonly id: string
  readonly name: string
  readonly mode: string
  /** Its folder, with `~` for the home folder. */
  readonly workspace: string
  readonly created: number
  readonly standing: Standing | 'damaged'
  readonly needsYou: boolean
  /** Why it is where it is, in one sentence. Empty if nothing is known. */
  readonly says: string
  readonly progress: string
  /** Tasks that are done, of how many; null if unknown. */
  readonly done: number | null
  readonly of: number | null
  readonly spend: Card['spend'] | null
  readonly caps: Card['caps']
  /** Time of the last saved event. */
  readonly at: number
  readonly waits?: Card['waits']
  /** Runs of one sitting stand together. */
  readonly group?: string
}

/** `GET /api/v1/runs/:id`. With `?at=<seq>`: as it was after that event. */
export type RunPayload = {
  readonly row: RunRow
  readonly address: string
  readonly headline: Line
  readonly place: Line
  readonly notices: readonly Notice[]
  readonly sections: readonly Section[]
  readonly why: readonly Block[]
  readonly bounds: readonly Bound[]
  /** The bound that ends the run first at the present rate. */
  readonly forecast: { readonly cap: CapName; readonly says: string } | null
  readonly question: QuestionShown | null
  readonly live: Live | null
  /** What goes on, most useful first. `command`: the same in a terminal. `can`: the page may do it. */
  readonly next: readonly NextStep[]
  readonly timeline: Timeline
  readonly steered: readonly Steered[]
  readonly can: Steering
  /** Number of the last event. The slider of a replay goes up to `lastSeq` of the whole run. */
  readonly seq: number
  readonly lastSeq: number
  readonly now: number
}

/** `GET /api/v1/runs/:id/json`: what `show --json` prints. With `?at=<seq>`: after that event. */
export type RunJsonPayload = Readonly<Record<string, Json>>

export type NextStep = {
  readonly action: Action
  readonly command: string
  readonly can: boolean
}

/** What a person may do with the run from the page at this moment. */
export type Steering = {
  readonly pause: boolean
  readonly unpause: boolean
  readonly stop: boolean
  readonly skipWait: boolean
  readonly feedback: boolean
  /** Start it again here. False for runs with agents, which start in a terminal. */
  readonly resume: boolean
  readonly fork: boolean
  readonly raise: readonly {
    readonly cap: CapName
    readonly name: string
    readonly of: number
    readonly unit: Bound['unit']
  }[]
}

/** Something a person did to the run. */
export type Steered = { readonly seq: number; readonly at: number; readonly by: string; readonly says: string }

/** The run over time. `unit`: the mode's name for a task. */
export type Timeline = {
  readonly unit: { readonly one: string; readonly many: string }
  readonly from: number
  readonly to: number
  readonly tasks: readonly TimelineTask[]
  /** Waits and questions. `to` is null while it goes on. */
  readonly pauses: readonly {
    readonly kind: 'wait' | 'question' | 'away'
    readonly task: string | null
    readonly from: number
    readonly to: number | null
    readonly says: string
  }[]
}

export type TimelineTask = {
  readonly id: string
  readonly title: string
  readonly chore: boolean
  readonly state: 'done' | 'failed' | 'blocked' | 'interrupted' | 'at-work' | 'open'
  readonly attempts: readonly TimelineAttempt[]
}

export type TimelineAttempt = {
  readonly n: number
  readonly via: string
  readonly from: number
  /** End of the work and end of its verification; null while it goes on. */
  readonly workedTo: number | null
  readonly to: number | null
  readonly outcome: 'ok' | 'failed' | 'timed-out' | 'interrupted' | 'unavailable' | null
  readonly verdict: 'passed' | 'failed' | 'unavailable' | null
  readonly score: number | null
  /** Why it was rejected or failed, in a few words. */
  readonly says: string
  /** `kept`: its work stays. */
  readonly ledTo:
    | 'kept'
    | 'retry'
    | 'escalate'
    | 'failover'
    | 'wait'
    | 'question'
    | 'stop'
    | 'failed'
    | 'blocked'
    | null
  /** By a stronger model than the first one. */
  readonly stronger: boolean
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly seq: number
}

/** `GET /api/v1/runs/:id/log?from=&count=&search=`. Lines of events; `from` is a line number, negative counts from the end. */
export type LogPayload = {
  readonly lines: readonly LogLine[]
  readonly total: number
  /** Line numbers of all matches of `search`, at most 10,000, and their true count. */
  readonly matches: readonly number[]
  readonly matchCount: number
  readonly firstError: number | null
}
export type LogLine = {
  readonly n: number
  readonly seq: number
  readonly at: number
  readonly line: Line
  readonly isError: boolean
}

/** Frames of `GET /api/v1/runs/:id/stream` (SSE). `id` is the event's number, so `Last-Event-ID` continues after it. */
export type StreamFrame = {
  readonly seq: number
  readonly at: number
  readonly type: LoopEvent['type']
  readonly lines: readonly LogLine[]
}

/** `GET /api/v1/runs/:id/attempts/:task/:n` */
export type AttemptPayload = {
  readonly run: RunRow
  readonly task: { readonly id: string; readonly title: string }
  readonly attempt: TimelineAttempt
  /** All attempts of the task. */
  readonly attempts: readonly TimelineAttempt[]
  /** The grounds of its verdict, in the words of its mode. */
  readonly evidence: Extract<Block, { kind: 'facts' }>['rows']
  /** What the log says about this attempt. */
  readonly lines: readonly LogLine[]
  /** The conversation with the agent; its last entries. `omitted`: how many came before them. */
  readonly transcript: readonly TranscriptEntry[]
  readonly omitted: number
  /** Texts that the attempt's events name: the prompt, replies of models, verdicts, diffs. In the order of the events. */
  readonly documents: readonly AttemptDocument[]
  /** The ends of the outputs of its processes, such as verification commands. */
  readonly outputs: readonly { readonly name: string; readonly text: string; readonly cut: boolean }[]
  readonly events: readonly { readonly seq: number; readonly at: number; readonly says: string; readonly json: Json }[]
}

export type AttemptDocument = {
  /** Such as `prompt.md`. */
  readonly name: string
  /** The event that names it. */
  readonly seq: number
  readonly kind: 'text' | 'json' | 'patch'
  /** Empty if it is sealed and the key is not here. */
  readonly text: string
  readonly cut: boolean
  /** Of a patch. */
  readonly files?: readonly FileDiff[]
}
export type FileDiff = {
  readonly path: string
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

/** `GET /api/v1/waiting` */
export type WaitingPayload = { readonly items: readonly WaitingItem[]; readonly now: number }
export type WaitingItem = {
  readonly row: RunRow
  readonly question: QuestionShown | null
  readonly since: number
  readonly commands: readonly NextStep[]
}

/** `GET /api/v1/compare?a=&b=` */
export type ComparePayload = {
  readonly sides: readonly [RunPayload, RunPayload]
  /** The difference that matters most, in one sentence. */
  readonly says: string
  /** The first task that went differently, with the attempt of each side that shows it; null if none did or has. */
  readonly parts: {
    readonly task: string
    readonly says: string
    readonly a: number | null
    readonly b: number | null
  } | null
  readonly rows: readonly {
    readonly name: string
    readonly a: string
    readonly b: string
    readonly better: 'a' | 'b' | null
  }[]
}

/** The body of every error. `hint`: what to do. `correlation_id`: also in the server's own log. */
export type ErrorPayload = {
  readonly error: {
    readonly message: string
    readonly hint: string | null
    readonly code: string
    readonly correlation_id: string
  }
}

/** `GET /api/v1/sap`: the form of `/admin/sap-collaborate`. Scenarios only with `--demo`. */
export type SapFormPayload = {
  readonly tasks: readonly string[]
  readonly models: readonly { readonly id: string; readonly label: string }[]
  readonly scenarios: readonly { readonly id: string; readonly title: string }[]
}

/** `GET /api/v1/sap/:id` */
export type SapRunPayload = {
  readonly run: RunPayload
  /** The messages of the seeds, oldest first. */
  readonly messages: readonly LogLine[]
  readonly correlation_id: string
  /** What the next call is given, oldest first. `by`: a person, as a hash. */
  readonly context: readonly {
    readonly seq: number
    readonly label: string
    readonly by?: string
    readonly text: string
  }[]
  /** The last lines of `agent_logs/sap.log` of this run. */
  readonly log: readonly Json[]
}
