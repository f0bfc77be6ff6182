import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

const bin = fileURLToPath(new URL('../../../bin/', import.meta.url))

export type Ended = { readonly exit: number | null; readonly said: string }
export type Scene = ReturnType<typeof newScene>

/** What a control plane brings: a repository with a PRD, a run input, an out-dir; and an agent that does as it is told. */
export type Setting = {
  readonly prd?: string
  readonly files?: Readonly<Record<string, string>>
  readonly agent?: readonly object[]
  readonly input?: Readonly<Record<string, unknown>>
}

const prd = `# Greetings

## Acceptance criteria

- **AC-01:** \`S1.txt\` holds a greeting.
- **AC-02:** \`S2.txt\` holds a farewell. Depends on AC-01.
`

const check = 'test -s "$1.txt" || { echo "$1.txt is missing or empty"; exit 1; }\n'

/** The folder is the caller's to close. */
export function newScene({ prd: text = prd, files = {}, agent = [], input = {} }: Setting) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-out-dir-')))
  // What is left of one run must not be taken for that of another.
  const run = `run_${root.slice(-6)}`
  const [repo, outDir] = [join(root, 'repo'), join(root, 'out')]
  const inRepo: Record<string, string> = { 'prd.md': text, 'check.sh': check, ...files }
  for (const [path, content] of Object.entries(inRepo)) {
    fs.mkdirSync(join(repo, path, '..'), { recursive: true })
    fs.writeFileSync(join(repo, path), content)
  }
  const env = { PATH: process.env.PATH!, HOME: root, USER: 'scarlet', TZ: 'UTC', LANG: 'C.UTF-8' }
  const git = (...words: string[]): void => void execFileSync('git', words, { cwd: repo, env, stdio: 'pipe' })
  const who = ['-c', 'user.name=Scarlet', '-c', 'user.email=scarlet@example.org']
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git(...who, 'commit', '--quiet', '--message=start')
  fs.writeFileSync(join(root, 'agent.yml'), stringify({ agent }))
  const runInput = {
    contract_version: 1,
    run_id: run,
    repo_path: repo,
    prd_path: 'prd.md',
    base_branch: 'main',
    working_branch: 'main',
    verification: { story_commands: ['sh check.sh {story_id}'], run_commands: ['sh check.sh S1 && sh check.sh S2'] },
    agent: { mode: 'scripted', script: join(root, 'agent.yml') },
    sandbox: 'off',
    ...input,
  }
  const inputFile = join(root, 'run-input.json')
  fs.writeFileSync(inputFile, `${JSON.stringify(runInput, null, 2)}\n`)

  const start = (name: 'santiago' | 'pawl', words: readonly string[], under: readonly string[] = []) => {
    const [first, ...rest] = [...under, join(bin, name), ...words]
    const child = spawn(first!, rest, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
    const ended = new Promise<Ended>((resolve) => child.on('close', (exit) => resolve({ exit, said })))
    return { child, ended }
  }
  const plan = (): Promise<Ended> => start('santiago', ['plan', '--input', inputFile, '--out-dir', outDir]).ended
  const execution = ['execute', '--input', inputFile, '--plan', join(outDir, 'plan.json'), '--out-dir', outDir]
  const execute = (under: readonly string[] = []) => start('santiago', execution, under)
  const stop = (): Promise<Ended> => start('pawl', ['stop', outDir]).ended

  /** Waits for a condition instead of a time. */
  async function until(condition: () => boolean, what: string): Promise<void> {
    for (const deadline = performance.now() + 30_000; !condition(); await delay(10)) {
      if (performance.now() > deadline) throw new Error(`not within 30 s: ${what}`)
    }
  }
  const holds = (file: string, text: string): boolean => {
    const path = join(outDir, file)
    return fs.existsSync(path) && fs.readFileSync(path, 'utf8').includes(text)
  }
  /** Ends what a killed program has left running. */
  async function close(): Promise<void> {
    if (fs.existsSync(join(outDir, 'progress.ndjson')) && !holds('result.json', '')) await stop()
    fs.rmSync(root, { recursive: true, force: true })
  }
  return { root, run, repo, outDir, close, plan, execute, stop, until, holds }
}
