import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ProgramName, programNames } from '../../../src/contract/programs.ts'
import { runCli } from '../../../src/surfaces/cli/main.ts'
import { listCommandSpecs } from '../../../src/surfaces/cli/table.ts'
import { newFolder } from '../../support/folder.ts'
import { modes, programAt } from '../../support/runs.ts'
import { captureIo } from '../captured-io.ts'
import { newWorkspace } from './pawl.ts'

const names = listCommandSpecs(modes).map(({ name }) => name)

async function call(program: ProgramName, argv: readonly string[]) {
  const { machine } = programAt(newFolder())
  const environment = { ...machine.environment, program, folder: program === 'rooda' ? '.rooda' : '.pawl' }
  const { io, out, err } = captureIo()
  await runCli(argv, { machine: { ...machine, environment }, modes }, modes, io)
  return [...out, ...err].join('\n')
}

/** Whether a text tells people to call a command of another name. */
const speaksOf = (text: string, name: ProgramName): boolean =>
  programNames
    .filter((other) => other !== name)
    .some((other) => new RegExp(`\\b${other} (?:${names.join('|')}|--help)\\b|\\.${other}/`).test(text))

test.each(programNames)('%s: the help of every command names the program that was called', async (program) => {
  for (const name of names) {
    const help = await call(program, [name, '--help'])
    expect(help.split('\n')[0]).toContain(`${program} ${name}`)
    expect([name, speaksOf(help, program)]).toEqual([name, false])
  }
})

test.each(programNames)('%s: errors and hints name the program that was called', async (program) => {
  const calls = [['resume'], ['show', 'nothing-like-it'], ['run', 'x'], ['execute'], ['plan'], ['deliver', 'none.md']]
  for (const argv of calls) {
    const said = await call(program, argv)
    expect(said).toContain(`${program}: `)
    expect([argv, said, speaksOf(said, program)]).toEqual([argv, said, false])
  }
  expect(await call(program, ['execute'])).toContain(`${program} execute --input`)
  expect(await call(program, ['completion', 'bash'])).toContain(`-F _${program} ${program}`)
})

test('no text in the source tells people to call pawl: it would be wrong under another name', () => {
  const source = fileURLToPath(new URL('../../../src', import.meta.url))
  // An example in a command table begins with `pawl`, which stands for the name. The demo shows its own commands.
  const told = new RegExp(`['"\`][^'"\`]*[^'"\`]\\bpawl (?:${names.join('|')})\\b`)
  const found = globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.startsWith('setup/demo/'))
    .flatMap((file) =>
      readFileSync(`${source}/${file}`, 'utf8')
        .split('\n')
        .map((line) => `${file}: ${line.trim()}`),
    )
    .filter((line) => told.test(line) && !/: (?:\/\*\*|\*|\/\/)/.test(line))
  expect(found).toEqual([])
})

test('rooda: what a run says last, why and ls speak of rooda and .rooda/', async () => {
  const rooda = newWorkspace({ name: 'rooda', agent: [{ exit: 1 }] })
  const said = [await rooda.run('build', '--trust')]
  for (const words of [
    ['why'],
    ['show'],
    ['build', '-n', '0', '--max-cost', '1'],
    ['feedback', 'build', 'x'],
    ['answer'],
  ])
    said.push(await rooda.run(...words))
  for (const { out, err } of said) expect([out + err, speaksOf(out + err, 'rooda')]).toEqual([out + err, false])
})
