import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { decodeText } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Files } from '../../../ports/files.ts'
import { quoteShell } from '../../../show/format.ts'
import {
  History,
  type HistoryEntry,
  historyFile,
  mostFileBytes,
  Project,
  Sources,
  sourcesFile,
} from '../contract/project.ts'
import type { Level } from '../contract/project-type.ts'
import type { BaseFile } from '../contract/request.ts'
import { type LevelFile, listLevelFiles } from '../core/level/levels.ts'
import { frontMatterFile } from '../core/split-draft.ts'
import { builtInTypesFolder, type LoadedType, loadType } from './types.ts'

/** A project on disk. */
export type OpenProject = {
  readonly name: string
  /** The studio: the folder that the projects are in. Runs and state are kept there. */
  readonly studio: string
  /** The project's folder, absolute and from the studio. */
  readonly folder: string
  readonly shown: string
  readonly project: Project
  readonly loaded: LoadedType
}

export const projectFile = 'project.yaml'

/** Returns the folders of projects, by name: those in the studio, or the studio itself. */
export function listProjects(studio: string): readonly string[] {
  const inside = readdirSync(studio, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith('.') && existsSync(join(studio, entry.name, projectFile)),
    )
    .map(({ name }) => name)
    .sort()
  return existsSync(join(studio, projectFile)) ? ['.', ...inside] : inside
}

/** Folders that may hold project types, the person's own first. */
export const typeFolders = (studio: string, configFolder: string): readonly string[] => [
  join(studio, 'types'),
  join(configFolder, 'types'),
  builtInTypesFolder(),
]

/** Opens a project by its folder. Throws a PawlError that names what is wrong. */
export function openProject(
  studio: string,
  name: string,
  { files, folders }: { readonly files: Files; readonly folders: readonly string[] },
): OpenProject {
  const folder = resolve(studio, name)
  if (!existsSync(join(folder, projectFile))) throw noProject(studio, name)
  if (isOutside(studio, folder)) throw new PawlError(30, `${name} is a link to a folder outside of ${studio}`)
  const project = readProjectFile(join(folder, projectFile), files)
  const shown = relative(studio, folder)
  return { name: project.name, studio, folder, shown, project, loaded: loadType(project.type, folders) }
}

function noProject(studio: string, name: string): PawlError {
  const known = listProjects(studio)
  const near = findNearest(name, known)
  const hint = near
    ? `Did you mean ${near}?`
    : known.length > 0
      ? `Projects here: ${known.join(', ')}`
      : 'To make one: /new'
  return new PawlError(30, `there is no project ${name} here`, hint, 'no_project')
}

function readProjectFile(path: string, files: Files): Project {
  try {
    return Project.parse(parse(files.read(path, mostFileBytes)))
  } catch (error) {
    const why = error instanceof z.ZodError ? describeIssue(error) : (error as Error).message.split('\n')[0]
    throw new PawlError(30, `${path} cannot be read: ${why}`, 'Correct it, or restore it: git checkout -- project.yaml')
  }
}

/** The content of a new `project.yaml`. */
export const formatProject = (project: Project): Uint8Array => new TextEncoder().encode(stringify(project))

const describeIssue = (error: z.ZodError): string => {
  const { path, message } = error.issues[0]!
  return `${path.join('.')}: ${message}`
}

/** Returns the files of a level that exist, in reading order. */
export function listFiles({ folder }: Pick<OpenProject, 'folder'>, level: Level): readonly LevelFile[] {
  const path = join(folder, level.folder)
  if (!existsSync(path)) return []
  if (isOutside(folder, path)) throw linkError(path, 'a link to a folder outside of the project')
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile() || entry.isSymbolicLink())
  const found = listLevelFiles(
    level,
    entries.map(({ name }) => `${level.folder}/${name}`),
  )
  const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name))
  const link = found.find((file) => links.has(basename(file.path)))
  if (link) throw linkError(join(folder, link.path), 'a link')
  return found
}

const isOutside = (folder: string, path: string): boolean =>
  relative(realpathSync(folder), realpathSync(path)).split(sep)[0] === '..'

/** What a link leads to would be sent to a model, and the link would be replaced by a file. */
const linkError = (path: string, what: string): PawlError =>
  new PawlError(30, `${path} is ${what}`, 'Replace the link with a copy of what it leads to.', 'link')

/** Reads the files of a level. Texts have plain line breaks; hashes are those of the bytes. */
export const readFiles = (open: Pick<OpenProject, 'folder'>, level: Level): readonly BaseFile[] =>
  listFiles(open, level).map(({ path }) => {
    const bytes = readPlainFile(join(open.folder, path), path)
    return { path, sha256: hashText(bytes), text: decodeText(bytes, path).replaceAll('\r\n', '\n') }
  })

/** What an imported draft has before its first part: a title, a dedication. It is no file of the level. */
export function readFrontMatter(open: Pick<OpenProject, 'folder'>, level: Level): readonly BaseFile[] {
  const path = `${level.folder}/${frontMatterFile}`
  if (!level.series || !existsSync(join(open.folder, path))) return []
  const bytes = readPlainFile(join(open.folder, path), path)
  return [{ path, sha256: hashText(bytes), text: decodeText(bytes, path).replaceAll('\r\n', '\n') }]
}

/** The hashes of a level's files, by path. */
export const hashFiles = (open: Pick<OpenProject, 'folder'>, level: Level): readonly (readonly [string, string])[] =>
  listFiles(open, level).map(({ path }) => [path, hashText(readPlainFile(join(open.folder, path), path))])

export const hashText = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** Reads a regular file without following a symlink or waiting for a named pipe. */
function readPlainFile(path: string, shown: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(fd)
    if (size > mostFileBytes) throw new PawlError(30, `${shown} is larger than 1 MiB`, 'Split it into several files.')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The history of a level, newest first. Empty if there is none. */
export const readHistory = ({ folder }: Pick<OpenProject, 'folder'>, level: Level): readonly HistoryEntry[] =>
  readOwnFile(join(folder, level.folder, historyFile), History)?.iterations ?? []

export const readSources = ({ folder }: Pick<OpenProject, 'folder'>, level: Level): Sources =>
  readOwnFile(join(folder, level.folder, sourcesFile), Sources) ?? { version: 1, files: {} }

/** Undefined if the file does not exist. A damaged one is refused, because it would be overwritten. */
export function readOwnFile<T>(path: string, schema: z.ZodType<T>): T | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (!found.isFile()) throw linkError(path, found.isSymbolicLink() ? 'a link' : 'not a file')
  const parsed = schema.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data
  const restore = `git -C ${quoteShell(dirname(path))} checkout -- ${basename(path)}`
  throw new PawlError(30, `${path} is damaged`, `Correct it, or restore it: ${restore}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
