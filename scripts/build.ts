// Builds dist: the compiled source, the recorded out-dirs beside it, then the help text as a file, so that help is printed
// before anything is loaded.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const outDirs = join(root, 'src', 'testing', 'out-dirs')
const renderHelp = join(root, 'dist', 'surfaces', 'cli', 'render-help.js')

if (existsSync(compiler) || process.env.npm_lifecycle_event !== 'prepare') build()
// npm ci --omit=dev brings no compiler. bin/pawl then runs src as it is.
else console.log('prepare: no compiler installed, so dist is not built; ./bin/pawl runs src')

function build(): void {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const project = join(root, 'tsconfig.build.json')
  // Comments are for readers of the source and of the types: in what is run they would only take room in the package.
  run(compiler, '-p', project, '--emitDeclarationOnly')
  run(compiler, '-p', project, '--declaration', 'false', '--removeComments')
  if (existsSync(outDirs)) copyOutDirs(join(root, 'dist', 'testing', 'out-dirs'))
  if (existsSync(renderHelp)) run(renderHelp)
}

/** Without the line breaks that are for reviewers: a fifth of what they take in the package. */
function copyOutDirs(folder: string): void {
  mkdirSync(folder)
  for (const name of readdirSync(outDirs)) {
    writeFileSync(join(folder, name), JSON.stringify(JSON.parse(readFileSync(join(outDirs, name), 'utf8'))))
  }
}

function run(...command: string[]): void {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
