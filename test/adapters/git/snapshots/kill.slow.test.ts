import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isWhole } from '../../../support/sample.ts'
import { newRepository } from './scratch.ts'

type Scratch = ReturnType<typeof newRepository>
const script = fileURLToPath(import.meta.resolve('./deliver.ts'))

function deliver({ folder, home, env }: Scratch, stories: number): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', script, folder, join(home, 'journal'), String(stories)]
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Resolves a moment after that many git processes were started, however slow the machine is. */
async function reach(child: ChildProcess, processes: number): Promise<void> {
  let started = 0
  await new Promise<void>((resolve) =>
    child.stdout!.on('data', (dots: Buffer) => {
      started += dots.length
      if (started >= processes) resolve()
    }),
  )
  await pause(Math.random() * 20)
}

/** What keys there are on the branch, each as often as it is there. */
const keysOn = ({ git }: Scratch): string[] =>
  git('log', '--format=%(trailers:key=Pawl-Story,valueonly,separator=%x2c)').split('\n').filter(Boolean)

function expectWhole(scratch: Scratch, alsoStatus: RegExp): void {
  const { git, status, at } = scratch
  git('fsck', '--no-dangling', '--strict')
  const keys = keysOn(scratch)
  expect(new Set(keys).size).toBe(keys.length)
  expect(fs.existsSync(at('.git/index.lock'))).toBe(false)
  for (const line of status()) expect(line).toMatch(alsoStatus)
}

describe('killed with -9 at any moment', () => {
  test('again and again: the repository is whole, no story is committed twice or lost, and what is mine stays mine', async () => {
    const scratch = newRepository()
    const { write, git, status, at } = scratch
    write('all.txt', '')
    scratch.commit('all')
    write('mine.txt', 'mine\n')
    write('staged.txt', 'staged\n')
    git('add', 'staged.txt')
    write('a.txt', 'changed\n')
    const mine = status()
    const stories = 1000
    for (let round = 0; round < (isWhole ? 25 : 8); round++) {
      const child = deliver(scratch, stories)
      const ended = once(child, 'exit')
      await reach(child, 1 + Math.floor(Math.random() * 40))
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
      expectWhole(scratch, /^(.. story-\d+\.txt|.. all\.txt|\?\? mine\.txt|A {2}staged\.txt| M a\.txt)$/)
    }
    const done = join(scratch.home, 'journal.done')
    const begun = fs.existsSync(done) ? Number(fs.readFileSync(done, 'utf8')) : 0
    const last = deliver(scratch, begun + 2)
    last.stdout!.resume()
    expect(await once(last, 'exit')).toEqual([0, null])
    expect(keysOn(scratch)).toEqual(Array.from({ length: begun + 2 }, (_, at) => `S${begun + 2 - at}`))
    expect(status()).toEqual(mine)
    expect(fs.readFileSync(at('all.txt'), 'utf8').trim().split('\n').length).toBeGreaterThanOrEqual(begun + 2)
  })
})

describe('a person who works with git at the same time', () => {
  test('loses no commit and nothing that was staged, and every story is there once', async () => {
    const scratch = newRepository()
    const { write, git, status, folder, env } = scratch
    write('all.txt', '')
    scratch.commit('all')
    const child = deliver(scratch, 25)
    child.stdout!.resume()
    const ended = once(child, 'exit')
    let working = true
    void ended.then(() => (working = false))
    const mine: string[] = []
    let staged = 0
    for (let round = 0; working; round++) {
      write(`mine-${round}.txt`, `${round}\n`)
      if (!(await succeeds(folder, env, 'add', `mine-${round}.txt`))) continue
      staged += 1
      await succeeds(folder, env, 'status')
      if (round % 3 === 2 && (await succeeds(folder, env, 'commit', '-q', '-m', `mine ${round}`)))
        mine.push(`mine ${round}`)
    }
    expect(await ended).toEqual([0, null])
    expect(new Set(keysOn(scratch)).size).toBe(keysOn(scratch).length)
    const subjects = git('log', '--format=%s').split('\n')
    expect(mine.filter((subject) => !subjects.includes(subject))).toEqual([])
    const known = git('ls-files', 'mine-*').split('\n').length
    expect(known).toBe(staged)
    expect(status().filter((line) => !/^(A |\?\?) mine-/.test(line))).toEqual([])
    for (let story = 1; story <= 25; story++) expect(git('show', `HEAD:story-${story}.txt`)).toBe(`story ${story}`)
    git('fsck', '--no-dangling', '--strict')
    console.log(
      `${mine.length} commits and ${staged} staged files beside 25 stories, ${keysOn(scratch).length} by trailer`,
    )
  })
})

async function succeeds(cwd: string, env: Record<string, string>, ...args: string[]): Promise<boolean> {
  const [code] = (await once(spawn('git', args, { cwd, env, stdio: 'ignore' }), 'exit')) as [number | null]
  return code === 0
}
