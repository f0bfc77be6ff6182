import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { adaptiveIterate, iteratePrompt, openMemoryStore, type RefineOptions } from '../../../../dist/index.js'
import { newFolder } from '../../../support/folder.ts'
import { sapLines } from '../cli/sap-lines.ts'
import { refineWorkspace } from '../cli/workspace.ts'

const PAWL_KEY = randomBytes(32).toString('base64')

describe('an empty task is refused and logged, and there is no run', () => {
  test.each([
    ['iteratePrompt', iteratePrompt, ''],
    ['adaptiveIterate', adaptiveIterate, ' \n\t'],
    ['adaptiveIterate with control characters only', adaptiveIterate, '\u0000\u001b'],
  ])('%s', async (_, refine, task) => {
    const [workspace, store] = [newFolder(), openMemoryStore()]
    const options: RefineOptions = { workspace, store, taskId: 'AGENT-7', branch: 'main', env: { PAWL_KEY } }
    const refined = await refine(task, options)
    expect(refined).toMatchObject({
      status: 'aborted',
      state: 'Aborted',
      reason: 'empty_task',
      output: null,
      tokens: 0,
    })
    expect(refined.problem).toBe('the task is empty')
    expect(await store.list({})).toEqual([])
    const lines = sapLines(workspace)
    expect(lines.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['error', 'empty_task'],
      ['abort', 'empty_task'],
    ])
    for (const line of lines) {
      expect(line).toMatchObject({
        task_id: 'AGENT-7',
        branch: 'main',
        correlation_id: refined.correlation_id,
        model_used: 'Llama 3.1 70B',
        detail: 'the task is empty',
        state: 'Aborted',
      })
    }
  })

  test('without a workspace there is no log', async () => {
    expect(await iteratePrompt('')).toMatchObject({ status: 'aborted', reason: 'empty_task' })
  })

  test.each([
    ['a task of no words', ['  '], 2],
    ['an empty file', ['empty.md'], 30],
    ['empty standard input', ['-'], 2],
  ])('pawl refine: %s', async (_, words, exit) => {
    const { refine, put, workspace, folder } = await refineWorkspace({ beats: [] })
    put('empty.md', '\n')
    const { code, err } = await refine(...words)
    expect([code, err]).toEqual([exit, expect.stringContaining('is empty')])
    expect(fs.existsSync(join(workspace, folder, 'runs'))).toBe(false)
    expect(sapLines(workspace).map(({ event, outcome, model_used }) => [event, outcome, model_used])).toEqual([
      ['error', 'empty_task', 'Llama 3.1 70B'],
      ['abort', 'empty_task', 'Llama 3.1 70B'],
    ])
  })
})

test('a person has one pseudonym in the logs of all processes, of the library and of the program', async () => {
  const { refine, workspace, env, root } = await refineWorkspace({ beats: [{ score: 90 }] })
  expect((await refine('Write to ann@example.org', '--preset', 'sap-0010')).code).toBe(0)
  const index = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'index.js')
  const script = join(root, 'log.mjs')
  fs.writeFileSync(
    script,
    `import { adaptiveIterate } from ${JSON.stringify(index)}
    await adaptiveIterate(' ', { workspace: process.cwd(), taskId: process.argv[2] })`,
  )
  const inProcess = (taskId: string) => promisify(execFile)(process.execPath, [script, taskId], { cwd: workspace, env })
  await inProcess('ann@example.org')
  await inProcess('Ann@Example.org')
  await inProcess('bob@example.org')
  const ids = sapLines(workspace).map(({ task_id }) => task_id)
  const [ann, again, bob] = [ids.at(-6), ids.at(-4), ids.at(-2)]
  expect(ann).toMatch(/^[0-9a-f]{64}$/)
  expect(again).toBe(ann)
  expect(bob).not.toBe(ann)
  const { openKeys } = await import('../../../../src/adapters/keys/keys.ts')
  const { stateFolder } = await import('../../../../src/machine/environment.ts')
  const keys = openKeys({ env: {}, stateFolder: stateFolder(env, root) }, { make: false })
  expect(keys.pseudonymOf('ann@example.org')).toBe(ann)
})
