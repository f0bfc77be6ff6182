import { PawlError } from '../../../contract/exit.ts'
import { prepareResume } from '../../../run/actions/resume.ts'
import { createRunId } from '../../../run/new-run.ts'
import { openRun } from '../../../run/open-run.ts'
import { type ListedRun, listRuns } from '../../../run/reports/list-runs.ts'
import { formatAction } from '../../../show/action.ts'
import { formatCount, formatMoment } from '../../../show/format.ts'
import { WritingRequest } from '../contract/request.ts'
import { SemanticDiff } from '../contract/semantic-diff.ts'
import { findLevel } from '../core/level/levels.ts'
import type { WritingMemo } from '../core/memo.ts'
import { findLeadParts, formatSummary } from '../core/summary.ts'
import { commitChanges, toRepositoryPath } from '../project/commit-changes.ts'
import { commitManualEdits } from '../project/manual-edits.ts'
import { type OpenProject, readFiles, readFrontMatter, readHistory } from '../project/project.ts'
import { resolveCommits, trailers } from '../project/save.ts'
import { redoIteration, type Undone, undoIteration } from '../project/undo.ts'
import { askChoice } from './ask-choice.ts'
import { viewDetails } from './diff-view.ts'
import { driveIteration } from './drive.ts'
import { requireProject, showOutcome } from './iterate.ts'
import type { WritingCommand } from './slash-command.ts'
import type { Session } from './state.ts'

const levelIds = ({ open }: Session): readonly string[] => (open ? open.loaded.type.levels.map(({ id }) => id) : [])

const noLevel = ({ loaded }: OpenProject): PawlError =>
  new PawlError(2, `Name a level: ${loaded.type.levels.map(({ id }) => id).join(', ')}`)

const maxShown = 20

const history: WritingCommand = {
  name: 'history',
  usage: '[level]',
  says: 'list the iterations of a level, newest first',
  args: levelIds,
  run: async (session, { words }) => {
    const open = requireProject(session)
    const target = words[0] ?? session.target
    const level = target === undefined ? undefined : findLevel(open.loaded.type, target)
    if (!level) throw noLevel(open)
    const commits = await session.machine.git.openPathCommits(open.folder)
    const known = await commits.log(toRepositoryPath('', open.folder, commits), [trailers.iteration])
    const entries = resolveCommits(readHistory(open, level), known)
    const { page } = session
    page.line(`${level.title}: ${formatCount(entries.length, 'iteration')}`)
    for (const [at, entry] of entries.slice(0, maxShown).entries()) {
      const commit = entry.commit_sha?.slice(0, 7) ?? '-'
      const judged = `${formatCount(entry.judge_attempts, 'attempt')}, ${entry.judge_verdict.replace('_', ' ')}`
      page.line(
        `  ${entries.length - at}. ${formatMoment(entry.timestamp)}  ${commit}  ${judged}, ${formatCount(entry.files_changed, 'file')}, ±${entry.lines_changed} lines`,
      )
      page.line(`     "${entry.feedback.split('\n')[0]}"`)
      if (entry.semantic_summary !== '') page.line(`     ${entry.semantic_summary}`)
    }
  },
}

/** The runs of this project, newest first. */
async function projectRuns({ invocation, machine, open, studio }: Session): Promise<readonly ListedRun[]> {
  const runs = await listRuns({ ...invocation.program, machine }, { workspace: studio })
  return runs.filter((run) => run.mode === 'writing' && run.name === open?.name)
}

const diff: WritingCommand = {
  name: 'diff',
  usage: '[run]',
  says: 'show what the last saved iteration changed, or any other by its run',
  run: async (session, { words }) => {
    requireProject(session)
    const runs = await projectRuns(session)
    const wanted = words[0]
    for (const run of runs.filter(({ id }) => wanted === undefined || id.startsWith(wanted))) {
      const found = await readRunDiff(session, run)
      if (!found || (wanted === undefined && !found.isSaved)) continue
      if (!found.isSaved) session.page.line('Nothing of this was saved.')
      session.page.lines(found.lines)
      await viewDetails(session, found.diff)
      return
    }
    session.page.line('No iteration has changed anything yet.')
  },
}

async function readRunDiff({ invocation, machine }: Session, { address }: ListedRun) {
  const stored = await machine.store.open(address)
  if (!stored) return undefined
  const open = await openRun({ ...invocation.program, machine }, stored)
  return open.use(async (mode, run) => {
    const inputs = await mode.load(run)
    const { foldRun } = await import('../../../run/read-run.ts')
    const view = await foldRun(mode, run, inputs)
    const { diff: ref, saved, accepted, picks } = view.memo as WritingMemo
    if (!ref) return undefined
    const whole = SemanticDiff.parse(JSON.parse(new TextDecoder().decode(await run.content.get(ref))))
    const parsed = accepted === 'some' ? pickChanges(whole, picks) : whole
    const { base } = inputs as { readonly base: import('../contract/request.ts').Base }
    const level = findLevel(base.type, parsed.target)!
    const lines = formatSummary(parsed, { level, leadParts: findLeadParts(level, base.files) })
    return { diff: parsed, lines, isSaved: typeof saved?.commit === 'string' }
  })
}

/** The accepted changes alone. */
function pickChanges(diff: SemanticDiff, picks: readonly string[]): SemanticDiff {
  const changes = diff.changes.filter(({ id }) => picks.includes(id))
  const rest = picks.includes('rest') ? diff.unexplained_hunks : []
  const kept = new Set([...changes.flatMap(({ hunks }) => hunks), ...rest])
  const hunks = diff.hunks.filter(({ id }) => kept.has(id))
  const units = diff.units.map((unit) =>
    hunks.some((hunk) => hunk.unit === unit.id) ? unit : { ...unit, status: 'unchanged' as const },
  )
  const stats = { ...diff.stats, files_changed: units.filter(({ status }) => status !== 'unchanged').length }
  return { ...diff, changes, hunks, units, stats, unexplained_hunks: rest }
}

