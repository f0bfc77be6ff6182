import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../support/folder.ts'
import { until } from '../cli/pawl.ts'
import { isCooked, startEcho } from './session.ts'

const [pasteOn, pasteOff] = ['\u001b[?2004h', '\u001b[?2004l']
const isPasteOff = (text: string): boolean => text.lastIndexOf(pasteOff) > text.lastIndexOf(pasteOn)

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  '%s ends the program as usual and leaves the terminal as it was',
  async (signal) => {
    const { type, seen, pid, terminal } = await startEcho({ command: '$ECHO; echo "CODE $?"; stty -a' })
    await seen('1> ')
    await type('unfinished', '1> unfinished')
    process.kill(pid(), signal)
    const [before, after] = (await terminal).text.split('CODE ') as [string, string]
    expect(before).not.toContain('got')
    expect(Number.parseInt(after, 10)).toBe(128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal])
    expect(isPasteOff(before)).toBe(true)
    expect(isCooked(after)).toBe(true)
  },
)

test('a program that handles SIGTERM itself gets the end of its input', async () => {
  const { pid, terminal } = await startEcho({ env: { HANDLED: '1' } })
  process.kill(pid(), 'SIGTERM')
  const { text } = await terminal
  expect(text).toContain('SIGTERM is handled')
  expect(text).toContain('got {"is":"ended"}')
  expect(isPasteOff(text)).toBe(true)
})

test('a program that handles the loss of its terminal ends as it likes', async () => {
  const exited = join(newFolder(), 'exited')
  const { type, terminal } = await startEcho({ env: { HANDLED: '1', EXITED: exited } })
  await type('unfinished', '1> unfinished')
  process.kill(terminal.pid, 'SIGKILL')
  await until(() => existsSync(exited) && readFileSync(exited, 'utf8') !== '', 'the end of the program')
  expect(readFileSync(exited, 'utf8')).toBe('0')
})

test('a program that crashes leaves the terminal as it was', async () => {
  const { seen, pid, terminal } = await startEcho({
    env: { CRASH: '1' },
    command: '$ECHO 2>&1; echo "CODE $?"; stty -a',
  })
  await seen('1> ')
  process.kill(pid(), 'SIGUSR2')
  const [before, after] = (await terminal).text.split('CODE ') as [string, string]
  expect(before).toContain('Error: a bug')
  expect(isPasteOff(before)).toBe(true)
  expect(isCooked(after)).toBe(true)
})

test('Ctrl-Z gives the terminal to the shell, and fg brings back what was typed', async () => {
  const { type, seen, text, terminal } = await startEcho({ command: 'bash --norc --noprofile -i' })
  const after = async (keys: string, awaited: RegExp): Promise<string> => {
    const from = text().length
    await type(keys)
    await seen(awaited, from)
    return text().slice(from)
  }
  await seen('shell> ')
  await after('$ECHO\r', /1> /)
  await after('a text in two', /two/)
  await after('\u001b[D'.repeat(4), /(?:\[1D.*){4}/)
  const stopped = await after('\u001a', /Stopped[\s\S]*shell> /)
  expect(stopped.indexOf(pasteOff)).toBeGreaterThan(-1)
  expect(isCooked(await after('stty -a\r', /rprnt[\s\S]*shell> |min = [\s\S]*shell> /))).toBe(true)
  const continued = await after('fg\r', /1> a text in two/)
  expect(continued.lastIndexOf(pasteOn)).toBeLessThan(continued.indexOf('1> '))
  await after(' and more', /more/)
  await after('\r', /got .*shell|got .*\r\n[\s\S]*2> /)
  expect(text()).toContain('got {"is":"text","text":"a text in and more two"}')
  await after('\u0004', /listeners as before[\s\S]*shell> /)
  await type('exit\r')
  await terminal
})
