/**
 * What a surface shows, as data. A mode makes these values; a terminal and a web page render them. They cross a process (server to
 * page), so this file holds types only: plain JSON, no functions, no classes. Every string is untrusted text: renderers escape it.
 */
import type { CapName, Caps, Json, Ref } from './values.ts'

/** A piece of a line. Times are values, so that a terminal prints UTC, a page prints local time, and both can tick. */
export type Span =
  | string
  | { readonly is: 'strong' | 'muted' | 'good' | 'bad' | 'warning' | 'code'; readonly text: string }
  /** Milliseconds since the epoch. `at` is a date and time, `clock` a time of day; `since` and `until` tick. */
  | { readonly is: 'at' | 'clock' | 'since' | 'until'; readonly at: number }
  | { readonly is: 'duration'; readonly ms: number }
  /** A file of the workspace or of the run. The page links it where it may be opened. */
  | { readonly is: 'path'; readonly path: string }
  | { readonly is: 'action'; readonly action: Action }
export type Line = readonly Span[]

/** Something a person can do next. The terminal prints the command, the page shows a button. Without `run`: the run that is shown. */
export type Action =
  /** `now`: without waiting for a limit to pass. `raise`: with more of these bounds. */
  | { readonly do: 'resume'; readonly run?: string; readonly raise?: readonly CapName[]; readonly now?: true }
  | { readonly do: 'answer'; readonly run?: string; readonly choices?: readonly string[]; readonly text?: true }
  | {
      readonly do: 'feedback' | 'watch' | 'stop' | 'show' | 'why' | 'logs' | 'text' | 'diff'
      readonly run?: string
    }
  | { readonly do: 'fork'; readonly run?: string; readonly at?: number }
  /** Anything else, as words of a command line: `git switch main`. `pawl` as the first word is this program. */
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
  /** Columns in which every cell is empty are left out by the renderer. A `head` may be empty: no heading. */
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
  /** Names and values: the lines of `why`. */
  | { readonly kind: 'facts'; readonly rows: readonly { readonly name: string; readonly lines: readonly Line[] }[] }
  | { readonly kind: 'bounds'; readonly bounds: readonly Bound[] }
  /** A unified diff, line by line. `hunks`, `added` and `removed` are its sums. */
  | {
      readonly kind: 'diff'
      readonly path: string
      readonly lines: readonly DiffLine[]
      readonly hunks: number
      readonly added: number
      readonly removed: number
      readonly replaced?: true
    }
  /** The page draws it, the terminal leaves it out: a table says the same. `marks` are lines such as 70 and 80. */
  | {
      readonly kind: 'chart'
      readonly title: string
      readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[]
      readonly marks: readonly { readonly y: number; readonly label: string }[]
    }
  /** The end of what a process printed. `log` is the name of the rest. */
  | { readonly kind: 'log'; readonly name: string; readonly lines: readonly string[]; readonly log?: string }
  /** A text that is the result of the work. */
  | { readonly kind: 'document'; readonly format: 'plain' | 'markdown'; readonly text: string }
  | { readonly kind: 'question'; readonly question: QuestionShown }
  | { readonly kind: 'actions'; readonly actions: readonly { readonly action: Action; readonly does?: string }[] }
  /** The three notices that a person should look at first. */
  | { readonly kind: 'notices'; readonly notices: readonly Notice[] }

export type DiffLine = { readonly kind: 'name' | 'hunk' | 'added' | 'removed' | 'same'; readonly text: string }

/** `id` is stable: the page's anchor, a test's handle. A section without content is not shown. */
export type Section = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] }

export type QuestionShown = {
  readonly id: string
  readonly asks: Line
  readonly choices: readonly { readonly choice: string; readonly does: string }[]
  /** Whether a text may be given with the answer. */
  readonly takesText: boolean
  /** What the question is about: a diff, a list of changes. */
  readonly about: readonly Block[]
}

/** One bound and how much of it is used. The renderer draws a bar or prints "412 of 1,000". */
export type Bound = {
  readonly cap: CapName
  /** As people call it: "iterations". */
  readonly name: string
  readonly used: number
  readonly of: number
  readonly unit: 'count' | 'tokens' | 'usd' | 'ms'
  /** From here on something else happens, and what: "a stronger model". */
  readonly soft?: { readonly from: number; readonly says: string }
  /** Not every call told what it used. */
  readonly atLeast?: true
  readonly setBy?: string
  /** It ended the run. */
  readonly fired?: true
}

/** What goes on at this moment. The renderer ticks the times by itself. */
export type Live = {
  readonly doing: Line
  /** Absent while the run waits. */
  readonly activity?: Line
  readonly bounds: readonly Bound[]
  readonly note?: Line
  /** The same in one line, for where nothing can be redrawn. */
  readonly brief: Line
}

/** Something to look at first. The heaviest are shown first. `about` is a code, for machines and for tests. */
export type Notice = {
  readonly about: string
  readonly weight: number
  readonly says: string
  readonly lines: readonly string[]
  readonly log?: string | undefined
}

export const standings = [
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

/** A span of events in which a run does something that takes time. */
export type UnderWay = {
  readonly doing: 'attempt' | 'evaluate'
  readonly task: string
  readonly attempt: number
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * One run in a list, kept by the store beside the journal whenever the run saves, so that `ls` and a page load no mode and fold no
 * journal. It is a projection: `seq` says how far it goes.
 */
export type Card = {
  readonly seq: number
  readonly at: number
  /** Without an owner: what the journal alone says. The list adds whether somebody runs it now. */
  readonly standing: 'open' | 'waiting' | 'interrupted' | 'completed' | 'failed' | 'blocked' | 'cancelled'
  /** "3/5 stories" */
  readonly progress: string
  /** The same for machines. */
  readonly did: Json
  readonly needsYou: boolean
  readonly spend: { readonly tokens: number; readonly costUsd: number; readonly atLeast?: true }
  readonly caps: Caps
}

/** A text that a run produced, by name. */
export type Output = { readonly name: string; readonly ref: Ref; readonly data: Json }
