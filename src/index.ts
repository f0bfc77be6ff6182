/** The library: refinement as seeds 000 and 001 ask for it, and the loop itself for those who bring a policy and work of their own. */

export type { Call, Decision, LoopEvent, Note, Outcome, Stop, Task, Verdict } from './contract/event.ts'
export { Rubric } from './contract/rubric.ts'
export type { CapName, Caps, Ref, Usage } from './contract/values.ts'
export type { Allowance, Left, Policy, View } from './kernel/policy.ts'
export { type Attempt, type LoopOptions, runLoop, type Work } from './kernel/run.ts'
export type { LoopState } from './kernel/state.ts'
export { firstDivergence, foldEvents, nextStep } from './kernel/step.ts'
export { presets, RefineConfig } from './modes/refinement/contract/config.ts'
export { Rung } from './modes/refinement/contract/request.ts'
export {
  adaptiveIterate,
  type Control,
  iteratePrompt,
  type PausedPayload,
  type Refined,
  type RefineOptions,
  resumeIteration,
} from './modes/refinement/library/library.ts'
export type { Model, ModelReply, ModelRequest } from './ports/model.ts'
