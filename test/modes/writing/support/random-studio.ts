import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { matchStyle } from '../../../../src/contract/human-text.ts'
import { openMachine } from '../../../../src/machine/open-machine.ts'
import { historyFile, isOwnFile, sourcesFile } from '../../../../src/modes/writing/contract/project.ts'
import type { SavePlan } from '../../../../src/modes/writing/core/save-plan.ts'
import { openProject } from '../../../../src/modes/writing/project/project.ts'
import { builtInTypesFolder } from '../../../../src/modes/writing/project/types.ts'

/** A file as it is, or as it should be. A link's bytes are its target. */
export type File = { readonly bytes: Buffer; readonly mode: '100644' | '100755' | '120000' }
export type Change = { readonly path: string; readonly before: File | undefined; readonly after: File | undefined }

/** An iteration and what the last commit about it has changed. */
export type Step = {
  readonly id: string
  readonly level: string
  readonly at: string
  readonly changes: readonly Change[]
}

/** What a project should look like: on disk, in HEAD, and its iterations, each list oldest first. */
export type Expected = {
  readonly name: string
  readonly disk: Map<string, File>
  readonly head: Map<string, File>
  /** Paths that the person has staged. */
  readonly staged: Set<string>
  applied: Step[]
  undone: Step[]
}

const memory = '/dev/shm'

export type Studio = ReturnType<typeof newStudio>

