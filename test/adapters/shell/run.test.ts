import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandOf, folder, missing, modes, never, shellOf } from './helpers.ts'

describe.each(modes)('run, %s', (mode) => {
  const shell = shellOf(mode, { secrets: ['hunter2-hunter2'] })
  const real = test.skipIf(missing(mode))

  real('the level it reports is the one it has (skipped where bwrap does not work)', async () => {
    expect(await shell.isolation()).toBe(mode)
  })

  real('exit code, both streams and the time come back in one shape', async () => {
    const command = commandOf('echo out; echo err >&2; exit 3')
    const exit = await shell.run(command, never)
    expect(exit).toMatchObject({ status: 'exited', code: 3, signal: null, truncated: false, leftovers: 0 })
    expect(exit).toMatchObject({ stdoutTail: 'out\n', stderrTail: 'err\n', outputBytes: 8 })
    expect(exit.detail).toBeUndefined()
    expect(exit.durationMs).toBeGreaterThan(0)
    expect(readFileSync(command.log, 'utf8').split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(statSync(command.log).mode & 0o777).toBe(0o600)
  })

  real.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'])('a death by %s comes through as a signal', async (name) => {
    const exit = await shell.run(commandOf(`ulimit -c 0; kill -${name.slice(3)} $$`), never)
    expect(exit).toMatchObject({ status: 'exited', code: null, signal: name })
  })

  real('a silent process has no log', async () => {
    const command = commandOf('true')
    expect(await shell.run(command, never)).toMatchObject({ code: 0, outputBytes: 0, stdoutTail: '' })
    expect(existsSync(command.log)).toBe(false)
  })

  real('without a log nothing is written, and all else is as ever', async () => {
    const { log, ...command } = commandOf('echo out; echo err >&2')
    const exit = await shell.run(command, never)
    expect(exit).toMatchObject({ code: 0, stdoutTail: 'out\n', stderrTail: 'err\n', truncated: false })
    expect(existsSync(log)).toBe(false)
  })

  real('nothing is inherited but what is given, plus the two marks', async () => {
    process.env.PAWL_TEST_LEAK = 'leak'
    const exit = await shell.run(commandOf('env', { env: { PATH: '/usr/bin:/bin', GIVEN: 'yes' } }), never)
    delete process.env.PAWL_TEST_LEAK
    expect(exit.stdoutTail).toContain('GIVEN=yes')
    expect(exit.stdoutTail).toMatch(new RegExp(`PAWL_SCOPE=test-${process.pid}\\n`))
    expect(exit.stdoutTail).toMatch(/PAWL_PROCESS=[0-9a-f-]{36}\n/)
    expect(exit.stdoutTail).not.toContain('leak')
  })

  real('stdin from a file, whole and with its end', async () => {
    const path = join(folder, `prompt-${mode}`)
    writeFileSync(path, 'p'.repeat(300_000))
    expect((await shell.run(commandOf('wc -c', { stdin: { path } }), never)).stdoutTail.trim()).toBe('300000')
  })

  real('stdin from text, and none at all', async () => {
    expect((await shell.run(commandOf('cat', { stdin: { text: 'hällo' } }), never)).stdoutTail).toBe('hällo')
    expect((await shell.run(commandOf('wc -c'), never)).stdoutTail.trim()).toBe('0')
  })

  real('an 8 MB prompt to a process that reads nothing is survived', async () => {
    const text = 'x'.repeat(8_000_000)
    for (let round = 0; round < 5; round += 1) {
      expect(await shell.run(commandOf('true', { stdin: { text } }), never)).toMatchObject({
        status: 'exited',
        code: 0,
      })
    }
  })

  real('what keeps a command from starting is named', async () => {
    const nowhere = join(folder, 'nowhere')
    mkdirSync(join(folder, `is-a-folder-${mode}`))
    writeFileSync(join(folder, 'not-executable'), '', { mode: 0o600 })
    const cases = [
      [{ argv: ['pawl-no-such-program'] }, 'no such program: pawl-no-such-program'],
      [{ argv: [join(folder, 'not-executable')] }, 'not-executable'],
      [{ cwd: nowhere }, `no such folder: ${nowhere}`],
      [{ stdin: { path: nowhere } }, `cannot read input ${nowhere}: ENOENT`],
      [{ stdin: { path: join(folder, `is-a-folder-${mode}`) } }, 'not a file'],
      [{ env: { BAD: 'a\0b' } }, 'null bytes'],
    ] as const
    for (const [more, words] of cases) {
      const exit = await shell.run(commandOf('true', more), never)
      expect(exit).toMatchObject({ status: 'not-started', code: null, signal: null })
      expect(exit.detail).toContain(words)
    }
  })

  real('the log is cut at its cap and says so; the tail goes on', async () => {
    const command = commandOf('yes 123456789 | head -c 500000; echo END', { logCap: 1000 })
    const exit = await shell.run(command, never)
    expect(exit).toMatchObject({ truncated: true, outputBytes: 500_004 })
    expect(exit.stdoutTail.length).toBe(64 * 1024)
    expect(exit.stdoutTail.endsWith('END\n')).toBe(true)
    const log = readFileSync(command.log, 'utf8')
    expect(log.slice(0, 1000)).toBe('123456789\n'.repeat(100))
    expect(log.slice(1000)).toBe('\n[truncated at 1000 bytes]\n')
  })

  real('a log of exactly the cap is whole', async () => {
    const command = commandOf('printf 12345; printf 67890', { logCap: 10 })
    expect(await shell.run(command, never)).toMatchObject({ truncated: false })
    expect(readFileSync(command.log, 'utf8')).toBe('1234567890')
  })

  real('a full disk ends the log, not the process, and is told', async () => {
    const exit = await shell.run(commandOf('echo one; echo two; exit 4', { log: '/dev/full' }), never)
    expect(exit).toMatchObject({ status: 'exited', code: 4, stdoutTail: 'one\ntwo\n', truncated: true })
    expect(exit.detail).toMatch(/log \/dev\/full is incomplete: ENOSPC/)
  })

  real('a link in the place of the log is not followed', async () => {
    const command = commandOf('echo hello')
    const victim = join(folder, `victim-${mode}`)
    writeFileSync(victim, 'mine')
    symlinkSync(victim, command.log)
    expect((await shell.run(command, never)).detail).toContain('ELOOP')
    expect(readFileSync(victim, 'utf8')).toBe('mine')
  })

  real('secrets are masked in log, tail and listener, though they are written byte by byte', async () => {
    const heard: string[] = []
    const slow = "for c in h u n t e r 2 - h u n t e r 2; do printf %s $c; sleep 0.002; done; printf ' ok'"
    const command = commandOf(`${slow}; { ${slow}; } >&2`, {
      onOutput: (stream, text) => heard.push(`${stream}:${text}`),
    })
    const exit = await shell.run(command, never)
    expect(exit).toMatchObject({ stdoutTail: '[secret] ok', stderrTail: '[secret] ok' })
    expect(readFileSync(command.log, 'utf8')).toBe('[secret] ok[secret] ok')
    expect(heard.join('')).not.toContain('hunter2-')
  })

  real('characters cut in two are handed on whole, and a throwing listener is ignored', async () => {
    let heard = ''
    const onOutput = (_: string, text: string) => {
      heard += text
      throw new Error('a bug of the surface')
    }
    const exit = await shell.run(commandOf("printf '\\303'; sleep 0.02; printf '\\244.'", { onOutput }), never)
    expect(exit).toMatchObject({ status: 'exited', code: 0, stdoutTail: 'ä.' })
    expect(heard).toBe('ä.')
  })

  real('binary output and invalid UTF-8 do no harm', async () => {
    const exit = await shell.run(commandOf('head -c 200000 /dev/urandom; printf "\\0\\377"'), never)
    expect(exit).toMatchObject({ status: 'exited', code: 0, outputBytes: 200_002 })
  })
})
