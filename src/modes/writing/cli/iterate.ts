import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Executed } from '../../../run/execution/execute.ts'
import type { Starter } from '../../../run/mode.ts'
import { formatAction } from '../../../show/action.ts'
import { formatCount } from '../../../show/format.ts'
import { createRendering, renderLine } from '../../../surfaces/terminal/render.ts'
import { findLevel } from '../core/level/levels.ts'
import { listFiles, type OpenProject } from '../project/project.ts'
import { describeDownstream } from '../show/wording.ts'
import { listAffected } from '../start/gather.ts'
import { iterate } from '../start/start.ts'
import { askChoice } from './ask-choice.ts'
import { driveIteration } from './drive.ts'
import { type Session, setTarget } from './state.ts'

export type IterationWish = {
  readonly kind: 'iterate' | 'generate' | 'analyze'
  readonly target: string
  readonly feedback: string
  readonly analysis?: string
}

/** Runs one iteration, generation or analysis at the REPL, from the question about downstream levels to the next prompt. */
export async function runIteration(session: Session, wish: IterationWish): Promise<void> {
  const open = session.open!
  const replace = await confirmReplacement(session, open, wish)
  const cull = replace === undefined ? undefined : await askDownstream(session, open, wish)
  if (replace === undefined || cull === undefined) {
    session.page.line('Cancelled. Nothing was changed.')
    return
  }
  const { preferences, studio, id, machine } = session
  const { view = 'full', askAfter = 1, model, judge, maxCost, outputTokens } = preferences
  const bounds = { ...(maxCost !== undefined && { maxCost }), ...(outputTokens !== undefined && { outputTokens }) }
  const models = { ...(model !== undefined && { model }), ...(judge !== undefined && { judge }) }
  const options = { ...wish, ...bounds, ...models, ...(cull !== 'none' && { cull }), replace: true }
  const given = { ...options, studio, project: open.shown || '.', view, askAfter, session: id, speed: session.speed }
  const started = await iterate.start(machine, given, createStarter(session))
  if (started.is !== 'started') return
  try {
    await showOutcome(session, started.run, await driveIteration(session, started.run), wish)
  } finally {
    await started.lock.release()
  }
}

/** Questions of a start at the REPL. */
export const createStarter = (session: Session): Starter => ({
  ask: (question, choices) => askChoice(session, `${question} (${choices.join('/')})`, choices),
  tell: (text) => session.page.line(text),
  show: (blocks) => {
    for (const block of blocks)
      if (block.kind === 'text')
        session.page.lines(block.lines.map((line) => renderLine(line, createRendering(session.invocation.program))))
  },
  end: async () => {},
})

/** A level that exists is replaced only if the person says so. undefined: no. */
async function confirmReplacement(
  session: Session,
  open: OpenProject,
  { kind, target }: IterationWish,
): Promise<true | undefined> {
  const level = findLevel(open.loaded.type, target)
  const existing = kind === 'generate' && level ? listFiles(open, level).length : 0
  if (existing === 0) return true
  const prompt = `${level!.title}: ${formatCount(existing, 'file')} there already. Replace? (yes/no)`
  return (await askChoice(session, prompt, ['yes', 'no'])) === 'yes' ? true : undefined
}

/** The seed's question before generation: all or nothing. undefined: cancelled. */
async function askDownstream(
  session: Session,
  open: OpenProject,
  { kind, target }: IterationWish,
): Promise<'cull-all' | 'keep-all' | 'none' | undefined> {
  const level = findLevel(open.loaded.type, target)
  const affected = kind === 'analyze' || !level ? [] : listAffected(open, level)
  if (affected.length === 0) return 'none'
  const { page, preferences } = session
  const parts = affected.map((part) => ({ ...part, level: findLevel(open.loaded.type, part.level)! }))
  const aliases = { yes: 'cull-all', no: 'keep-all', y: 'cull-all', n: 'keep-all', k: 'keep-all' } as const
  const choices = ['cull-all', 'keep-all', 'cancel'] as const
  let prompt = 'Action: (cull-all/keep-all/cancel)'
  if (preferences.view === 'compact') {
    const [only, ...others] = parts
    const list = parts.map((part) => `${part.level.id} (${part.files.length})`).join(', ')
    const first = `⚠️ ${only!.level.title} exists (${describeDownstream(only!.level, only!.files)})`
    page.line(others.length > 0 ? `⚠️ Downstream: ${list}` : first)
    prompt = others.length > 0 ? '   Cull all? (yes/no/cancel)' : '   Cull all downstream? (yes/no/cancel)'
  } else {
    page.lines(['', '⚠️  Downstream content will be affected:'])
    for (const part of parts) {
      const made = part.level.leaf ? '' : ` generated from current ${target}`
      page.line(`  • ${part.level.title} (${describeDownstream(part.level, part.files)}${made})`)
    }
    page.line()
  }
  const choice = await askChoice(session, prompt, choices, aliases)
  return choice === 'cancel' ? undefined : choice
}

/** After the run has left: what next. */
export async function showOutcome(
  session: Session,
  run: StoredRun,
  executed: Executed,
  wish: IterationWish,
): Promise<void> {
  const { page, preferences } = session
  const { status, state } = executed
  measureSpeed(session, executed)
  const resume = `To go on: /resume, or later: ${formatAction({ do: 'resume', run: run.entry.id }, session.machine.environment.program).join(' ')}`
  if (status === 'unsaved') {
    page.error(`the iteration could not be saved: ${String((executed.error as Error | undefined)?.message)}`, resume)
    return
  }
  if (status !== 'ended') {
    page.lines(['', `The iteration on ${wish.target} stays open. ${resume}`])
    return
  }
  const code = state.ended?.reason.code
  if (wish.kind !== 'analyze' && (code === 'accepted' || code === 'generated')) setTarget(session, wish.target)
  if (code === 'accepted' && preferences.view !== 'compact') {
    page.lines(['', 'To review full diff: git diff HEAD~1', 'To undo iteration: /undo', ''])
  }
  if (code === 'cap_spent') page.error('a limit is reached', resume)
  if (wish.kind === 'analyze') return
  page.line(`[Iteration target: ${session.target ?? wish.target}]`)
  if (code === 'accepted' && preferences.view !== 'compact') page.line('Ready for next iteration.')
}

/** Tokens per second, for the next estimate. */
function measureSpeed(session: Session, { state }: Executed): void {
  const seconds = state.activeMs / 1000
  if (state.tokens > 200 && seconds > 1) session.speed = Math.max(1, state.tokens / seconds / 3)
}

/** Throws the seed's error if there is nothing to give feedback for. */
export function requireProject(session: Session): OpenProject {
  if (session.open) return session.open
  throw new PawlError(2, 'No project is open. Open one with /open, or make one with /new', undefined, 'no_project')
}
