import type { CommandName, Handler } from './command.ts'

/** What each command does, imported only when it is called. A name without a handler does not compile. */
export const handlers: Readonly<Record<CommandName, () => Promise<{ readonly handle: Handler }>>> = {
  run: () => import('../../modes/procedure/cli/run.ts'),
  plan: () => import('../../modes/delivery/cli/plan.ts'),
  deliver: () => import('../../modes/delivery/cli/deliver.ts'),
  refine: () => import('../../modes/refinement/cli/refine.ts'),
  init: () => import('./commands/init.ts'),
  demo: () => import('./commands/demo.ts'),
  ls: () => import('./commands/ls.ts'),
  show: () => import('./commands/show.ts'),
  why: () => import('./commands/why.ts'),
  logs: () => import('./commands/logs.ts'),
  resume: () => import('./commands/resume.ts'),
  answer: () => import('./commands/answer.ts'),
  feedback: () => import('./commands/feedback.ts'),
  fork: () => import('./commands/fork.ts'),
  pause: () => import('./commands/pause.ts'),
  stop: () => import('./commands/stop.ts'),
  fsck: () => import('./commands/fsck.ts'),
  clean: () => import('./commands/clean.ts'),
  undo: () => import('../../modes/delivery/cli/undo.ts'),
  execute: () => import('../../modes/delivery/cli/execute.ts'),
  schema: () => import('./commands/schema.ts'),
  doctor: () => import('./commands/doctor.ts'),
  config: () => import('./commands/config.ts'),
  completion: () => import('./commands/completion.ts'),
}