/** A repository with some projects, and other work of the person in it: staged, changed and untracked. */
export function newStudio(names: readonly string[]) {
  // In memory where that is possible: each commit waits for the disk several times.
  const root = fs.mkdtempSync(join(fs.existsSync(memory) ? memory : tmpdir(), 'pawl-undo-'))
  const studio = join(root, 'Bücher und mehr')
  fs.mkdirSync(studio)
  const env = { PATH: process.env.PATH!, HOME: root }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: studio, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  const at = (path: string): string => join(studio, path)
  const write = (path: string, bytes: Uint8Array | string): void => {
    fs.mkdirSync(dirname(at(path)), { recursive: true })
    fs.writeFileSync(at(path), bytes)
  }
  for (const name of names) write(`${name}/project.yaml`, stringify({ name, type: 'novel', created_at: '2026-01-01' }))
  write('.gitignore', '*.bak\n')
  for (const name of ['staged', 'changed', 'gone']) write(`elsewhere/${name}.md`, 'one\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  write('elsewhere/staged.md', 'two\n')
  git('add', 'elsewhere/staged.md')
  git('rm', '-q', '--cached', 'elsewhere/gone.md')
  for (const name of ['staged', 'changed', 'untracked']) write(`elsewhere/${name}.md`, 'three\n')
  const machine = openMachine(
    { program: 'pawl', cwd: studio, env, home: root, folder: '.pawl', stateFolder: join(root, 'state') },
    { modes: [] },
  )
  const open = (name: string) => openProject(studio, name, { files: machine.files, folders: [builtInTypesFolder()] })
  const projects = names.map(
    (name): Expected => ({ name, disk: new Map(), head: new Map(), staged: new Set(), applied: [], undone: [] }),
  )
  const elsewhere = (): string => git('status', '--porcelain', '--', 'elsewhere')
  const before = elsewhere()
  const isElsewhereSame = (): boolean =>
    elsewhere() === before && git('log', '--format=%s', '--', 'elsewhere') === 'first\n'
  const close = (): void => fs.rmSync(root, { recursive: true, force: true })
  return { studio, git, at, write, machine, open, projects, isElsewhereSame, close }
}

/** The person writes or removes a file. */
export function putFile({ at }: Studio, { name, disk }: Expected, path: string, file: File | undefined): void {
  const full = at(`${name}/${path}`)
  fs.rmSync(full, { force: true })
  if (!file) disk.delete(path)
  else {
    disk.set(path, file)
    fs.mkdirSync(dirname(full), { recursive: true })
    if (file.mode === '120000') fs.symlinkSync(file.bytes.toString(), full)
    else fs.writeFileSync(full, file.bytes, { mode: file.mode === '100755' ? 0o755 : 0o644 })
  }
}

export const isSame = (one: File | undefined, other: File | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one.bytes, other.bytes) === 0

export const hash = ({ bytes }: File): string => createHash('sha256').update(bytes).digest('hex')

/** The program commits what the person has done: files alone, and not hidden or ignored ones. */
export function expectManualCommit({ disk, head, staged }: Expected): string[] {
  const isCounted = (path: string): boolean =>
    !path.split('/').some((part) => part.startsWith('.')) && !path.endsWith('.bak') && !isOwnFile(path)
  const paths = [...new Set([...disk.keys(), ...head.keys()])].filter(isCounted)
  const edited = paths.filter((path) => disk.get(path)?.mode !== '120000' && !isSame(disk.get(path), head.get(path)))
  for (const path of edited) {
    place(head, path, disk.get(path), head.get(path)?.mode)
    staged.delete(path)
  }
  return edited.sort()
}

/** A file of git keeps the mode that it had. */
function place(tree: Map<string, File>, path: string, file: File | undefined, mode: File['mode'] | undefined): void {
  if (file) tree.set(path, { bytes: file.bytes, mode: mode ?? '100644' })
  else tree.delete(path)
}

export type Target = { readonly path: string; readonly bytes: Buffer | null; readonly mode: File['mode'] | undefined }

/** What a plan makes of each file, in the style of the file that is there. */
export const listTargets = ({ files, culled }: SavePlan, { disk }: Expected): Target[] =>
  [...files, ...culled].map(({ path, text }) => {
    const now = disk.get(path)
    const styled =
      text !== null && now ? matchStyle(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(now.bytes)) : text
    return { path, bytes: styled === null ? null : Buffer.from(styled), mode: now?.mode }
  })

/** The program writes and commits these files. Returns what the commit changes. */
export function expectCommit({ disk, head }: Expected, targets: readonly Target[]): Change[] {
  return targets.flatMap(({ path, bytes, mode }) => {
    const before = head.get(path)
    const now = disk.get(path)
    const file = bytes === null ? undefined : { bytes, mode: mode ?? '100644' }
    place(disk, path, file, now?.mode ?? mode)
    place(head, path, file, before?.mode ?? mode)
    const after = head.get(path)
    return isSame(before, after) ? [] : [{ path, before, after }]
  })
}

/** Compares everything of a project with what it should be. */
export function findDifferences({ at, git }: Studio, project: Expected): string[] {
  const { name, disk, head, staged } = project
  const there = readTree(at(name))
  const known = parseTree(git('ls-tree', '-r', '-z', 'HEAD', '--', `${name}/`), name)
  const wanted = new Map([...head].map(([path, file]) => [path, `${file.mode} ${blobId(file)}`] as const))
  const cached = git('diff', '--cached', '--name-only', '-z', '--', `${name}/`).split('\0').filter(Boolean)
  return [
    ...compare(describe(disk), describe(there)).map((path) => `on disk: ${path}`),
    ...compare(wanted, known).map((path) => `in HEAD: ${path}`),
    ...compare(
      new Map([...staged].map((path) => [`${name}/${path}`, ''])),
      new Map(cached.map((path) => [path, ''])),
    ).map((path) => `staged: ${path}`),
    ...findOwnProblems(at(name), project),
  ]
}

const describe = (tree: ReadonlyMap<string, File>): Map<string, string> =>
  new Map([...tree].map(([path, file]) => [path, `${file.mode} ${blobId(file)}`]))

const compare = (wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] =>
  [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((path) => wanted.get(path) !== found.get(path))
    .map((path) => `${path} is ${found.get(path) ?? 'missing'} instead of ${wanted.get(path) ?? 'missing'}`)

const blobId = ({ bytes }: File): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** All files of a project but the program's own. Links are not followed. */
function readTree(folder: string, path = ''): Map<string, File> {
  const entries = fs.readdirSync(join(folder, path), { withFileTypes: true })
  return new Map(
    entries.flatMap((entry): [string, File][] => {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      const full = join(folder, inside)
      if (entry.isDirectory()) return [...readTree(folder, inside)]
      if (isOwnFile(inside)) return []
      if (entry.isSymbolicLink()) return [[inside, { bytes: Buffer.from(fs.readlinkSync(full)), mode: '120000' }]]
      const isExecutable = (fs.statSync(full).mode & 0o100) !== 0
      return [[inside, { bytes: fs.readFileSync(full), mode: isExecutable ? '100755' : '100644' }]]
    }),
  )
}

const parseTree = (output: string, name: string): Map<string, string> =>
  new Map(
    output
      .split('\0')
      .filter(Boolean)
      .map((line): [string, string] => {
        const [, mode, id, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line)!
        return [path!.slice(name.length + 1), `${mode} ${id}`]
      })
      .filter(([path]) => !isOwnFile(path)),
  )

/** Each history has the iterations that hold, newest first. What a file was made from is about the file as it is. */
function findOwnProblems(folder: string, { applied, disk, head }: Expected): string[] {
  const levels = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return levels.flatMap(({ name: level }) => {
    const wanted = applied
      .filter((step) => step.level === level)
      .toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1))
      .map(({ id }) => id)
    const history = readJson(join(folder, level, historyFile)) as { iterations: { iteration_id: string }[] } | undefined
    const listed = history?.iterations.map(({ iteration_id }) => iteration_id) ?? []
    const sources = readJson(join(folder, level, sourcesFile)) as
      | { files: Record<string, { sha256: string }> }
      | undefined
    const outdated = Object.entries(sources?.files ?? {}).filter(([name, { sha256 }]) => {
      const path = `${level}/${name}`
      // Files that the person has changed are the person's.
      const isTouched = !isSame(disk.get(path), head.get(path)) || !isLastByProgram(path)
      return !isTouched && (!disk.has(path) || hash(disk.get(path)!) !== sha256)
    })
    return [
      ...findOther(`the history of ${level}`, listed, wanted),
      ...outdated.map(([name]) => `${level}/${sourcesFile} is not about this ${name}`),
    ]
  })
  function isLastByProgram(path: string): boolean {
    const last = applied.findLast(({ changes }) => changes.some((change) => change.path === path))
    const after = last?.changes.find((change) => change.path === path)?.after
    return last !== undefined && isSame(after, disk.get(path))
  }
}

/** Says so if a list is not as wanted. */
export const findOther = (what: string, found: readonly string[], wanted: readonly string[]): string[] =>
  String(found) === String(wanted) ? [] : [`${what}: ${found.join(', ')} instead of ${wanted.join(', ')}`]

const readJson = (path: string): unknown =>
  fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : undefined
