import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readProcess } from '../../../src/adapters/shell/processes.ts'
import type { Crash, Evidence, Misbehaviour, Novel } from '../../../src/setup/demo/evidence.ts'

export type Played = Evidence & {
  readonly misbehaviour: Misbehaviour & { readonly crash: Crash }
  readonly novel: Novel
}
type Doctor = (seen: Played) => Evidence | undefined

/** For every claim of the demo something that makes it false, on a copy of what a demo has left. */
export const doctors: Readonly<Record<string, Doctor>> = {
  'the same PRD gives the same plan in any locale and time zone': ({ plans }) => edit(plans[1], '', ' '),
  'S1: the tests rejected the lie': ({ run }) =>
    edit(join(run!.dir, 'attempts', 'S1-attempt-1-agent.log'), 'All tests pass', 'Some tests pass'),
  'S1: the next attempt was told why': ({ run }) => {
    for (const path of globSync(join(run!.dir, 'artifacts', '*-prompt.md'))) writeFileSync(path, 'do it\n')
  },
  'S2: the skipped test was reported': ({ run }) => edit(resultOf(run), 'test-skipped', 'test-changed'),
  'S2: the skipped test was restored before the next attempt': ({ run }) => {
    const [, skipped] = /"S2","phase":"execute","attempt":1,"status":"ok".*?"tree":"(\w+)"/.exec(journalOf(run))!
    const [, mended] = /"S2","phase":"execute","attempt":2,"status":"ok".*?"before":"(\w+)"/.exec(journalOf(run))!
    return edit(join(run!.dir, 'progress.ndjson'), mended!, skipped!)
  },
  'S2: the process that the agent left running was ended': (seen) => ({
    ...seen,
    misbehaviour: { ...seen.misbehaviour, straggler: { ...seen.misbehaviour.straggler!, ended: false } },
  }),
  'S3: kill -9 hit pawl while its agent was at work': (seen) => crashed(seen, { signal: null }),
  'S3: its child processes are ended': (seen) => crashed(seen, { running: [readProcess(process.pid)!] }),
  'S1 and S2 kept their commits': rewriteHistory,
  'S1 and S2 were not tried again': (seen) => crashed(seen, { seq: 1 }),
  'S3: the usage limit was waited out': ({ run }) => edit(join(run!.dir, 'progress.ndjson'), '"until":1', '"until":9'),
  'the tests are unchanged': ({ repository }) =>
    edit(join(repository, 'test', 'S2.test.js'), "test('quantities", "test.skip('quantities"),
  'all tests pass': (seen) => ({ ...seen, exits: { ...seen.exits, tests: 1 } }),
  'three stories, three commits': rewriteHistory,
  'everything is committed': ({ repository }) => appendFileSync(join(repository, 'stray.txt'), 'stray\n') as undefined,
  'result.json reports success': ({ run }) => edit(resultOf(run), '"success"', '"failed"'),
  'every recorded decision replays the same': (seen) => ({ ...seen, exits: { ...seen.exits, fsck: 30 } }),
  'no process is left running': ({ run }) => {
    const left = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, PAWL_SCOPE: run!.id }, stdio: 'ignore' })
    onTestFinished(() => void left.kill('SIGKILL'))
    return undefined
  },
  'novel: one accepted iteration is one commit': ({ novel }) =>
    git(novel.repository, 'commit', '--allow-empty', '--quiet', '-m', 'Another', '--trailer', 'Iteration-Id: 1'),
  'novel: your own uncommitted edit was committed first and is kept': ({ novel }) =>
    edit(join(novel.repository, 'lamp', 'chapters', 'chapter-01.md'), 'her brother', 'nobody'),
  'novel: only the chapter that was named has changed': ({ novel }) =>
    edit(join(novel.repository, 'lamp', 'chapters', 'chapter-03.md'), '', ' '),
  'novel: the rejected draft and its verdict are kept for reading': ({ novel }) => {
    const [path] = globSync(join(novel.repository, '.pawl', 'debug', '*', '*', 'attempt_1_judge_verdict.json'))
    return edit(path!, 'needs_revision', 'approved')
  },
  'novel: the summary counts what git counts': ({ novel }) => {
    edit(join(novel.repository, 'lamp', 'chapters', 'chapter-02.md'), '', 'One more line.\n')
    return git(novel.repository, 'commit', '--all', '--amend', '--no-edit', '--quiet')
  },
}

const resultOf = (run: Evidence['run']): string => join(run!.dir, 'result.json')
const journalOf = (run: Evidence['run']): string => readFileSync(join(run!.dir, 'progress.ndjson'), 'utf8')

function edit(path: string, from: string, to: string): undefined {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  writeFileSync(path, text.replaceAll(from || /$/g, to))
}

const crashed = (seen: Played, more: Partial<Crash>): Evidence => ({
  ...seen,
  misbehaviour: { ...seen.misbehaviour, crash: { ...seen.misbehaviour.crash, ...more } },
})

function rewriteHistory({ repository, first }: Evidence): undefined {
  git(repository, 'reset', '--quiet', '--soft', first)
  git(repository, 'commit', '--quiet', '-m', 'all in one')
}

const git = (repository: string, ...words: string[]): undefined => void execFileSync('git', words, { cwd: repository })