const undo: WritingCommand = {
  name: 'undo',
  usage: '[commit]',
  says: 'take back the last iteration, or one that /history lists',
  run: async (session, { words }) =>
    showUndone(session, await undoIteration(requireProject(session), session.machine, words[0]), 'undo', words[0]),
}

const redo: WritingCommand = {
  name: 'redo',
  says: 'bring back what was undone last',
  run: async (session) => showUndone(session, await redoIteration(requireProject(session), session.machine), 'redo'),
}

const maxNamed = 8

function showUndone({ page }: Session, undone: Undone, verb: 'undo' | 'redo', named?: string): void {
  if (undone.is === 'nothing' && named !== undefined) page.error(`no iteration that holds has the commit ${named}`)
  else if (undone.is === 'nothing') page.line(`There is nothing to ${verb}.`)
  else if (undone.is === 'refused') page.error(undone.says)
  else {
    page.line(`✓ ${undone.subject} (${formatCount(undone.files.length, 'file')})`)
    for (const path of undone.files.slice(0, maxNamed)) page.line(`  ${path}`)
    if (undone.files.length > maxNamed) page.line(`  and ${undone.files.length - maxNamed} more`)
    page.line(verb === 'undo' ? 'To bring it back: /redo' : 'To take it back again: /undo')
  }
}

const cull: WritingCommand = {
  name: 'cull',
  usage: '<level>',
  says: 'delete all files of a level, in one commit',
  args: levelIds,
  run: async (session, { words }) => {
    const open = requireProject(session)
    const level = findLevel(open.loaded.type, words[0] ?? '')
    if (!level) throw noLevel(open)
    const files = [...readFrontMatter(open, level), ...readFiles(open, level)]
    if (files.length === 0) throw new PawlError(30, `there is nothing to cull in ${level.id}`)
    session.page.lines(files.slice(0, maxNamed).map(({ path }) => `  ${path}`))
    if (files.length > maxNamed) session.page.line(`  and ${files.length - maxNamed} more`)
    const prompt = `Delete ${level.title.toLowerCase()} (${formatCount(files.length, 'file')})? (yes/no)`
    if ((await askChoice(session, prompt, ['yes', 'no'])) !== 'yes') return
    const edited = await commitManualEdits(open, session.machine)
    if (edited.length > 0) session.page.line(`Your own edits were committed first: ${edited.join(', ')}`)
    const id = createRunId(new Date(session.machine.clock.now()))
    const commits = await session.machine.git.openPathCommits(open.folder)
    const made = await commitChanges(
      files.map(({ path, sha256 }) => ({ path, content: null, was: sha256 })),
      { subject: `[cull] ${level.id}`, trailers: { [trailers.iteration]: id } },
      { commits, place: session.machine.place, folder: open.folder, run: id },
    )
    if (made.is === 'refused') throw new PawlError(10, made.says)
    session.page.line(`✓ ${level.title} culled (${formatCount(files.length, 'file')} deleted). To bring it back: /undo`)
  },
}

const resume: WritingCommand = {
  name: 'resume',
  usage: '[run]',
  says: 'go on with an iteration that was left open',
  run: async (session, { words }) => {
    requireProject(session)
    const open = (await projectRuns(session)).filter(isOpen)
    const [run] = open.filter(({ id }) => words[0] === undefined || id.startsWith(words[0]))
    if (!run) {
      session.page.line('No iteration is open.')
      return
    }
    await resumeIteration(session, run)
  },
}

const isOpen = ({ standing }: ListedRun): boolean =>
  standing === 'waiting' || standing === 'interrupted' || standing === 'crashed'

/** Goes on with a run where it was. */
async function resumeIteration(session: Session, run: ListedRun): Promise<void> {
  const { invocation, machine } = session
  const stored = await machine.store.open(run.address)
  if (!stored) throw new PawlError(30, `${run.id} is gone`)
  const program = { ...invocation.program, machine }
  const options = { trust: false, takeOver: false, now: true, caps: {}, flags: {}, cwd: session.studio }
  const resumed = await prepareResume(program, stored, options)
  if (resumed.is === 'told') {
    session.page.line(`It runs in another process (pid ${resumed.owner.pid}).`)
    return
  }
  try {
    const { kind, target } = WritingRequest.parse(resumed.open.envelope.with)
    await showOutcome(session, stored, await driveIteration(session, stored), { kind, target, feedback: '' })
  } finally {
    await resumed.lock.release()
  }
}

/** At the start: an iteration that was being saved is finished; another open one is offered. */
export async function offerOpenRuns(session: Session): Promise<void> {
  const open = (await projectRuns(session)).filter(isOpen)
  for (const run of open.filter(isSaving)) {
    session.page.line('An accepted iteration was not saved to its end. Finishing it.')
    await resumeIteration(session, run)
  }
  const [first, ...others] = open.filter((run) => !isSaving(run))
  if (!first) return
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const later = formatAction({ do: 'stop', run: first.id }, session.machine.environment.program).join(' ')
  session.page.line(
    `An iteration is open${more}: ${first.card?.progress ?? first.id}. To go on: /resume. To drop it: ${later}`,
  )
}

const isSaving = ({ card }: ListedRun): boolean =>
  (card?.did as { readonly stage?: unknown } | undefined)?.stage === 'finalize'

export const historyCommands: readonly WritingCommand[] = [history, diff, undo, redo, cull, resume]
