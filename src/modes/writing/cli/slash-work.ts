import { PawlError } from '../../../contract/exit.ts'
import { formatCount } from '../../../show/format.ts'
import { findLevel } from '../core/level/levels.ts'
import { listFiles, readFiles, readHistory } from '../project/project.ts'
import { invalidTarget, listTargets, notFound } from '../start/target.ts'
import { requireProject, runIteration } from './iterate.ts'
import type { WritingCommand } from './slash-command.ts'
import { type Session, setTarget } from './state.ts'

const targetIds = ({ open }: Session): readonly string[] =>
  open ? listTargets(open.loaded.type).map(({ id }) => id) : []

const generate: WritingCommand = {
  name: 'generate',
  usage: '<level> [wishes]',
  says: 'write a level from the levels before it',
  args: targetIds,
  run: async (session, { words, rest }) => {
    const open = requireProject(session)
    const [target = ''] = words
    const level = findLevel(open.loaded.type, target)
    if (!level || level.leaf) throw invalidTarget(open.loaded.type)
    await runIteration(session, { kind: 'generate', target, feedback: rest.slice(target.length).trim() })
  },
}

/** Sets the target, or says which one it is. */
const iterate: WritingCommand = {
  name: 'iterate',
  usage: '[level]',
  says: 'set the level that your feedback is for, or show it',
  args: targetIds,
  run: (session, { words }) => {
    const open = requireProject(session)
    const { page } = session
    const [target] = words
    if (target === undefined) {
      if (!session.target) throw noTarget()
      const level = findLevel(open.loaded.type, session.target)!
      page.line(`[Current iteration target: ${session.target}]`)
      page.line(`[Iteration history: ${formatCount(readHistory(open, level).length, 'iteration')}]`)
      return
    }
    const level = listTargets(open.loaded.type).find(({ id }) => id === target)
    if (!level) throw invalidTarget(open.loaded.type)
    setTarget(session, target)
    page.line(`[Iteration target: ${target}]`)
    if (listFiles(open, level).length === 0) throw notFound(level)
    page.line(`[Loaded: ${listLoaded(session, target).join(', ')}]`)
    page.line(`[History: ${formatCount(readHistory(open, level).length, 'previous iteration')}]`)
  },
}

export const noTarget = (): PawlError =>
  new PawlError(2, 'No iteration target set. Generate content first with /generate', undefined, 'no_target')

/** The levels that an iteration is given, then the taxonomy. */
function listLoaded(session: Session, target: string): string[] {
  const open = session.open!
  const { type } = open.loaded
  const level = findLevel(type, target)!
  const upstream = level.context.filter((id) => {
    const from = findLevel(type, id)
    return from && readFiles(open, from).length > 0
  })
  const taxonomy = level.context.includes('taxonomy') ? ['taxonomy'] : []
  return [...upstream, target, ...taxonomy]
}

const analyze: WritingCommand = {
  name: 'analyze',
  usage: '[aspect] [wishes]',
  says: 'write a report about an aspect of the work',
  args: ({ open }) => open?.loaded.type.analyses.map(({ name }) => name) ?? [],
  run: async (session, { words, rest }) => {
    const open = requireProject(session)
    const { analyses, levels, title } = open.loaded.type
    const [aspect = ''] = words
    const found = analyses.find(({ name }) => name === aspect)
    const leaf = levels.find((level) => level.leaf)
    if (analyses.length === 0) throw new PawlError(2, `a ${title.toLowerCase()} has no analyses`)
    if (!leaf || !found) {
      if (aspect !== '') session.page.error(`there is no aspect ${aspect}`)
      session.page.line('Aspects:')
      for (const { name, asks } of analyses) session.page.line(`  /analyze ${name}: ${asks}`)
      return
    }
    const feedback = rest.slice(aspect.length).trim()
    await runIteration(session, { kind: 'analyze', target: leaf.id, feedback, analysis: found.name })
  },
}

export const workCommands: readonly WritingCommand[] = [generate, iterate, analyze]
