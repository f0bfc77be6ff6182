import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { confines, confineTo, git, keptIn, makeWorld, runIn } from './confine-helpers.ts'
import { processesWith, uniqueSleep, until } from './helpers.ts'

const real = test.skipIf(!confines)
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

real("the system's own places are read-only, its temp folder too", async () => {
  // Only asked, never done: as root the answer would be a change to this machine.
  const places = [
    '/etc',
    '/usr/bin',
    '/var',
    '/etc/passwd',
    '/sys',
    '/tmp',
    '/var/tmp',
    '/proc/sys/kernel/core_pattern',
  ]
  const exit = await runIn(
    makeWorld(),
    `for p in ${places.join(' ')}; do [ -w $p ] && echo $p; (: >> $p) && echo $p; done`,
  )
  expect(exit.stdoutTail).toBe('')
})

real('a file that comes as standard input cannot be written through it', async () => {
  const world = makeWorld()
  const path = join(world.run, 'request.json')
  const script = 'cat; echo x > /proc/self/fd/0; echo x >> /dev/stdin; echo x >&0'
  expect((await runIn(world, script, { stdin: { path } })).stdoutTail).toBe('{}\n')
  expect(readFileSync(path, 'utf8')).toBe('{}\n')
})

real('no device can be made, and of the devices there are only harmless ones', async () => {
  const world = makeWorld()
  const exit = await runIn(world, 'mknod disk b 254 0; mknod null c 1 3; ls /dev; echo ok > /dev/null')
  expect(existsSync(join(world.workspace, 'disk'))).toBe(false)
  expect(existsSync(join(world.workspace, 'null'))).toBe(false)
  expect(exit.stdoutTail.split('\n').filter((name) => /^(sd|vd|nvme|loop|mem|kmem|kmsg|fuse|kvm)/.test(name))).toEqual(
    [],
  )
  expect(exit).toMatchObject({ code: 0 })
})

real('processes outside can be neither seen, ended nor traced', async () => {
  const sleep = uniqueSleep()
  const other = spawn('sleep', [sleep])
  started.push(other)
  const script = `kill -9 ${other.pid}; ls /proc/${other.pid}/mem; grep -l ${sleep} /proc/[0-9]*/cmdline | grep -v self`
  await runIn(makeWorld(), `unset SLEEP; ${script}`)
  expect(processesWith(`sleep\0${sleep}`)).toEqual([other.pid])
})

real('rights cannot be won by a program that would give them', async () => {
  const world = makeWorld()
  const exit = await runIn(
    world,
    'cp "$(command -v sh)" mine && chmod u+s mine && ./mine -c "grep -E ^NoNewPrivs /proc/self/status"',
  )
  expect(exit.stdoutTail).toBe('NoNewPrivs:\t1\n')
})

real('root keeps what working on files needs, and nothing that reaches further', async () => {
  const { stdoutTail } = await runIn(makeWorld(), 'grep CapEff /proc/self/status')
  const needed = process.getuid?.() === 0 ? 0b1100_1011 : 0
  expect(Number.parseInt(stdoutTail.split('\t')[1]!, 16)).toBe(needed)
})

real('a server outside can be reached through its socket: that way is open', async () => {
  const world = makeWorld()
  const path = join(world.outside, 'socket')
  const server = createServer((socket) => socket.end('hello\n')).listen(path)
  await once(server, 'listening')
  const script = `"$NODE" -e 'require("net").connect(process.env.OUT + "/socket").pipe(process.stdout)'`
  const exit = await runIn(world, script)
  server.close()
  expect(exit.stdoutTail).toBe('hello\n')
})

real('a hard link that was there before leads out: that way is open', async () => {
  const world = makeWorld()
  linkSync(join(world.outside, 'file'), join(world.workspace, 'mine'))
  await runIn(world, 'echo x >> mine')
  expect(readFileSync(join(world.outside, 'file'), 'utf8')).toBe('as it was\nx\n')
})

