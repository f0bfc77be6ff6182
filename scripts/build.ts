// Builds dist: the bundled program and library, the declarations that users of the library need, the recorded out-dirs, the project types
// of writing, and the help texts as files, so that help is printed without loading any module.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pruneDeclarations } from './build/declarations.ts'
import { listExported } from './build/exported.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

if (existsSync(compiler) || process.env.npm_lifecycle_event !== 'prepare') await build()
// `npm ci --omit=dev` installs no compiler. bin/pawl then runs src directly.
else console.log('prepare: no compiler installed, so dist is not built; ./bin/pawl runs src')

async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  const exported = listExported(root)
  compileDeclarations()
  pruneDeclarations(dist, exported)
  await bundleProgram(exported)
  copyOutDirs()
  copyProjectTypes()
  await buildPage()
  await writeHelp()
}

function compileDeclarations(): void {
  const command = [compiler, '-p', join(root, 'tsconfig.build.json')]
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Imports the bundler late, because a checkout without dev dependencies has none. */
async function bundleProgram(exported: readonly string[]): Promise<void> {
  const { bundle } = await import('./build/bundle.ts')
  const { formatLicences } = await import('./build/licences.ts')
  const modules = await bundle(root, exported)
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), formatLicences(modules, root))
}

/** Copies the recorded out-dirs without formatting, which is only for reviewers. */
function copyOutDirs(): void {
  const from = join(root, 'src', 'testing', 'out-dirs')
  const to = join(dist, 'testing', 'out-dirs')
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    writeFileSync(join(to, name), JSON.stringify(JSON.parse(readFileSync(join(from, name), 'utf8'))))
  }
}

/** People read these files to write their own, so they are copied as they are. */
function copyProjectTypes(): void {
  cpSync(join(root, 'src', 'modes', 'writing', 'types'), join(dist, 'types'), { recursive: true })
}

/** Builds the page of `pawl serve` into dist/web. */
async function buildPage(): Promise<void> {
  const vite = await import('vite')
  await vite.build({ configFile: join(root, 'web', 'vite.config.ts'), root: join(root, 'web'), logLevel: 'warn' })
}

async function writeHelp(): Promise<void> {
  const { helpTexts } = (await import(pathToFileURL(join(dist, 'main.js')).href)) as typeof import('../src/main.ts')
  for (const [name, text] of Object.entries(helpTexts())) writeFileSync(join(dist, name), text)
}
