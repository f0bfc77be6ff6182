import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import { type ExecuteDelivery, execute, plan } from '../../../../src/modes/delivery/start/library.ts'
import { programAt } from '../../../support/runs.ts'
import { newFolder } from './contract-files.ts'

const prd = '# Making\n\n## Acceptance Criteria\n\n- **AC-01:** made.txt holds the line made.\n'
const verification = { story_commands: ['grep -qx made made.txt'], run_commands: [] }

/** A repository with a PRD of one story, and what a program gives to have it delivered. */
function newDelivery(argv: readonly [string, ...string[]]) {
  const root = newFolder()
  const [repo, home, outDir] = [join(root, 'repo'), join(root, 'home'), join(root, 'out')]
  for (const folder of [repo, home]) mkdirSync(folder)
  writeFileSync(join(repo, 'prd.md'), prd)
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: repo, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('-c', 'user.name=person', '-c', 'user.email=person@example.com', 'commit', '--quiet', '-m', 'begin')
  const program = programAt(repo, home, { PATH: process.env.PATH, HOME: home })
  const input = {
    contract_version: 1 as const,
    run_id: basename(root),
    repo_path: repo,
    prd_path: 'prd.md',
    base_branch: 'main',
    working_branch: 'main',
    verification,
    agent: { mode: 'by_hand' },
    sandbox: 'off' as const,
  }
  const given: ExecuteDelivery = {
    input,
    plan: plan({ path: join(repo, 'prd.md'), verification }),
    outDir,
    backends: { by_hand: () => ({ name: 'command', argv }) },
  }
  const deliver = (more: Partial<ExecuteDelivery> = {}) => execute(program, { ...given, ...more })
  return { repo, outDir, git, input, deliver }
}

const makes = ['sh', '-c', 'echo made >made.txt'] as const

test('a text and a file of the same PRD have the same plan', () => {
  const { repo } = newDelivery(makes)
  const ofFile = plan({ path: 'prd.md', root: repo, verification })
  expect(ofFile.stories.map(({ id }) => id)).toEqual(['S1'])
  expect(plan({ text: prd, verification })).toEqual(ofFile)
  expect(() => plan({ text: 'Hello.', verification })).toThrow(expect.objectContaining({ exit: 30 }))
})

test('a plan is executed in this process; what it returns lies in the out-dir too', async () => {
  const { outDir, deliver } = newDelivery(makes)
  const seen: LoopEvent['type'][] = []
  const result = await deliver({ onEvent: ({ type }) => seen.push(type) })
  expect(result).toMatchObject({
    status: 'success',
    exit: 0,
    stories: [{ id: 'S1', status: 'done', evidence: 'proven' }],
  })
  expect([seen.at(0), seen.at(-1)]).toEqual(['run-started', 'run-ended'])
  expect(JSON.parse(readFileSync(join(outDir, 'result.json'), 'utf8'))).toEqual(result)
  expect(await deliver()).toEqual(result)
})

test('a signal ends what runs, and calling again goes on', async () => {
  const { deliver, git } = newDelivery(['sh', '-c', 'test -f go || sleep 60; echo made >made.txt'])
  const stop = new AbortController()
  const onEvent = ({ type, chore }: LoopEvent): void => {
    if (type === 'attempt-started' && !chore) stop.abort('SIGTERM')
  }
  expect(await deliver({ signal: stop.signal, onEvent })).toMatchObject({ status: 'interrupted', next_action: 'retry' })
  writeFileSync(join(git('rev-parse', '--show-toplevel'), 'go'), '')
  expect(await deliver()).toMatchObject({ status: 'success', stories: [{ attempts: 1 }] })
})

test('what is refused is a result as well', async () => {
  const { outDir, git, input, deliver } = newDelivery(makes)
  const bad = await deliver({ input: { ...input, limits: { story_max_attempts: 0 } } })
  expect(bad).toMatchObject({ exit: 30, error: { code: 'invalid_contract', pointer: '/limits/story_max_attempts' } })
  expect(JSON.parse(readFileSync(join(outDir, 'result.json'), 'utf8'))).toEqual(bad)
  git('switch', '--quiet', '--create', 'elsewhere')
  expect(await deliver()).toMatchObject({ status: 'blocked', reason: 'blocked_dependency', run_id: input.run_id })
})
