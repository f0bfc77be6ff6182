import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { exitCodes } from '../../src/contract/exit.ts'
import { commands } from '../support/commands.ts'
import { newWorkspace } from '../surfaces/cli/pawl.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string): string => fs.readFileSync(join(root, 'docs', name), 'utf8')

const callsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|`|run: |\s)(pawl [a-z][^`\n|>;]*)/gm)].map(([, call]) => call!.trim())

test.each(['ci.md', 'skill/SKILL.md'])('every command and flag in docs/%s exists', (name) => {
  const calls = callsIn(read(name)).filter((call) => !/^pawl (is|ended|needs)\b/.test(call))
  expect(calls.length).toBeGreaterThan(5)
  for (const call of calls) {
    const [, command, ...words] = call.split(/\s+/)
    const spec = commands.find((known) => known.name === command)
    expect(spec, call).toBeDefined()
    const flags = ['--json', '--help', ...(spec?.options ?? []).flatMap(({ flags }) => flags.split(/[ ,]+/))]
    for (const word of words.filter((word) => word.startsWith('-'))) expect(flags, call).toContain(word)
  }
})

test.each(['ci.md', 'skill/SKILL.md'])('docs/%s speaks of exit codes that there are', (name) => {
  const rows = [...read(name).matchAll(/^\| ([`0-9, ]+) \|/gm)].flatMap(([, codes]) => codes!.match(/\d+/g) ?? [])
  expect(rows.length).toBeGreaterThan(5)
  for (const code of rows) expect(Object.keys(exitCodes)).toContain(code)
})

type Step = Readonly<Record<string, unknown>>
function stepsOfWorkflow(): (name: string) => Step {
  const source = /```yaml\n([\s\S]*?)```/.exec(read('ci.md'))?.[1] ?? ''
  const { steps } = (parse(source) as { jobs: { build: { steps: Step[] } } }).jobs.build
  return (name) => steps.find((step) => step.name === name) ?? {}
}

test('the workflow keeps its summary and its artifact whatever the run ends with', () => {
  const step = stepsOfWorkflow()
  expect(step('Summary').if).toBe('always()')
  expect(step('Keep the run')).toMatchObject({ if: 'always()', with: { path: '.pawl/runs/' } })
})

test.each([
  ['green', 'true', {}, 0, 'completed', ''],
  ['red for a gate', 'false', {}, 30, 'failed', '::error::'],
  ['green with a warning after a limit', 'true', { exit: 1 }, 0, 'failed', '::warning::'],
])('the steps of the workflow do what they say: %s', (_what, gate, entry, code, standing, says) => {
  const step = stepsOfWorkflow()
  const pawl = newWorkspace({ agent: [entry], procedure: { gates: [gate] } })
  const [output, summary] = [join(pawl.root, 'output'), join(pawl.root, 'summary')]
  const path = `${join(root, 'bin')}:${pawl.env.PATH}`
  const env = { ...pawl.env, PATH: path, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary }
  const bash = (name: string) =>
    spawnSync('bash', ['-e', '-c', String(step(name).run)], { cwd: pawl.workspace, env, encoding: 'utf8' })
  const ran = bash('Run')
  expect([ran.status, ran.stdout.includes(says)]).toEqual([code, true])
  expect(fs.readFileSync(output, 'utf8')).toBe(`code=${code || (says ? 20 : 0)}\n`)
  expect(bash('Summary').status).toBe(0)
  expect(fs.readFileSync(summary, 'utf8')).toMatch(new RegExp(`^## build ${standing}: `))
})

test('the skill has a name and says when to use it', () => {
  const [, matter] = /^---\n([\s\S]*?)\n---\n/.exec(read('skill/SKILL.md')) ?? []
  expect(parse(matter ?? '')).toEqual({ name: 'pawl', description: expect.stringMatching(/Use when/) })
})
