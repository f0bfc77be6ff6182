import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { commandOf, missing, modes, never, processesWith, readOr, shellOf, uniqueSleep, until } from './helpers.ts'

const ladder = { termMs: 150, killMs: 300 }

describe.each(modes)('stopping, %s', (mode) => {
  const shell = shellOf(mode, { ladder })
  const real = test.skipIf(missing(mode))

  real('wall time: timed out (skipped where bwrap does not work)', async () => {
    const exit = await shell.run(commandOf('while :; do echo busy; sleep 0.01; done', { wallMs: 100 }), never)
    expect(exit).toMatchObject({ status: 'timed-out', signal: 'SIGINT' })
    expect(exit.durationMs).toBeGreaterThanOrEqual(100)
  })

  real('silence: silent, and any byte on either stream puts it off', async () => {
    const script = 'for i in 1 2 3 4 5 6; do sleep 0.1; echo >&2; done; sleep 60'
    const exit = await shell.run(commandOf(script, { silenceMs: 400 }), never)
    expect(exit).toMatchObject({ status: 'silent', outputBytes: 6 })
    expect(exit.durationMs).toBeGreaterThan(900)
  })

  real('the agent itself gets the INT and may end in its own way', async () => {
    const script = 'trap "echo bye; exit 7" INT; echo ready; while :; do sleep 0.01; done'
    const stop = new AbortController()
    const patient = shellOf(mode, { ladder: { termMs: 60_000, killMs: 60_000 } })
    const exit = await patient.run(commandOf(script, { onOutput: () => stop.abort() }), stop.signal)
    expect(exit).toMatchObject({ status: 'stopped', code: 7, signal: null, stdoutTail: 'ready\nbye\n' })
  })

  real('a death by the INT is told as such, however quick it is', async () => {
    for (let round = 0; round < 10; round += 1) {
      const stop = new AbortController()
      const exit = await shell.run(commandOf('echo; exec sleep 60', { onOutput: () => stop.abort() }), stop.signal)
      expect(exit).toMatchObject({ status: 'stopped', code: null, signal: 'SIGINT' })
    }
  })

  real('INT ignored: TERM comes next', async () => {
    const script = 'trap "" INT; trap "exit 8" TERM; echo ready; while :; do sleep 0.01; done'
    const stop = new AbortController()
    const exit = await shell.run(commandOf(script, { onOutput: () => stop.abort() }), stop.signal)
    expect(exit).toMatchObject({ status: 'stopped', code: 8 })
    expect(exit.durationMs).toBeGreaterThanOrEqual(ladder.termMs)
  })

  real('INT and TERM ignored: KILL ends it, and nothing stays', async () => {
    const sleep = uniqueSleep()
    const script = `trap "" INT TERM; echo ready; sleep ${sleep} & while :; do sleep 0.01; done`
    const stop = new AbortController()
    const exit = await shell.run(commandOf(script, { onOutput: () => stop.abort() }), stop.signal)
    expect(exit).toMatchObject({ status: 'stopped', code: null, signal: 'SIGKILL' })
    expect(exit.durationMs).toBeLessThan(2000)
    expect(processesWith(sleep)).toEqual([])
  })

  real('kill goes straight to KILL', async () => {
    const kill = new AbortController()
    const slow = shellOf(mode, { ladder: { termMs: 60_000, killMs: 60_000 }, kill: kill.signal })
    const script = 'trap "exit 9" INT TERM; echo ready; while :; do sleep 0.01; done'
    const exit = await slow.run(commandOf(script, { onOutput: () => kill.abort() }), never)
    expect(exit).toMatchObject({ status: 'stopped', code: null, signal: 'SIGKILL' })
  })

  real('kill shortens a ladder that is under way; the first reason stands', async () => {
    const kill = new AbortController()
    const slow = shellOf(mode, { ladder: { termMs: 60_000, killMs: 60_000 }, kill: kill.signal })
    const command = commandOf('trap "echo INT" INT; while :; do sleep 0.01; done', {
      wallMs: 50,
      onOutput: () => kill.abort(),
    })
    expect(await slow.run(command, never)).toMatchObject({ status: 'timed-out', signal: 'SIGKILL' })
  })

  real('a process that halted itself is woken so that it can end', async () => {
    const slow = shellOf(mode, { ladder: { termMs: 60_000, killMs: 60_000 } })
    const script = 'trap "echo woken; exit 5" INT; kill -STOP $$; while :; do sleep 0.01; done'
    const exit = await slow.run(commandOf(script, { wallMs: 200 }), never)
    expect(exit).toMatchObject({ status: 'timed-out', code: 5, stdoutTail: 'woken\n' })
  })

  real('an abort at any moment of the start leaves nothing', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sleep = uniqueSleep()
      const stop = new AbortController()
      setTimeout(() => stop.abort(), round / 2)
      const exit = await shell.run(commandOf(`sleep ${sleep}`), stop.signal)
      expect(exit.status).toBe('stopped')
      expect(exit.durationMs).toBeLessThan(2000)
      expect(processesWith(sleep)).toEqual([])
    }
  })

  real('an abort that comes before the command is known to run is not lost', async () => {
    const slow = shellOf(mode, { ladder: { termMs: 60_000, killMs: 60_000 } })
    await slow.isolation()
    for (let round = 0; round < 60; round += 1) {
      const stop = new AbortController()
      const at = performance.now() + round / 20
      const wait = () => void (performance.now() < at ? setImmediate(wait) : stop.abort())
      setImmediate(wait)
      // No shell here: bash survives an INT that comes while it starts a child.
      const exit = await slow.run(commandOf('', { argv: ['sleep', uniqueSleep()] }), stop.signal)
      expect(exit.status).toBe('stopped')
    }
  })

  real('an aborted signal starts nothing', async () => {
    const command = commandOf('echo started')
    expect(await shell.run(command, AbortSignal.abort())).toMatchObject({ status: 'stopped', code: null })
    expect(readOr(command.log, 'no log')).toBe('no log')
  })

  real('no timer and no listener outlives the call', async () => {
    const stop = new AbortController()
    const count = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length
    const [before, processes] = [count('Timeout'), count('ProcessWrap')]
    await shell.run(commandOf('true', { wallMs: 60_000, silenceMs: 60_000 }), stop.signal)
    await shell.run(commandOf('trap "" INT; sleep 0.1; exit 0', { wallMs: 30 }), stop.signal)
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    expect(count('Timeout')).toBeLessThanOrEqual(before)
    await until(() => count('ProcessWrap') <= processes)
  })

  real('a time longer than timers can count does not fire at once', async () => {
    const exit = await shell.run(commandOf('sleep 0.05', { wallMs: 2 ** 40, silenceMs: 2 ** 40 }), never)
    expect(exit).toMatchObject({ status: 'exited', code: 0 })
  })
})
