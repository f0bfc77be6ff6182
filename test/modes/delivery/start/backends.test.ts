import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Backends } from '../../../../src/modes/delivery/start/backends.ts'
import { type ExecuteOptions, execute as start } from '../../../../src/modes/delivery/start/execute.ts'
import { planInput } from '../../../../src/modes/delivery/start/plan-prd.ts'
import { executeRun } from '../../../../src/run/execution/execute.ts'
import type { Started } from '../../../../src/run/mode.ts'
import { openRun } from '../../../../src/run/open-run.ts'
import { programAt } from '../../../support/runs.ts'
import { newFolder } from './contract-files.ts'

const prd = '# Making\n\n## Acceptance Criteria\n\n- **AC-01:** made.txt holds the line made.\n'

/** A repository with a PRD of one story, its plan, and a run input that says this of its agent. */
async function newDelivery(agent: object) {
  const root = newFolder()
  const [repo, home, bin] = [join(root, 'repo'), join(root, 'home'), join(root, 'bin')]
  const [outDir, input] = [join(root, 'out'), join(root, 'run-input.json')]
  for (const folder of [repo, home, bin]) mkdirSync(folder)
  writeFileSync(join(repo, 'prd.md'), prd)
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: repo, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('-c', 'user.name=person', '-c', 'user.email=person@example.com', 'commit', '--quiet', '-m', 'begin')
  const given = {
    contract_version: 1,
    run_id: basename(root),
    repo_path: repo,
    prd_path: 'prd.md',
    base_branch: 'main',
    working_branch: 'main',
    verification: { story_commands: ['grep -qx made made.txt'], run_commands: [] },
    agent,
    sandbox: 'off',
  }
  // `plan` knows only the built-in modes.
  writeFileSync(input, JSON.stringify({ ...given, agent: { mode: 'scripted' } }))
  const program = programAt(repo, home, { PATH: `${bin}:${process.env.PATH}`, HOME: home })
  const { path: plan } = await planInput(program.machine, input, outDir)
  writeFileSync(input, JSON.stringify(given))
  const starter = { ask: async () => undefined, tell: () => {}, show: () => {}, end: async () => {} }
  const prepare = (more: Partial<ExecuteOptions> = {}): Promise<Started> =>
    start.start(program.machine, { input, plan, outDir, ...more }, starter)
  const execute = async (more: Partial<ExecuteOptions> = {}) => {
    const { run, lock, held, reopen } = (await prepare(more)) as Extract<Started, { is: 'started' }>
    const never = new AbortController().signal
    const { result } = await executeRun(await openRun(program, run), {
      machine: program.machine,
      stop: { soft: never, hard: never, now: never },
      reopen,
      held,
      attended: false,
      mayShowWords: false,
      surface: { notice: () => {} },
    })
    await lock.release()
    return result
  }
  const install = (program: string, script: string): void =>
    writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { outDir, git, install, prepare, execute }
}

test('a new mode is a function that is passed along: the executor carries its story as any other', async () => {
  const { git, outDir, execute } = await newDelivery({ mode: 'by_hand', model_hint: 'made' })
  const asked: unknown[] = []
  const backends: Backends = {
    by_hand: (agent, repository) => {
      asked.push([agent, repository])
      return { name: 'command', argv: ['sh', '-c', `cat >packet.md; echo ${agent.model_hint} >made.txt`] }
    },
  }
  const result = await execute({ backends })
  expect(asked).toEqual([[{ mode: 'by_hand', model_hint: 'made' }, git('rev-parse', '--show-toplevel')]])
  expect(result).toMatchObject({
    status: 'success',
    stories: [{ status: 'done', attempts: 1, evidence: 'proven', verification: 'passed' }],
  })
  expect(git('show', `refs/pawl/${result.run_id as string}/S1:packet.md`)).toContain('made.txt holds the line made.')
  expect(readFileSync(join(outDir, 'attempts/S1-attempt-1.md'), 'utf8')).toContain('+made')
})

test('a mode that is passed along may stand in for a usual one', async () => {
  const { execute } = await newDelivery({ mode: 'ralph_fresh', model_hint: 'opencode' })
  const backends: Backends = {
    ralph_fresh: () => ({ name: 'command', argv: ['sh', '-c', 'echo made >made.txt'] }),
  }
  expect(await execute({ backends })).toMatchObject({ status: 'success' })
})

