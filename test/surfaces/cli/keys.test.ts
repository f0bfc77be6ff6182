import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorkspace, until } from './pawl.ts'
import { atTerminal } from './pseudo-terminal.ts'
import { inTerminal } from './terminal.ts'

const command = ['run', 'build', '-n', '2', '--trust'] as const
const isCooked = (text: string): boolean =>
  ['icanon', 'echo', 'isig'].every((mode) => new RegExp(`(?<![-\\w])${mode}\\b`).test(text))

/** A run whose agent waits until the file `go` exists. */
function waiting() {
  const wait = 'until test -e go; do sleep 0.05; done'
  const pawl = newWorkspace({ procedure: { agent: undefined, agent_script: undefined, ai_cmd: `sh -c '${wait}'` } })
  return { ...pawl, go: () => fs.writeFileSync(join(pawl.workspace, 'go'), '') }
}

test('typed characters never appear, p pauses and continues, ? helps, s ends the run after its step', async () => {
  const pawl = waiting()
  const run = atTerminal(pawl, command)
  const seen = (text: string): Promise<void> => until(() => run.said().includes(text), text)
  await seen('(? for keys)')
  for (const key of 'xyz\r\u001b[A') run.type(key)
  // Keys that arrive together with others count as pasted.
  const asking = setInterval(() => run.type('?'), 100)
  await seen('Keys: p pause or continue')
  clearInterval(asking)
  run.type('f')
  await seen('A procedure does not read feedback while it runs. To change the prompt: edit')
  run.type('p')
  await seen('Pausing after this step.')
  pawl.go()
  await seen('Paused; continue with: pawl resume')
  fs.rmSync(join(pawl.workspace, 'go'))
  run.type('p')
  await seen('Iteration 2/2 starting...')
  run.type('s')
  await seen('Stopping after this step, however long it takes.')
  pawl.go()
  expect(await run.ended).toBe(130)
  expect(run.said()).toContain('Interrupted. State saved. Resume with: pawl resume build')
  expect(run.said()).not.toMatch(/[xyz]{2}|\^\[/)
  expect(pawl.names()).toContain('run/interrupted')
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('after %s the terminal is as it was', async (signal) => {
  const pawl = waiting()
  const terminal = inTerminal(`'${pawl.bin}' ${command.join(' ')}; echo MODE; stty -a`, {
    cwd: pawl.workspace,
    env: pawl.env,
  })
  await until(() => terminal.text().includes('(? for keys)'), 'the live lines')
  const { pid } = JSON.parse(fs.readFileSync(join(pawl.dirOf(), 'lease-1'), 'utf8')) as { pid: number }
  process.kill(pid, signal)
  if (signal === 'SIGINT') pawl.go()
  const { text } = await terminal
  expect(isCooked(text.split('MODE')[1]!)).toBe(true)
})

test('after a crash the terminal is as it was', async () => {
  const pawl = newWorkspace()
  const module = new URL('../../../src/surfaces/terminal/raw-input.ts', import.meta.url).pathname
  fs.writeFileSync(
    join(pawl.workspace, 'crash.mjs'),
    `import { execFileSync } from 'node:child_process'
     import { openRawInput } from '${module}'
     openRawInput(process.stdin, { onText: () => {}, onSuspend: async () => {} })
     console.log('RAW', execFileSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'inherit'] }).toString())
     throw new Error('a bug')`,
  )
  const line = `'${process.execPath}' crash.mjs 2>/dev/null; echo MODE; stty -a`
  const { text } = await inTerminal(line, { cwd: pawl.workspace, env: pawl.env })
  const [before, after] = text.split('MODE')
  expect(before).toContain('-icanon')
  expect(isCooked(after!)).toBe(true)
})

test('Ctrl-Z gives the terminal back to the shell, and fg takes it again', async () => {
  const pawl = waiting()
  const terminal = inTerminal('bash --norc --noprofile -i', {
    cwd: pawl.workspace,
    env: { ...pawl.env, PS1: 'ready> ' },
  })
  const after = async (typed: string, awaited: RegExp): Promise<string> => {
    const from = terminal.text().length
    terminal.type(typed)
    await until(() => awaited.test(terminal.text().slice(from)), `${awaited} after ${JSON.stringify(typed)}`)
    return terminal.text().slice(from)
  }
  await until(() => terminal.text().includes('ready> '), 'the shell')
  await after(`'${pawl.bin}' ${command.join(' ')}\r`, /\(\? for keys\)/)
  await after('\u001a', /Stopped[\s\S]*ready> /)
  expect(isCooked(await after('stty -a\r', /min = [\s\S]*ready> |rprnt[\s\S]*ready> /))).toBe(true)
  await after('fg\r', /\(\? for keys\)/)
  await after('?', /Keys: p pause/)
  await after('s', /Stopping after this step/)
  pawl.go()
  await until(() => /Interrupted\. State saved\.[\s\S]*ready> /.test(terminal.text()), 'the end of the run')
  terminal.type('exit\r')
  await terminal
})

test('input that is no terminal is left to others', async () => {
  const pawl = newWorkspace()
  const line = `printf 'left alone\\n' | { '${pawl.bin}' ${command.join(' ')}; cat; }`
  const { text } = await inTerminal(line, { cwd: pawl.workspace, env: pawl.env })
  expect(text).toMatch(/Reached max iterations: 2[\s\S]*\nleft alone\r\n$/)
  expect(text).not.toContain('(? for keys)')
})
