import type { LoopEvent } from '../../../contract/event.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Model } from '../../../ports/model.ts'
import type { RunStore } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { PresetName, RefineConfig } from '../contract/config.ts'
import type { Brief } from '../contract/request.ts'

// What the library takes and gives. Nothing here leads to files that the package does not describe.

export type RefineOptions = {
  readonly preset?: PresetName
  readonly config?: Partial<RefineConfig>
  readonly goal?: string
  /** The text that is to become better, where there is one. */
  readonly text?: string
  readonly context?: Brief['context']
  readonly rubric?: Rubric
  /** Rungs, weakest first. Without: those of the names, made from what the environment says. */
  readonly ladder?: readonly (string | Rung)[]
  /** Models of your own, by rung. */
  readonly models?: Readonly<Record<string, Model>>
  readonly judge?: string
  readonly localOnly?: boolean
  /** Instead of those of this process; a machine that is given has its own. */
  readonly env?: NodeJS.ProcessEnv
  /** Bounds beside those of the preset. */
  readonly maxCostUsd?: number
  readonly maxMs?: number
  readonly taskId?: string
  readonly correlationId?: string
  readonly branch?: string
  /** Where `agent_logs/sap.log` is kept. Without: nowhere. */
  readonly workspace?: string
  /** Where the run is kept. Without: in memory, and nothing of this person's is read or written for it. */
  readonly store?: RunStore
  readonly machine?: Machine
  readonly clock?: Clock
  readonly signal?: AbortSignal
  readonly onEvent?: (event: LoopEvent) => void
  /** Called once, with the means to have a say while it runs. */
  readonly onStart?: (control: Control) => void
}

export type ResumeOptions = Pick<RefineOptions, 'signal' | 'onEvent' | 'onStart'> & { readonly choice?: string }

export type Control = {
  pause(): Promise<void>
  feedback(text: string): Promise<void>
  cancel(): Promise<void>
}

/** What goes into a queue while a run waits for a person. */
export type PausedPayload = { readonly state: 'paused'; readonly resume_token: string }

export type Refined = {
  readonly status: 'completed' | 'paused' | 'aborted'
  readonly state: 'Paused' | 'Completed' | 'Aborted'
  readonly reason: string | null
  /** The finished text; null where there is none. */
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
  /** What a person should know of how it went. */
  readonly warning: string | null
  /** For a queue; null unless it waits for a person. */
  readonly payload: PausedPayload | null
}
