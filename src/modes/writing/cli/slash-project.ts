import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decodeText, readTextFile } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { createRunId } from '../../../run/new-run.ts'
import { formatCount } from '../../../show/format.ts'
import { type Project, projectName } from '../contract/project.ts'
import { findLevel } from '../core/level/levels.ts'
import { splitDraft } from '../core/split-draft.ts'
import { commitChanges } from '../project/commit-changes.ts'
import { readPreferences } from '../project/preferences.ts'
import {
  formatProject,
  listFiles,
  listProjects,
  type OpenProject,
  projectFile,
  typeFolders,
} from '../project/project.ts'
import { trailers } from '../project/save.ts'
import { findTypes, loadType } from '../project/types.ts'
import { configFolder, openFor } from '../start/open.ts'
import { ensureRepository } from '../start/repository.ts'
import { askChoice, askText } from './ask-choice.ts'
import { createStarter, requireProject } from './iterate.ts'
import type { WritingCommand } from './slash-command.ts'
import { offerOpenRuns } from './slash-history.ts'
import { findAdvanced, type Session, setTarget } from './state.ts'

const open: WritingCommand = {
  name: 'open',
  usage: '<project>',
  says: 'open a project',
  args: ({ studio }) => listProjects(studio),
  run: async (session, { words }) => {
    const projects = listProjects(session.studio)
    const [name = projects.length === 1 ? projects[0] : undefined] = words
    if (name === undefined) {
      session.page.line(
        projects.length > 0 ? `Projects: ${projects.join(', ')}` : 'There is no project here yet. Make one with /new',
      )
      return
    }
    openInSession(session, name)
    await offerOpenRuns(session)
  },
}

/** Opens a project and says what it is. */
export function openInSession(session: Session, name: string): void {
  const found = openFor(session.machine, { studio: session.studio, project: name })
  session.open = found
  session.preferences = readPreferences(session.machine, found.name)
  session.target = session.preferences.target ?? findAdvanced(found)?.id
  session.page.line(`Project: ${found.name} (${describeProject(found)})`)
  if (session.target !== undefined) session.page.line(`[Iteration target: ${session.target}]`)
}

/** "fantasy, 80k words, 15 chapters" */
function describeProject(found: OpenProject): string {
  const { project, loaded } = found
  const { type } = loaded
  const series = type.levels.find((level) => level.series)
  const existing = series ? listFiles(found, series).filter(({ kind }) => kind === 'part').length : 0
  const parts = existing || project.parts || type.parts
  const words = project.words ?? type.words
  return [
    project.genre ?? type.title.toLowerCase(),
    ...(words ? [`${words >= 1000 ? `${Math.round(words / 1000)}k` : words} words`] : []),
    ...(series?.series && parts ? [`${parts} ${parts === 1 ? series.series.one : series.series.many}`] : []),
  ].join(', ')
}

const create: WritingCommand = {
  name: 'new',
  usage: '[name]',
  says: 'make a project: four questions',
  run: async (session, { rest }) => {
    const { studio, machine, page } = session
    const name = await askName(session, rest)
    if (name === undefined) return
    const folders = typeFolders(studio, configFolder(machine))
    const types = findTypes(folders).map((one) => one.name)
    const type = await askChoice(session, `What is it? (${types.join('/')})`, types)
    if (type === undefined) return
    const { type: chosen } = loadType(type, folders)
    const answers: Record<string, string> = {}
    for (const { key, asks, choices, default: fallback } of chosen.questions) {
      const offered = choices === 'genres' ? Object.keys(chosen.taxonomy?.genres ?? {}) : choices
      const answer = offered
        ? await askChoice(session, `${asks} (${offered.join('/')})`, [...offered])
        : await askText(session, `${asks} `)
      if (answer === undefined) return
      const value = answer.trim() === '' ? fallback : answer.trim()
      if (value !== undefined) answers[key] = value
    }
    await createProject(session, { name, type, created_at: new Date(machine.clock.now()).toISOString(), ...answers })
    openInSession(session, name)
    const [first] = chosen.levels
    page.line(`Next: /generate ${first!.id}`)
  },
}

/** A name that is free and can be a folder. undefined: the person left. */
async function askName(session: Session, given: string): Promise<string | undefined> {
  for (let name = given.trim(); ; name = '') {
    if (name === '') {
      const typed = await askText(session, 'Name of the project: ')
      if (typed === undefined) return undefined
      name = typed.trim()
    }
    const folder = name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .normalize('NFKD')
      .replace(/[^\w-]/g, '')
    if (!projectName.test(folder)) session.page.line('A name has letters, digits and -, at most 64.')
    else if (existsSync(join(session.studio, folder))) session.page.line(`${folder} exists already.`)
    else return folder
  }
}

async function createProject(session: Session, project: Project): Promise<void> {
  const { studio, machine } = session
  await ensureRepository(machine, studio, createStarter(session))
  const folder = join(studio, project.name)
  await commitFiles(
    session,
    folder,
    [{ path: projectFile, bytes: formatProject(project) }],
    `[project] New project ${project.name}`,
  )
}

/** Writes new files of a project and commits them. */
async function commitFiles(
  { machine }: Session,
  folder: string,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  subject: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const id = createRunId(new Date(machine.clock.now()))
  const commits = await machine.git.openPathCommits(folder)
  const edits = files.map(({ path, bytes }) => ({ path, content: bytes, was: null }))
  const made = await commitChanges(
    edits,
    { subject, trailers: { [trailers.iteration]: id } },
    { commits, place: machine.place, folder, run: id },
  )
  if (made.is === 'refused') throw new PawlError(10, made.says)
}

const importDraft: WritingCommand = {
  name: 'import',
  usage: '<file>',
  says: 'split an existing draft into the levels of this project',
  run: async (session, { rest }) => {
    const found = requireProject(session)
    const { page } = session
    if (rest === '') throw new PawlError(2, 'Name the file of the draft: /import draft.md')
    const bytes = readTextFile(rest, session.studio)
    if (!bytes) throw new PawlError(30, `there is no file ${rest}`)
    const { type } = found.loaded
    const { files, notes } = splitDraft(decodeText(bytes, rest), type)
    const taken = files.filter(({ level, name }) =>
      existsSync(join(found.folder, findLevel(type, level)!.folder, name)),
    )
    if (taken.length > 0)
      throw new PawlError(
        30,
        `${taken[0]!.name} exists already, and ${formatCount(taken.length, 'file')} would be overwritten`,
        `Cull the level first: /cull ${taken[0]!.level}`,
      )
    page.lines(notes)
    if (files.length === 0) return
    for (const level of new Set(files.map((file) => file.level))) {
      const own = files.filter((file) => file.level === level)
      page.line(`  ${level}: ${formatCount(own.length, 'file')}`)
    }
    if ((await askChoice(session, 'Import these? (yes/no)', ['yes', 'no'])) !== 'yes') return
    const placed = files.map(({ level, name, text }) => ({
      path: `${findLevel(type, level)!.folder}/${name}`,
      bytes: new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`),
    }))
    await commitFiles(session, found.folder, placed, `[import] ${basename(rest)}`)
    const target = files.at(-1)?.level
    page.line(`✓ Imported ${formatCount(files.length, 'file')}`)
    if (target) {
      setTarget(session, target)
      page.line(`[Iteration target: ${target}]`)
    }
  },
}

export const projectCommands: readonly WritingCommand[] = [create, open, importDraft]
