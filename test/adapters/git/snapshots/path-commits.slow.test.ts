import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isWhole } from '../../../support/sample.ts'
import { planRound } from './commit-paths.ts'
import { newRepository } from './scratch.ts'

type Scratch = ReturnType<typeof newRepository>
const script = fileURLToPath(import.meta.resolve('./commit-paths.ts'))
const kills = isWhole ? 150 : 8

/** A commit starts about this many git processes. */
const processes = 15

/** Kills a process that commits a round a moment after one of its git processes started. False if it ended before. */
async function commitAndKill({ folder, env }: Scratch, round: number): Promise<boolean> {
  const args = ['--disable-warning=ExperimentalWarning', script, folder, String(round)]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([reach(child, 1 + Math.floor(Math.random() * processes)), ended])
  child.kill('SIGKILL')
  const [, signal] = (await ended) as [number | null, string | null]
  return signal === 'SIGKILL'
}

async function reach(child: ChildProcess, dots: number): Promise<void> {
  let seen = 0
  await new Promise<void>((resolve) =>
    child.stdout!.on('data', (bytes: Buffer) => {
      seen += bytes.length
      if (seen >= dots) resolve()
    }),
  )
  await pause(Math.random() * 10)
}

const listLocks = ({ at }: Scratch): string[] =>
  fs.readdirSync(at('.git'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'))

/** Commits what a killed process wrote, and checks that the commit is there once and nothing else has changed. */
async function expectRecovery(scratch: Scratch, round: number, mine: readonly string[]): Promise<void> {
  const { openPaths, git, status } = scratch
  const id = await openPaths().commit(planRound(round))
  expect(git('log', '--format=%H', `--grep=^Pawl-Round: ${round}$`)).toBe(id)
  expect(git('rev-parse', 'HEAD')).toBe(id)
  expect(git('show', 'HEAD:notes/all.md')).toBe(`up to ${round}`)
  expect(status()).toEqual(mine)
  // A git of the killed process may still be at work.
  await expect.poll(() => listLocks(scratch)).toEqual([])
}

describe('killed with -9 at any moment', () => {
  test('the next call makes the commit or finds it: it is there once, without a lock, and what is mine stays mine', async () => {
    const scratch = newRepository()
    const { write, git, status } = scratch
    write('mine.txt', 'mine\n')
    write('staged.txt', 'staged\n')
    git('add', 'staged.txt')
    write('a.txt', 'changed\n')
    const mine = status()
    let round = 0
    for (let killed = 0; killed < kills; round++) {
      if (await commitAndKill(scratch, round + 1)) killed += 1
      await expectRecovery(scratch, round + 1, mine)
    }
    expect(git('rev-list', '--count', 'HEAD')).toBe(String(round + 1))
    git('fsck', '--no-dangling', '--strict')
  })

  test('the same for the first commit of a repository', async () => {
    for (let killed = 0; killed < 30; ) {
      const scratch = newRepository({ git: false })
      scratch.git('init', '-q', '-b', 'main')
      scratch.git('config', 'user.name', 'Ada')
      scratch.git('config', 'user.email', 'ada@example.com')
      if (await commitAndKill(scratch, 1)) killed += 1
      await expectRecovery(scratch, 1, [])
      expect(scratch.git('rev-list', '--count', 'HEAD')).toBe('1')
    }
  })
})
