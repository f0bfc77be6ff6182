import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RunStore } from '../../ports/run-store.ts'
import type { Check } from './check.ts'
import { askGit } from './git.ts'
import { processesOf } from './process-table.ts'
import { openSeen, readResult } from './read-run.ts'
import type { Seen } from './seen.ts'

export const planClaim = ({ plans }: Seen): Check => ({
  says: 'the same PRD gives the same plan, whatever the locale and the time zone',
  check: () => {
    const [one, other] = plans.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'))
    return [one === other, `plan.json twice: ${one?.slice(0, 16)}… and ${other?.slice(0, 16)}…`]
  },
})

export function endClaims(seen: Seen, store: Pick<RunStore, 'open'>): Check[] {
  const { repository, first, exits } = seen
  return [
    {
      says: 'the tests are the ones that the work began with',
      check: async () => {
        const changed = await askGit(repository, 'diff', '--stat', first, '--', 'test', 'package.json')
        return [changed === '', `git diff ${first.slice(0, 10)} -- test package.json: ${changed || 'nothing'}`]
      },
    },
    { says: 'all of them pass', check: () => [exits.tests === 0, `node --test: exit ${exits.tests}`] },
    {
      says: 'three stories, three commits',
      check: async () => {
        const format = '--format=%(trailers:key=Pawl-Story,valueonly,separator=%x2C)'
        const stories = await askGit(repository, 'log', '--reverse', format, `${first}..HEAD`)
        const list = stories.split('\n').join(', ')
        return [list === 'S1, S2, S3', `trailers Pawl-Story since ${first.slice(0, 10)}: ${list || 'none'}`]
      },
    },
    {
      says: 'nothing is left uncommitted',
      check: async () => {
        const status = await askGit(repository, 'status', '--porcelain')
        return [status === '', `git status: ${status.replaceAll('\n', ', ') || 'clean'}`]
      },
    },
    {
      says: 'result.json says success, for the program that asks',
      check: async () => {
        const { status, summary, run_verification } = await readResult(await openSeen(store, seen))
        const holds = status === 'success' && summary.completed === 3 && run_verification === 'passed'
        return [holds, `${status}, ${summary.completed} completed, the whole ${run_verification}`]
      },
    },
    {
      says: 'every recorded decision would be made again',
      check: () => [exits.fsck === 0, `pawl fsck: exit ${exits.fsck}`],
    },
  ]
}

export const processClaim = (run: string | undefined): Check => ({
  says: 'no process is left',
  check: () => {
    const left = run === undefined ? [] : processesOf(run)
    return [run !== undefined && left.length === 0, `${left.length} with the mark of run ${run ?? '(none)'}`]
  },
})
