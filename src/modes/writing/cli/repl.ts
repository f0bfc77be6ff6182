import { join } from 'node:path'
import { type ExitCode, PawlError } from '../../../contract/exit.ts'
import { toPawlError } from '../../../run/errors.ts'
import { openHistory } from '../../../surfaces/repl/history.ts'
import { openLineReader } from '../../../surfaces/repl/line-reader.ts'
import { completeSlashCommand, formatUnknownCommand, parseSlashCommand } from '../../../surfaces/repl/slash-commands.ts'
import type { Invocation } from '../../../surfaces/terminal/command.ts'
import { findLevel } from '../core/level/levels.ts'
import { ignoreState } from '../project/preferences.ts'
import { listFiles, listProjects } from '../project/project.ts'
import { notFound } from '../start/target.ts'
import { requireProject, runIteration } from './iterate.ts'
import { createPage } from './screen.ts'
import type { WritingCommand } from './slash-command.ts'
import { exportWork } from './slash-export.ts'
import { historyCommands, offerOpenRuns } from './slash-history.ts'
import { infoCommands } from './slash-info.ts'
import { openInSession, projectCommands } from './slash-project.ts'
import { noTarget, workCommands } from './slash-work.ts'
import { newSessionId, type Session, studioMachine } from './state.ts'

/** The REPL: every text that is not a command is feedback for the current target. */
export async function runRepl(invocation: Invocation, studio: string, project: string | undefined): Promise<ExitCode> {
  const session = openSession(invocation, studio)
  const { page, reader } = session
  try {
    const projects = listProjects(studio)
    const name = project ?? (projects.length === 1 ? projects[0] : undefined)
    if (name === undefined) page.line(greet(projects))
    else await attempt(session, async () => openInSession(session, name))
    await attempt(session, async () => (session.open ? offerOpenRuns(session) : undefined))
    while (!session.isOver) {
      const input = await reader.read('> ', { complete: (before) => completeInput(session, before) })
      if (input.is !== 'text') break
      if (input.text !== '') await attempt(session, () => handleInput(session, input.text))
    }
    return 0
  } finally {
    reader.close()
  }
}

const greet = (projects: readonly string[]): string =>
  projects.length > 0
    ? `Projects: ${projects.join(', ')}. Open one with /open, make one with /new; /help lists the commands.`
    : 'There is no project here yet. Make one with /new; /help lists the commands.'

function openSession(invocation: Invocation, studio: string): Session {
  const { io, program } = invocation
  const machine = studioMachine(program.machine, studio)
  const { env, folder, stateFolder } = machine.environment
  const history = openHistory({
    project: join(studio, folder, 'state', 'writing', 'input-history'),
    global: join(stateFolder, 'input-history'),
    limit: 1000,
  })
  const addInput = (text: string): void => {
    ignoreState(machine)
    history.add(text)
  }
  const reader = openLineReader({
    io,
    input: process.stdin,
    output: process.stdout,
    env,
    history: { ...history, add: addInput },
    now: () => performance.now(),
  })
  return {
    invocation,
    machine,
    page: createPage(io),
    reader,
    studio,
    id: newSessionId(),
    open: undefined,
    target: undefined,
    preferences: {},
    speed: undefined,
    isOver: false,
  }
}

/** An error ends a command, never the session. */
async function attempt(session: Session, act: () => Promise<void> | undefined): Promise<void> {
  try {
    await act()
  } catch (error) {
    const known = toPawlError(error)
    session.page.error(known.message, known.hintFor(session.machine.environment))
  }
}

async function handleInput(session: Session, text: string): Promise<void> {
  const slash = parseSlashCommand(text)
  if (!slash) return giveFeedback(session, text)
  if (slash.rest.includes('\n') && !['generate', 'analyze'].includes(slash.name)) {
    session.page.error('a command is one line; nothing was done', 'Enter the commands one after the other.')
    return
  }
  const command = commands.find(({ name }) => name === slash.name)
  if (command) await command.run(session, slash)
  else
    session.page.error(
      formatUnknownCommand(
        slash.name,
        commands.map(({ name }) => ({ name })),
      ),
    )
}

/** Feedback for the current target. */
async function giveFeedback(session: Session, feedback: string): Promise<void> {
  const { target } = session
  const word = feedback.trim().toLowerCase()
  if (commands.some(({ name }) => name === word))
    throw new PawlError(2, `Did you mean /${word}?`, 'As feedback, say it in more words.')
  if (['yes', 'no', 'y', 'n'].includes(word)) throw new PawlError(2, 'No question is open')
  const open = requireProject(session)
  if (target === undefined) throw noTarget()
  const level = findLevel(open.loaded.type, target)!
  if (listFiles(open, level).length === 0) throw notFound(level)
  await runIteration(session, { kind: 'iterate', target, feedback })
}

function completeInput(session: Session, before: string) {
  return completeSlashCommand(
    before,
    commands.map(({ name, args }) => ({ name, ...(args && { args: () => args(session) }) })),
  )
}

const help: WritingCommand = {
  name: 'help',
  says: 'list the commands',
  run: ({ page }) => {
    page.lines(['Any text that is not a command is feedback for the current target: "Make chapter 3 darker".', ''])
    for (const { name, usage, says } of commands)
      page.line(`  ${`/${name}${usage ? ` ${usage}` : ''}`.padEnd(28)} ${says}`)
  },
}

const exit: WritingCommand = {
  name: 'exit',
  says: 'leave; everything is saved',
  run: (session) => {
    session.isOver = true
  },
}
const quit: WritingCommand = { ...exit, name: 'quit', says: 'the same as /exit' }

const commands: readonly WritingCommand[] = [
  ...projectCommands,
  exportWork,
  ...workCommands,
  ...historyCommands,
  ...infoCommands,
  help,
  exit,
  quit,
]
