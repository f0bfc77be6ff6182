import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRun } from '../../src/run/reports/find-run.ts'
import { showEvents } from '../../src/run/reports/output.ts'
import { reportRun } from '../../src/run/reports/report.ts'
import { renderLine, renderSection } from '../support/html.ts'
import { programAt } from '../support/runs.ts'
import { newWorkspace } from '../surfaces/cli/pawl.ts'

test('a second renderer shows the same run from values alone', async () => {
  const pawl = newWorkspace({ agent: [{ output: 'did <b>it</b>' }], procedure: { gates: ['true'] } })
  expect((await pawl.run('run', 'build', '-n', '2', '--trust')).code).toBe(0)
  const program = programAt(pawl.workspace, pawl.env.HOME, pawl.env)
  const stored = await findRun(program.machine, 'build')
  const { headline, sections, why } = await reportRun(program, stored)
  const html = [
    `<h1>${renderLine(headline)}</h1>`,
    ...sections.map(renderSection),
    renderSection({ id: 'why', title: 'WHY', blocks: why }),
  ].join('\n')
  const words = (text: string): string[] => text.match(/[A-Za-z][A-Za-z-]{3,}/g) ?? []
  const shown = ((await pawl.run('show')).out + (await pawl.run('why')).out).replaceAll(stored.entry.id, '')
  const page = html.replace(/<[^>]*>/g, ' ')
  const left = words(shown.replace(/\S*\/\S*/g, '')).filter((word) => !page.includes(word))
  // Commands are buttons on a page.
  expect([...new Set(left)].filter((word) => !['pawl', 'resume', 'logs'].includes(word))).toEqual([])
  expect(html).toMatch(/<section id="attempts"><h2>ITERATIONS<\/h2><table>/)
  const lines: string[] = []
  for await (const event of showEvents(program, stored, false)) lines.push(...event.lines.map(renderLine))
  expect(lines[0]).toContain('Starting procedure: build')
  expect(html + lines.join('')).not.toMatch(/<b>/)
})

test('the second renderer imports nothing but types of the contract', () => {
  const source = fs.readFileSync(join(import.meta.dirname, '..', 'support', 'html.ts'), 'utf8')
  expect(source.match(/^import .*$/gm)).toEqual([
    "import type { Block, Line, Section, Span } from '../../src/contract/show.ts'",
  ])
})
