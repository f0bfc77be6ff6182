import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { confines, forbidden, makeWorld, runBare, runIn, type World } from './confine-helpers.ts'
import { readOr, uniqueSleep, until } from './helpers.ts'
import { isPossible } from './tricks/hold.ts'
import { neighbourTricks, watcherTricks } from './tricks/neighbours.ts'

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const end of cleanUp.splice(0)) end()
})

type Neighbour = { readonly env: Record<string, string>; state(): string[] }

/** What else runs on a machine: a process, a terminal, shared memory. */
async function makeNeighbour(world: World): Promise<Neighbour> {
  const { outside } = world
  const output = openSync(join(outside, 'output'), 'w')
  const other = keep(spawn('sleep', [uniqueSleep()], { cwd: outside, stdio: ['ignore', output, 'ignore'] }))
  const shared = isAvailable('ipcmk') ? makeShared() : ''
  const terminal = isAvailable('script') ? await makeTerminal(outside) : ''
  const proc = `/proc/${other.pid}`
  const state = () => [
    readOr(`${proc}/stat`).replace(/^.*\) (\w)(?: -?\d+){15} (\d+) .*$/s, '$1 $2'),
    readOr(`${proc}/oom_score_adj`),
    readOr(`${proc}/limits`),
    shared === '' ? '' : String(isShared(shared)),
    ...forbidden(world),
  ]
  await until(() => readOr(`${proc}/cmdline`).startsWith('sleep') && state()[0]!.startsWith('S'))
  return { env: { OTHER: String(other.pid), SHARED: shared, TERMINAL: terminal }, state }
}

function keep(child: ChildProcess): ChildProcess {
  cleanUp.push(() => child.kill('SIGKILL'))
  return child
}

const isAvailable = (program: string) => isPossible(['', '', `command -v ${program}`])

function makeShared(): string {
  const id = /\d+/.exec(execFileSync('sh', ['-c', 'ipcmk -M 4096'], { encoding: 'utf8' }))![0]
  cleanUp.push(() => isShared(id) && execFileSync('sh', ['-c', `ipcrm -m ${id}`]))
  return id
}

const isShared = (id: string) => new RegExp(`^ *-?\\d+ +${id} `, 'm').test(readOr('/proc/sysvipc/shm'))

async function makeTerminal(folder: string): Promise<string> {
  const [name, shown] = [join(folder, 'terminal'), join(folder, 'shown')]
  const script = `tty > ${name}; echo ready; exec sleep ${uniqueSleep()}`
  keep(spawn('script', ['-qfc', script, shown], { stdio: 'pipe' }))
  await until(() => readOr(shown).includes('ready\r\n'))
  return readOr(name).trim()
}

test.skipIf(!confines).for(neighbourTricks)('held: %s (skipped where it is impossible)', async (trick, { skip }) => {
  if (!isPossible(trick)) skip()
  const free = makeWorld()
  const met = await makeNeighbour(free)
  const before = met.state()
  await runBare(free, trick[1], { env: met.env })
  await until(() => met.state().join() !== before.join())

  const held = makeWorld()
  const spared = await makeNeighbour(held)
  const was = spared.state()
  expect(await runIn(held, trick[1], { env: spared.env })).toMatchObject({ status: 'exited' })
  expect(spared.state()).toEqual(was)
})

test.skipIf(!confines).for(watcherTricks)('held: %s (skipped where bwrap cannot confine)', async ([, script]) => {
  const world = makeWorld()
  const watch = (fixture: string, ...args: string[]) =>
    keep(spawn(process.execPath, [join(import.meta.dirname, 'fixtures', fixture), ...args], { stdio: 'ignore' }))
  const stopped = (pid: number) => readOr(`/proc/${pid}/stat`).includes(') T ')

  const met = watch('supervisor.ts', 'off', world.mark, join(world.outside, 'log'), script)
  await until(() => met.signalCode === 'SIGKILL' || stopped(met.pid!))

  const spared = watch('confined.ts', world.workspace, `${script}; echo x > ran; exit 3`)
  expect(await once(spared, 'exit')).toEqual([3, null])
  expect(readOr(join(world.workspace, 'ran'))).toBe('x\n')
})
