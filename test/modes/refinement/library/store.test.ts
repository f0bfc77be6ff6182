import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemoryStore } from '../../../../src/adapters/stores/memory/store.ts'
import { adaptiveIterate } from '../../../../src/index.ts'
import { openMachine } from '../../../../src/machine/open-machine.ts'
import { refinementEntry } from '../../../../src/modes/refinement/entry.ts'
import type { Model } from '../../../../src/ports/model.ts'
import type { Machine } from '../../../../src/run/machine.ts'
import { readText } from '../../../../src/run/reports/output.ts'
import { judgement, planOf } from '../cli/stage.ts'

let written = 0
const ollama: Model = {
  name: 'ollama',
  async call({ system = '' }) {
    const text = system.startsWith('You plan')
      ? planOf(['A', 'B', 'C'])
      : system.startsWith('You judge')
        ? judgement(90)
        : `text ${++written}`
    return { status: 'ok', text, usage: { tokens: 10, costUsd: 0 }, providerMs: 0, sentBytes: 1 }
  },
}

function newMachine(): Machine {
  const home = fs.mkdtempSync(join(tmpdir(), 'pawl-library-'))
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  const stateFolder = join(home, 'state')
  return openMachine({ program: 'pawl', cwd: home, env: {}, home, folder: '.pawl', stateFolder }, { modes: [] })
}

test('on a machine that is given, the run is kept in its store, sealed, and read again like any other', async () => {
  const machine = newMachine()
  const { cwd } = machine.environment
  const refined = await adaptiveIterate('Write of secret moons', { models: { ollama }, machine, workspace: cwd })
  expect(refined.status).toBe('completed')
  const [listed] = await machine.store.list({ workspace: cwd })
  expect(listed).toMatchObject({ id: refined.run_id, mode: 'refinement', card: { standing: 'completed' } })
  const stored = (await machine.store.open(listed!.address))!
  const { kind, text } = await readText({ machine, modes: [refinementEntry] }, stored)
  expect([kind, text]).toEqual(['final', refined.output])
  const files = fs.readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files)
    expect(fs.readFileSync(join(parentPath, name), 'utf8'), name).not.toContain('secret moons')
})

test('a store that is given keeps the run; without one nothing is left of it', async () => {
  const store = openMemoryStore()
  const machine = newMachine()
  const { run_id } = await adaptiveIterate('Write it', { models: { ollama }, machine, store })
  expect((await store.list({})).map(({ id }) => id)).toEqual([run_id])
  expect(fs.existsSync(join(machine.environment.cwd, '.pawl'))).toBe(false)
})

test('a run of no folder makes no folders for an agent of its ladder', async () => {
  const machine = newMachine()
  const models = { ollama, 'agent:claude': ollama }
  const ladder = ['ollama', 'agent:claude']
  const { status } = await adaptiveIterate('Write it', { models, ladder, machine, store: openMemoryStore() })
  expect(status).toBe('completed')
  // The state of this program belongs to the machine that was given.
  expect(fs.readdirSync(machine.environment.home)).toEqual(['state'])
})
