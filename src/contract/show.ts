/**
 * Display values. A mode creates them; a terminal or a web page renders them. They may cross a process boundary, so this file has
 * types only: plain JSON, no functions, no classes. Every string is untrusted text: renderers must escape it.
 */
import type { CapName, Caps, Json, Ref } from './values.ts'

/** A piece of a line. Times are values: renderers print local time, and can update them. */
export type Span =
  | string
  | { readonly is: 'strong' | 'muted' | 'good' | 'bad' | 'warning' | 'code'; readonly text: string }
  /** Milliseconds since the epoch. `at`: date and time. `clock`: time of day. `since` and `until`: durations that update. `zone`: the name of the time zone, shown once. */
  | { readonly is: 'at' | 'clock' | 'since' | 'until' | 'zone'; readonly at: number }
  | { readonly is: 'duration'; readonly ms: number }
  /** A file of the workspace or of the run. A page links it if it may be opened. */
  | { readonly is: 'path'; readonly path: string }
  | { readonly is: 'action'; readonly action: Action }
export type Line = readonly Span[]

/** Something a person can do next. A terminal prints the command, a page shows a button. Default for `run`: the run being shown. */
export type Action =
  /** `now`: without waiting for a usage limit. `raise`: with higher values for these caps. */
  | { readonly do: 'resume'; readonly run?: string; readonly raise?: readonly CapName[]; readonly now?: true }
  | { readonly do: 'answer'; readonly run?: string; readonly choices?: readonly string[]; readonly text?: true }
  | {
      readonly do: 'feedback' | 'watch' | 'stop' | 'show' | 'why' | 'logs' | 'text' | 'diff'
      readonly run?: string
    }
  | { readonly do: 'fork'; readonly run?: string; readonly at?: number }
  /** Any other command line: `git switch main`. A leading `pawl` means this program. */
  | { readonly do: 'command'; readonly argv: readonly string[] }

export type Cell = { readonly line: Line; readonly align?: 'end' }
export type Point = {
  readonly x: number
  readonly y: number
  readonly low?: number
  readonly high?: number
  readonly label?: string
}

export type Block =
  | { readonly kind: 'text'; readonly lines: readonly Line[] }
  | { readonly kind: 'list'; readonly items: readonly Line[]; readonly ordered?: true; readonly more?: number }
  /** Renderers omit columns without content. An empty `head` means no heading. */
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly Cell[])[]
      /** For a narrow screen: columns to shorten, and columns to drop if that is not enough, least important first. */
      readonly narrow?: { readonly shorten: readonly number[]; readonly drop: readonly number[] }
    }
  /** Names and values: the lines of `why`. */
  | { readonly kind: 'facts'; readonly rows: readonly { readonly name: string; readonly lines: readonly Line[] }[] }
  | { readonly kind: 'bounds'; readonly bounds: readonly Bound[] }
  /** A unified diff, line by line. `hunks`, `added` and `removed` are its totals. */
  | {
      readonly kind: 'diff'
      readonly path: string
      readonly lines: readonly DiffLine[]
      readonly hunks: number
      readonly added: number
      readonly removed: number
      readonly replaced?: true
    }
  /** Drawn by pages; a terminal omits it, since a table shows the same numbers. `marks` are horizontal lines, such as thresholds. */
  | {
      readonly kind: 'chart'
      readonly title: string
      readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[]
      readonly marks: readonly { readonly y: number; readonly label: string }[]
    }
  /** The end of a process's output. `log` names the complete log. */
  | { readonly kind: 'log'; readonly name: string; readonly lines: readonly string[]; readonly log?: string }
  /** A text produced by the run. */
  | { readonly kind: 'document'; readonly format: 'plain' | 'markdown'; readonly text: string }
  /**
   * Changes to accept one by one, with the choice `some` and their ids as picks. `counted`: what code counted. `doubts`: what a
   * description says that does not hold.
   */
  | {
      readonly kind: 'changes'
      readonly changes: readonly ChangeShown[]
      readonly counted: readonly string[]
      readonly doubts: readonly string[]
    }
  | { readonly kind: 'question'; readonly question: QuestionShown }
  | { readonly kind: 'actions'; readonly actions: readonly { readonly action: Action; readonly does?: string }[] }
  /** The most important notices. */
  | { readonly kind: 'notices'; readonly notices: readonly Notice[] }