real('a mark of our own in a folder makes no stand-in of it', async () => {
  const world = makeWorld()
  mkdirSync(join(world.workspace, '.claude'))
  writeFileSync(join(world.workspace, '.claude/settings.json'), '{}')
  const held = { ...world, confine: confineTo(world) }
  const mark = '.pawl-stand-in'
  await runIn(
    held,
    `echo x > ~/.cache/x; mkdir ${mark} .git/${mark} .claude/${mark} ~/.cache/${mark} "$RUN/attempts/${mark}"`,
  )
  const script = 'cat .claude/settings.json && echo x > new && git add new && echo x > ~/.cache/new'
  expect(await runIn(held, script)).toMatchObject({ code: 0, stdoutTail: '{}' })
})

real('what a daemon of the command would do later is never done', async () => {
  const world = makeWorld()
  const sleep = uniqueSleep()
  await runIn(
    world,
    `setsid nohup sh -c 'while :; do echo x >> tick; sleep ${sleep}; done' & until [ -s tick ]; do :; done`,
  )
  expect(processesWith(sleep)).toEqual([])
  expect(readFileSync(join(world.workspace, 'tick'), 'utf8')).toBe('x\n')
})

real('nothing is left behind: no temp folder, no stand-in, no trace in the repository', async () => {
  const world = makeWorld()
  const names = () => readdirSync(world.workspace).sort()
  const before = names()
  const exit = await runIn(
    world,
    'echo "$TMPDIR"; echo x > "$TMPDIR/file"; git status --porcelain; ls -d .codex .claude',
  )
  const temp = exit.stdoutTail.split('\n')[0]!
  expect(temp.startsWith(join(tmpdir(), 'pawl-'))).toBe(true)
  expect(exit.stdoutTail).toContain('.claude\n.codex\n')
  expect(exit.stdoutTail).not.toContain('?? .c')
  expect(existsSync(temp)).toBe(false)
  await until(() => names().length === before.length)
  expect(names()).toEqual(before)
})

real('what was put in a protected place is moved aside and told, never deleted', async () => {
  const world = makeWorld()
  const exit = await runIn(world, 'echo mine > .mcp.json')
  const [aside] = readdirSync(keptIn(world.home)) as [string]
  expect(aside).toMatch(/^\.mcp\.json\.refused-/)
  expect(readFileSync(join(keptIn(world.home), aside), 'utf8')).toBe('mine\n')
  expect(git(world.workspace, 'status', '--porcelain')).not.toContain('refused')
  expect(exit).toMatchObject({ code: 0 })
  expect(exit.detail).toContain(`${join(world.workspace, '.mcp.json')} is protected and was restored`)
})

real('two commands at once: the end of one does not open what the other is kept from', async () => {
  const world = makeWorld()
  const script = 'echo x > started; until [ -e go ]; do :; done; mkdir -p .codex; echo x > .codex/config.toml'
  const long = runIn(world, script)
  await until(() => existsSync(join(world.workspace, 'started')))
  // From another process, which lets go of the stand-ins when it ends.
  const other = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/confined.ts'), world.workspace, 'true'])
  started.push(other)
  expect(await once(other, 'exit')).toEqual([0, null])
  expect(readdirSync(join(world.workspace, '.codex/.pawl-stand-in'))).toHaveLength(1)
  writeFileSync(join(world.workspace, 'go'), '')
  await long
  await until(() => !existsSync(join(world.workspace, '.codex')))
})

real('the end of the program takes its stand-ins along', async () => {
  const world = makeWorld()
  const script = 'ls -d .codex && exit 3'
  const other = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/confined.ts'), world.workspace, script])
  started.push(other)
  expect(await once(other, 'exit')).toEqual([3, null])
  expect(existsSync(join(world.workspace, '.codex'))).toBe(false)
})

real('a stand-in that a crash left is no folder of the repository, and goes with the next command', async () => {
  const world = makeWorld()
  mkdirSync(join(world.workspace, '.claude/.pawl-stand-in/999999999-1'), { recursive: true })
  await runIn(world, 'echo {} > .claude/settings.json')
  await until(() => !existsSync(join(world.workspace, '.claude')))
})
