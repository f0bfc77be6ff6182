import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Case, Project } from './case.ts'

const ask = (program: string, ...words: string[]): string => {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** The programs themselves: version managers start them through scripts that look into the home folder. */
const toolFolders = [ask('rustup', 'which', 'cargo'), ask('python3', '-c', 'import sys; print(sys.executable)')]
  .filter((path) => path !== '')
  .map(dirname)

/** `PAWL_PACKAGES` has the packages of this repository: projects link those that they need into their `node_modules`. */
export const caseEnvironment = {
  GOCACHE: join(tmpdir(), 'pawl-go-cache'),
  PATH: [dirname(process.execPath), ...toolFolders, process.env.PATH].join(':'),
  PAWL_PACKAGES: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
}

export const isInstalled = (need: string): boolean => {
  const [program = '', module] = need.split(':')
  const env = { ...process.env, ...caseEnvironment }
  const words = module === undefined ? ['-c', `command -v ${program}`] : ['-c', `${program} -c 'import ${module}'`]
  return spawnSync('/bin/sh', words, { env, stdio: 'ignore' }).status === 0
}

/** Writes a project into a folder as a repository with one commit. Returns git in it. */
export function layOut(project: Project, folder: string, env: NodeJS.ProcessEnv): (...words: string[]) => string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  writeAll(folder, project.files)
  makeExecutable(folder, project.executable)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'begin')
  writeAll(folder, project.ignored ?? {})
  makeExecutable(folder, project.executable)
  if (project.needs.includes('go')) fillGoCache()
  if (project.before) execFileSync('/bin/sh', ['-c', project.before], { cwd: folder, env, stdio: 'pipe' })
  return git
}

let isFilled = false
/** What a room compiles is thrown away, so that it would compile Go's own packages each time. */
function fillGoCache(): void {
  if (isFilled) return
  isFilled = true
  const folder = fs.mkdtempSync(join(tmpdir(), 'pawl-go-'))
  writeAll(folder, {
    'go.mod': 'module fill\n',
    'fill_test.go': `package fill\n\nimport (\n${goPackages.map((name) => `\t_ "${name}"\n`).join('')})\n`,
  })
  execFileSync('go', ['test', './...'], { cwd: folder, env: { ...process.env, ...caseEnvironment }, stdio: 'pipe' })
  fs.rmSync(folder, { recursive: true, force: true })
}
const goPackages =
  `bufio bytes encoding/json errors flag fmt io math os os/exec path/filepath reflect regexp runtime sort strconv strings sync syscall
  testing time unsafe`.split(/\s+/)

/** Does what the agent of a case does. */
export function applyCase(one: Omit<Case, 'in'>, folder: string, env: NodeJS.ProcessEnv): void {
  for (const path of one.delete ?? []) fs.rmSync(join(folder, path), { recursive: true, force: true })
  writeAll(folder, one.write ?? {})
  makeExecutable(folder, one.executable)
  if (one.run) execFileSync('/bin/sh', ['-c', one.run], { cwd: folder, env, stdio: 'pipe' })
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
    fs.writeFileSync(join(folder, path), text)
  }
}

function makeExecutable(folder: string, paths: readonly string[] = []): void {
  for (const path of paths) if (fs.existsSync(join(folder, path))) fs.chmodSync(join(folder, path), 0o755)
}
