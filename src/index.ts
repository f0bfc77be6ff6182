/** The library: refinement as seeds 000 and 001 ask for it, and the loop itself for those who bring a policy and work of their own. */
export {
  adaptiveIterate,
  type Control,
  iteratePrompt,
  type PausedPayload,
  type Refined,
  type RefineOptions,
  resumeIteration,
} from './app/refine/library.ts'
export type { Call, Decision, LoopEvent, Note, Outcome, Stop, Task, Verdict } from './contract/event.ts'
export { presets, RefineConfig } from './contract/refinement/config.ts'
export { Rung } from './contract/refinement/request.ts'
export { Rubric } from './contract/refinement/rubric.ts'
export type { CapName, Caps, Ref, Usage } from './contract/values.ts'
export type { Allowance, Left, Policy, View } from './kernel/policy.ts'
export { type Attempt, type LoopOptions, runLoop, type Work } from './kernel/run.ts'
export type { LoopState } from './kernel/state.ts'
export { firstDivergence, foldEvents, nextStep } from './kernel/step.ts'
export type { Model, ModelReply, ModelRequest } from './ports/model.ts'
