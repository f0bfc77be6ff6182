import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commandOf,
  folder,
  missing,
  modes,
  never,
  processesWith,
  readOr,
  shellOf,
  uniqueSleep,
  until,
} from './helpers.ts'

describe.each(modes)('leftovers, %s', (mode) => {
  const shell = shellOf(mode)
  const real = test.skipIf(missing(mode))

  real('a child that holds the output does not hold the result (skipped where bwrap does not work)', async () => {
    const sleep = uniqueSleep()
    const exit = await shell.run(commandOf(`(sleep ${sleep})& echo done; exit 3`), never)
    expect(exit).toMatchObject({ status: 'exited', code: 3, stdoutTail: 'done\n' })
    expect(exit.durationMs).toBeLessThan(2000)
    expect(processesWith(sleep)).toEqual([])
  })

  real('a setsid nohup grandchild is gone after a normal exit', async () => {
    const sleep = uniqueSleep()
    await shell.run(commandOf(`setsid nohup sh -c 'sleep ${sleep}' & sleep 0.05`), never)
    expect(processesWith(sleep)).toEqual([])
  })

  real('also when the command ran so long that pids may have come round', async () => {
    const sleep = uniqueSleep()
    await shell.run(commandOf(`setsid nohup sleep ${sleep} & sleep 1.1`), never)
    expect(processesWith(sleep)).toEqual([])
  })

  real('stopped and signal-proof leftovers go too', async () => {
    const sleep = uniqueSleep()
    const script = `setsid sh -c 'trap "" INT TERM HUP; sleep ${sleep}; :' & setsid sh -c 'kill -STOP $$; sleep ${sleep}' &`
    await shell.run(commandOf(`${script} sleep 0.05`), never)
    expect(processesWith(sleep)).toEqual([])
  })

  real('a process that runs away from session to session is caught', async () => {
    const hops = join(folder, `hops-${mode}`)
    const hop = join(folder, `hop-${mode}.sh`)
    writeFileSync(hop, `#!/bin/sh\necho $1 >> ${hops}\n[ $1 -gt 0 ] && setsid ${hop} $(($1 - 1)) &\n`)
    chmodSync(hop, 0o700)
    await shell.run(commandOf(`${hop} 2000; sleep 0.05`), never)
    const left = readOr(hops)
    expect(Number(left.trim().split('\n').at(-1))).toBeGreaterThan(0)
    expect(processesWith(hop)).toEqual([])
    expect(readOr(hops)).toBe(left)
  })

  real('a small fork bomb does not outrun the end', async () => {
    const sleep = uniqueSleep()
    const bomb = join(folder, `bomb-${mode}.sh`)
    // Each start makes two more, ten levels deep at most.
    writeFileSync(
      bomb,
      `#!/bin/sh\n[ $1 -gt 0 ] && { setsid ${bomb} $(($1 - 1)) & setsid ${bomb} $(($1 - 1)) & }\nsleep ${sleep}\n`,
    )
    chmodSync(bomb, 0o700)
    await shell.run(commandOf(`setsid ${bomb} 8 & sleep 0.1`), never)
    expect(processesWith(sleep)).toEqual([])
    expect(processesWith(bomb)).toEqual([])
  })

  real('two commands of one scope end apart', async () => {
    const sleep = uniqueSleep()
    const stop = new AbortController()
    const long = shell.run(commandOf(`sleep ${sleep}`), stop.signal)
    await until(() => processesWith(sleep).length > 0)
    await shell.run(commandOf('setsid sleep 300 & sleep 0.02'), never)
    expect(processesWith(sleep).length).toBeGreaterThan(0)
    stop.abort()
    await long
    expect(processesWith(sleep)).toEqual([])
  })
})

test.skipIf(missing('bubblewrap'))(
  'bubblewrap: what cleared its environment goes too (needs a bwrap that works)',
  async () => {
    const sleep = uniqueSleep()
    await shellOf('bubblewrap').run(commandOf(`env -i setsid sleep ${sleep} & sleep 0.05`), never)
    expect(processesWith(sleep)).toEqual([])
  },
)

test('marker: leftovers are counted, and a child without environment counts by its session', async () => {
  const sleep = uniqueSleep()
  const script = `sleep ${sleep} & setsid sleep ${sleep} & env -i sleep ${sleep} & sleep 0.05`
  expect(await shellOf('marker').run(commandOf(script), never)).toMatchObject({ leftovers: 3 })
  expect(processesWith(sleep)).toEqual([])
})

test('marker: output held by a process out of reach is let go after the grace time', async () => {
  const sleep = uniqueSleep()
  const shell = shellOf('marker', { graceMs: 100 })
  const exit = await shell.run(commandOf(`env -i setsid sleep ${sleep} & sleep 0.05; echo done`), never)
  for (const pid of processesWith(sleep)) process.kill(pid)
  expect(exit).toMatchObject({ status: 'exited', code: 0, stdoutTail: 'done\n' })
  expect(exit.durationMs).toBeLessThan(1500)
})
