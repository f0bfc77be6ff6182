import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import type { DeliveryResult } from '../../../../src/modes/delivery/contract/result.ts'
import { findRedCommits } from '../../../support/elsewhere.ts'
import type { Ended, Started } from '../../../surfaces/cli/pawl.ts'

const bin = fileURLToPath(new URL('../../../../bin/', import.meta.url))

/** Three criteria, the second of which waits for the first. */
const threeStories = `# Letters

## Acceptance Criteria

- **AC-01:** The file \`S1\` is there.
- **AC-02:** The file \`S2\` is there. Depends on AC-01.
- **AC-03:** The file \`S3\` is there.
`
export const oneStory = '# Letter\n\n## Acceptance Criteria\n\n- **AC-01:** The file `S1` is there.\n'

/** An agent that does what each story asks for, and nothing else. */
export const honest = ['S1', 'S2', 'S3'].map((task) => ({ when: { task }, write: { [task]: 'done\n' } }))

export type Options = {
  readonly prd?: string
  readonly agent?: readonly object[]
  readonly input?: object
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly name?: 'santiago' | 'pawl'
}

/** A repository on a branch of its own, a run input and an out-dir, as a control plane would lay them out. */
export function newDelivery(options: Options = {}) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-delivery-')))
  const repo = join(root, 'repo')
  const out = join(root, 'out')
  onTestFinished(() => {
    const red = findRedCommits(repo, root, env)
    fs.rmSync(root, { recursive: true, force: true })
    expect(red).toEqual([])
  })
  const own = { HOME: join(root, 'home'), NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }
  const env: typeof own & Record<string, string> = {
    PATH: process.env.PATH!,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...own,
    ...options.env,
  }
  fs.mkdirSync(env.HOME)
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: repo, env, encoding: 'utf8' }).trim()
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(join(repo, name, '..'), { recursive: true })
      fs.writeFileSync(join(repo, name), text)
    }
  }
  fs.mkdirSync(repo)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.org')
  write({ 'PRD.md': options.prd ?? threeStories, ...options.files })
  git('add', '--all')
  git('commit', '--quiet', '--message', 'before')
  git('switch', '--quiet', '--create', 'work')
  const script = join(root, 'agent.yml')
  const teach = (agent: readonly object[]): void => fs.writeFileSync(script, stringify({ agent }))
  teach(options.agent ?? honest)
  const inputPath = join(root, 'run-input.json')
  const usual = {
    contract_version: 1,
    run_id: 'run_1',
    repo_path: repo,
    prd_path: 'PRD.md',
    base_branch: 'main',
    working_branch: 'work',
    limits: { story_max_attempts: 4, run_max_attempts: 20, story_timeout_minutes: 20, run_timeout_minutes: 180 },
    verification: { story_commands: ['test -s {story_id}'], run_commands: ['test -s S1'] },
    agent: { mode: 'scripted', script },
    sandbox: 'off',
  }
  const give = (input: object): void => fs.writeFileSync(inputPath, JSON.stringify({ ...usual, ...input }))
  give(options.input ?? {})

  const start = (...words: string[]): Started => {
    const child = spawn(join(bin, options.name ?? 'santiago'), words, {
      cwd: repo,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (said += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out: said, err })))
    return Object.assign(ended, { child, said: () => said + err })
  }
  const plan = (): Started => start('plan', '--input', inputPath, '--out-dir', out)
  const execute = (...more: string[]): Started =>
    start('execute', '--input', inputPath, '--plan', join(out, 'plan.json'), '--out-dir', out, ...more)
  const read = (name: string): string => fs.readFileSync(join(out, name), 'utf8')
  const result = (): DeliveryResult => JSON.parse(read('result.json')) as DeliveryResult
  const journal = (): Line[] =>
    read('progress.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const tries = (): string[] =>
    journal().flatMap(({ phase, status, story_id, attempt }) =>
      phase === 'execute' && status === 'started' && story_id ? [`${story_id} ${attempt}`] : [],
    )
  return {
    root,
    repo,
    out,
    env,
    inputPath,
    usual,
    git,
    write,
    teach,
    give,
    start,
    plan,
    execute,
    read,
    result,
    journal,
    tries,
  }
}

export type Line = {
  readonly seq: number
  readonly timestamp: string
  readonly run_id: string
  readonly story_id: string | null
  readonly phase: string
  readonly attempt: number | null
  readonly status: string
  readonly context: Readonly<Record<string, unknown>>
}

/** Plans, executes, and says what came of it. */
export async function deliver(options: Options = {}) {
  const delivery = newDelivery(options)
  const planned = await delivery.plan()
  if (planned.code !== 0) throw new Error(planned.err)
  const ended = await delivery.execute()
  return { ...delivery, code: ended.code, err: ended.err, said: ended.out }
}
