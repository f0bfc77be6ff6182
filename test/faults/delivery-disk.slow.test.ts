import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { doneSoFar, lostSince, problemsAtEnd, problemsOfExit } from '../torture/delivery-checks.ts'
import { exitOf, startPawl } from '../torture/kill.ts'
import { newThreeStories, type ThreeStories, type Way } from '../torture/three-stories.ts'
import { needs, newMounts } from './faulty.ts'

const page = 4096
const pages = 512

function newDelivery(way: Way): ThreeStories {
  const delivery = newThreeStories(way, { sandbox: 'off' })
  onTestFinished(delivery.remove)
  return delivery
}

async function call({ repo, root, words }: ThreeStories, before: readonly string[] = []) {
  const child = startPawl({ cwd: repo, home: root, before }, words)
  return { code: await exitOf(child), said: child.said() }
}

/** One folder of a delivery on a disk of 2 MiB; everything else has room. */
async function smallDisk(delivery: ThreeStories, folder: string) {
  const [copy, after] = [join(delivery.root, 'copy'), join(delivery.root, 'after')]
  fs.mkdirSync(folder, { recursive: true })
  fs.cpSync(folder, copy, { recursive: true })
  const mounts = await newMounts(
    `mount -t tmpfs -o size=${pages * page} none '${folder}'\ncp -a '${copy}/.' '${folder}'`,
  )
  const filler = join(mounts.see(folder), 'filler')
  return {
    leave: (free: number) => fs.writeFileSync(filler, Buffer.alloc((freePages(filler) - free) * page)),
    free: () => fs.rmSync(filler),
    call: () => call(delivery, mounts.enter(delivery.repo)),
    /** What lies on it is put where everybody sees it. Not before its end: a folder that goes takes its mount along. */
    takeOff: () => {
      spawnSync('cp', ['-a', mounts.see(folder), after])
      mounts.end()
      fs.rmSync(folder, { recursive: true })
      fs.renameSync(after, folder)
    },
  }
}

function freePages(path: string): number {
  const { bfree, bsize } = fs.statfsSync(join(path, '..'))
  return (bfree * bsize) / page
}

type Case = { readonly way: Way; readonly folder: string; readonly levels: readonly number[] }
const cases: readonly Case[] = [
  { way: 'execute', folder: 'out', levels: [12] },
  { way: 'deliver', folder: 'repo/.pawl/runs', levels: [20] },
  { way: 'deliver', folder: 'repo/.git', levels: [0, 6] },
]

test.for(cases)('$folder on a full disk: $way exits 20, and goes on when there is room', {}, async (given, context) => {
  needs(context, 'namespaces')
  const { way, folder, levels } = given
  const problems: string[] = []
  for (const free of levels) {
    const delivery = newDelivery(way)
    const disk = await smallDisk(delivery, join(delivery.root, folder))
    disk.leave(free)
    const full = await disk.call()
    disk.free()
    const again = await disk.call()
    disk.takeOff()
    const found = full.code === 20 && /ENOSPC|space/.test(full.said) ? [] : [`exit ${full.code}: ${full.said}`]
    if (again.code !== 0) found.push(`with room it ends with ${again.code}: ${again.said}`)
    found.push(...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery)))
    const calls = delivery.callsOf('S1')
    problems.push(...found.map((problem) => `${free} pages free, S1 tried ${calls} times: ${problem}`))
  }
  expect(problems).toEqual([])
})

/** Counted in each thread and process: those of git make fewer, and what several files need is done by one thread here. */
function failing(name: string, n: number): string[] {
  const inject = `inject=${name}:error=EIO:when=${n}`
  return ['env', 'UV_THREADPOOL_SIZE=1', 'strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${name}`, '-e', inject]
}

test('EIO of single syncs: exit 20, no story is lost or repeated', async (context) => {
  needs(context, 'strace')
  const problems: string[] = []
  for (const [name, n] of [
    ['fdatasync', 9],
    ['fsync', 4],
  ] as const) {
    const delivery = newDelivery('deliver')
    const broken = await call(delivery, failing(name, n))
    const done = doneSoFar(delivery)
    const found = broken.code === 20 && broken.said.includes('EIO') ? [] : [`exit ${broken.code}: ${broken.said}`]
    const again = await call(delivery)
    if (again.code !== 0) found.push(`the healthy disk ends with ${again.code}: ${again.said}`)
    found.push(...lostSince(done, delivery), ...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery)))
    problems.push(...found.map((problem) => `${name} ${n}: ${problem}`))
  }
  expect(problems).toEqual([])
})

test('EIO while git writes: exit 20, no attempt is blamed, and the next call goes on', async (context) => {
  needs(context, 'strace')
  const problems: string[] = []
  for (const command of ['add', 'commit-tree']) {
    const delivery = newDelivery('deliver')
    const shim = join(delivery.root, 'shim')
    fs.mkdirSync(join(shim, 'tmp'), { recursive: true })
    const strace = 'strace -qq -o /dev/null -e trace=fsync,link,rename -e inject=fsync,link,rename:error=EIO'
    const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
    const script = `#!/bin/sh\ncase " $* " in *' ${command} '*) exec ${strace} ${real} "$@" ;; esac\nexec ${real} "$@"\n`
    fs.writeFileSync(join(shim, 'git'), script, { mode: 0o755 })
    const broken = await call(delivery, ['env', `PATH=${shim}:${process.env.PATH}`, `TMPDIR=${shim}/tmp`])
    const found =
      broken.code === 20 && /Input\/output|Unable to write/.test(broken.said)
        ? []
        : [`exit ${broken.code}: ${broken.said}`]
    found.push(...problemsOfExit(delivery, 20))
    const done = doneSoFar(delivery)
    const again = await call(delivery)
    if (again.code !== 0) found.push(`the healthy disk ends with ${again.code}: ${again.said}`)
    found.push(...lostSince(done, delivery), ...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery)))
    problems.push(...found.map((problem) => `git ${command}: ${problem}`))
  }
  expect(problems).toEqual([])
})