export type ChangeShown = {
  readonly id: string
  readonly magnitude: 'major' | 'moderate' | 'minor'
  readonly title: string
  readonly summary: string
  readonly before: string
  readonly after: string
  readonly why: string
  /** Ids of changes without which this one makes no sense. */
  readonly depends_on: readonly string[]
  readonly passages: readonly { readonly place: string; readonly before: string; readonly after: string }[]
}

export type DiffLine = { readonly kind: 'name' | 'hunk' | 'added' | 'removed' | 'same'; readonly text: string }

/** `id` is stable, for anchors and tests. A section without content is not shown. */
export type Section = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] }

export type QuestionShown = {
  readonly id: string
  readonly asks: Line
  readonly choices: readonly { readonly choice: string; readonly does: string }[]
  /** Whether the answer may include a text. */
  readonly takesText: boolean
  /** The subject of the question: a diff, a list of changes. */
  readonly about: readonly Block[]
}

/** One cap and how much of it is used. The renderer draws a bar or prints "412 of 1,000". */
export type Bound = {
  readonly cap: CapName
  /** The name shown to people: "iterations". */
  readonly name: string
  readonly used: number
  readonly of: number
  readonly unit: 'count' | 'tokens' | 'usd' | 'ms'
  /** A threshold below the cap, and what happens there: "a stronger model". */
  readonly soft?: { readonly from: number; readonly says: string }
  /** `used` is a minimum, because some calls did not report their usage. */
  readonly atLeast?: true
  /** `used` contains estimates, for example of attempts that crashed. */
  readonly estimated?: true
  readonly setBy?: string
  /** This cap ended the run. */
  readonly fired?: true
}

/** The current activity of a run. The renderer keeps the times up to date. */
export type Live = {
  readonly doing: Line
  /** The last sign of activity. Absent while the run waits. */
  readonly activity?: Line
  readonly bounds: readonly Bound[]
  readonly note?: Line
  /** The same in one line, for outputs that cannot be redrawn. */
  readonly brief: Line
}

/** Something a person should look at. The highest `weight` comes first. `about` is a code for programs and tests. */
export type Notice = {
  readonly about: string
  readonly weight: number
  readonly says: string
  readonly lines: readonly string[]
  readonly log?: string | undefined
}

export const standings = [
  'queued',
  'running',
  'crashed',
  'waiting',
  'interrupted',
  'completed',
  'failed',
  'blocked',
  'cancelled',
] as const
export type Standing = (typeof standings)[number]

/** The attempt or evaluation that is in progress. */
export type UnderWay = {
  readonly doing: 'attempt' | 'evaluate'
  readonly task: string
  readonly attempt: number
  /** Start time, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * One run in a list. Stored next to the journal whenever the run saves, so that a list loads no modes and folds no journals.
 * Derived data: `seq` is the last event it includes.
 */
export type Card = {
  readonly seq: number
  readonly at: number
  /** From the journal alone. The list adds whether a process is running it now. */
  readonly standing: 'open' | 'waiting' | 'interrupted' | 'completed' | 'failed' | 'blocked' | 'cancelled'
  /** "3/5 stories" */
  readonly progress: string
  /** What it does, asks or waits for, or why it ended, in one sentence. Absent in cards of older versions. */
  readonly says?: string
  /** The same for programs. */
  readonly did: Json
  /** Tasks that are done, of how many. Absent if their number is unknown. */
  readonly tasks?: { readonly done: number; readonly of: number }
  /** Runs of one group stand together in a list, such as the iterations of one sitting. */
  readonly group?: string
  readonly needsYou: boolean
  /** The run waits for this: somebody who resumes it, an answer, the end of a usage limit, or another try. */
  readonly waits?: { readonly for: 'resume' | 'answer' | 'limit' | 'retry'; readonly until?: number }
  readonly spend: {
    readonly tokens: number
    readonly costUsd: number
    /** Time at work, without pauses and waits. Absent in cards of older versions. */
    readonly activeMs?: number
    readonly atLeast?: true
    readonly estimated?: true
  }
  readonly caps: Caps
}

/** A named text that a run produced. */
export type Output = { readonly name: string; readonly ref: Ref; readonly data: Json }