test('what is said on the command line wins over the mode', async () => {
  const { execute } = await newDelivery({ mode: 'acp', model_hint: 'pawl-no-such-agent' })
  expect(await execute({ aiCmd: "sh -c 'echo made >made.txt'" })).toMatchObject({ status: 'success' })
})

test.each([
  ['ralph_fresch', 'Did you mean ralph_fresh?'],
  ['session_loop_of_mine', 'Known: ralph_fresh, acp, scripted'],
  ['constructor', 'Known: ralph_fresh, acp, scripted'],
])('%s is no mode: that is said with its place in the run input, and nothing is started', async (mode, hint) => {
  const { outDir, prepare } = await newDelivery({ mode })
  const refused = { exit: 30, reason: 'plan_generation_failed', pointer: '/agent/mode', hint }
  await expect(prepare()).rejects.toMatchObject(refused)
  expect(readdirSync(outDir)).toEqual(['plan.json'])
})

test.each([
  [{ mode: 'ralph_fresh', model_hint: 'opencode' }, /^no such program: opencode$/, /^Install opencode/],
  [{ mode: 'acp', model_hint: 'pawl-no-such-agent acp' }, /pawl-no-such-agent$/, /agent\.model_hint/],
  [{ mode: 'ralph_fresh', model_hint: 'opencod' }, /^unknown agent: opencod$/, /Did you mean opencode\?/],
  [{ mode: 'ralph_fresh' }, /^no agent is named$/, /agent\.model_hint/],
])('an agent that is not there is waited for, and what would bring it is said: %o', async (agent, message, hint) => {
  const { prepare } = await newDelivery(agent)
  const refused = { exit: 10, message: expect.stringMatching(message), hint: expect.stringMatching(hint) }
  await expect(prepare()).rejects.toMatchObject(refused)
})

test('an agent that is not logged in has made no attempt: the run is blocked, and goes on once it is', async () => {
  const { install, execute } = await newDelivery({ mode: 'ralph_fresh', model_hint: 'codex' })
  const events = (...lines: object[]): string => lines.map((line) => `echo '${JSON.stringify(line)}'`).join('\n')
  install('codex', events({ type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized' } }))
  const story = { status: 'pending', attempts: 0, verification: 'not_run', because: null }
  expect(await execute()).toMatchObject({
    status: 'blocked',
    reason: 'blocked_dependency',
    exit: 10,
    next_action: 'unblock',
    detail: 'not logged in (exit 0; unexpected status 401 Unauthorized): codex login, or set CODEX_API_KEY',
    stories: [story],
    spend: { attempts: 0 },
  })
  const usage = { input_tokens: 3, cached_input_tokens: 0, output_tokens: 4 }
  install('codex', `echo made >made.txt\n${events({ type: 'turn.completed', usage })}`)
  expect(await execute()).toMatchObject({
    status: 'success',
    exit: 0,
    stories: [{ status: 'done', attempts: 1, evidence: 'proven' }],
    spend: { attempts: 1, tokens: 7 },
  })
})

test('a story whose agent fails each time is failed by that, in the words of the agent', async () => {
  const { execute } = await newDelivery({ mode: 'ralph_fresh', model_hint: 'codex' })
  const result = await execute({ aiCmd: "sh -c 'exit 7'" })
  expect(result).toMatchObject({
    reason: 'agent_exit_nonzero',
    exit: 20,
    detail: 'S1: the agent failed in every attempt, last with: exit 7',
    stories: [{ status: 'failed', attempts: 4, because: 'the agent failed in every attempt, last with: exit 7' }],
  })
})

test('names of modes stand in one place, and in the words of the contract', () => {
  const src = join(import.meta.dirname, '../../../../src')
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(src, join(parentPath, name)))
  const naming = (words: RegExp): string[] =>
    files.filter((file) => words.test(readFileSync(join(src, file), 'utf8'))).sort()
  const [backends, input] = ['modes/delivery/start/backends.ts', 'modes/delivery/contract/input.ts']
  expect(naming(/ralph_fresh/)).toEqual([input, backends])
  expect(naming(/\bagent\.mode\b(?!`)/)).toEqual([backends])
  // As agents these two are known elsewhere; to the kernel and the executor they are not.
  const executor = /^(?:kernel|judging|run\/execute|modes\/\w+\/(?:core|work|start|mode))\b/
  const exact = naming(/'(?:acp|scripted)'|\bacp:|\bscripted:/).filter((file) => executor.test(file))
  expect(exact).toEqual([backends])
})
