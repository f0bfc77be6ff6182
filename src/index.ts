/** The library: the loop itself, for those who bring a policy and work of their own. */
export type { Call, Decision, LoopEvent, Note, Outcome, Stop, Task, Verdict } from './contract/event.ts'
export type { CapName, Caps, Ref, Usage } from './contract/values.ts'
export type { Allowance, Left, Policy, View } from './kernel/policy.ts'
export { type Attempt, type LoopOptions, runLoop, type Work } from './kernel/run.ts'
export type { LoopState } from './kernel/state.ts'
export { firstDivergence, foldEvents, nextStep } from './kernel/step.ts'
