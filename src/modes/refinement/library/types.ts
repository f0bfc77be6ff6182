import type { LoopEvent } from '../../../contract/event.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Model } from '../../../ports/model.ts'
import type { RunStore } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { PresetName, RefineConfig } from '../contract/config.ts'
import type { Brief } from '../contract/request.ts'

// Options and results of the library. Every type used here must be part of the package's declarations.

export type RefineOptions = {
  readonly preset?: PresetName
  readonly config?: Partial<RefineConfig>
  readonly goal?: string
  /** The text to improve, if there is one. */
  readonly text?: string
  readonly context?: Brief['context']
  readonly rubric?: Rubric
  /** Rungs or names of rungs, weakest first. Default: `ollama`. */
  readonly ladder?: readonly (string | Rung)[]
  /** Models of your own, by rung. */
  readonly models?: Readonly<Record<string, Model>>
  readonly judge?: string
  readonly localOnly?: boolean
  /** Default: the environment of this process. Ignored if `machine` is set. */
  readonly env?: NodeJS.ProcessEnv
  /** Bounds in addition to those of the preset. */
  readonly maxCostUsd?: number
  readonly maxMs?: number
  readonly taskId?: string
  readonly correlationId?: string
  readonly branch?: string
  /** Folder for `agent_logs/sap.log`, whose pseudonyms need the key of this person (created if missing). Without it there is no log. */
  readonly workspace?: string
  /** Default: in memory, without reading or writing any files of this person, unless there is a log. */
  readonly store?: RunStore
  readonly machine?: Machine
  readonly clock?: Clock
  readonly signal?: AbortSignal
  readonly onEvent?: (event: LoopEvent) => void
  /** Called once, with functions to control the run. */
  readonly onStart?: (control: Control) => void
}

/** `store`, `models` and the like are for a run of another process; one of this process has them. */
export type ResumeOptions = Pick<
  RefineOptions,
  'signal' | 'onEvent' | 'onStart' | 'store' | 'models' | 'env' | 'machine' | 'clock' | 'workspace'
> & { readonly choice?: string }

export type Control = {
  pause(): Promise<void>
  feedback(text: string): Promise<void>
  cancel(): Promise<void>
}

/** For a queue, while a run waits for a person. `run_id` finds it in its store from another process. */
export type PausedPayload = { readonly state: 'paused'; readonly resume_token: string; readonly run_id?: string }

export type Refined = {
  readonly status: 'completed' | 'paused' | 'aborted'
  readonly state: 'Paused' | 'Completed' | 'Aborted'
  readonly reason: string | null
  /** The finished text, or null. */
  readonly output: string | null
  /** The best text of a run that did not finish. */
  readonly partial_output: string | null
  readonly fallback: 'single-shot' | null
  readonly score: number | null
  readonly model_used: string | null
  readonly iterations: readonly {
    readonly iteration: number
    readonly phase: string
    readonly model_used: string
    readonly score: number | null
    readonly raw_score: number | null
    readonly output: string | null
  }[]
  readonly escalations: number
  readonly tokens: number
  readonly overhead_tokens: number
  readonly run_id: string
  readonly correlation_id: string
  /** The problem of the last step, such as the message of an error that your model threw. */
  readonly problem: string | null
  /** Why the run was aborted. */
  readonly warning: string | null
  /** Null unless the run waits for a person. */
  readonly payload: PausedPayload | null
}
