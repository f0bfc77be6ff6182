import type { Hono } from 'hono'
import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import { listRuns } from '../../run/reports/list-runs.ts'
import { type AppParts, type Bindings, readBody } from './parts.ts'
import { shortenHome } from './rows.ts'
import { findMode } from './runner.ts'

const Refine = z.strictObject({
  text: z.string().max(200_000),
  goal: z.string().max(10_000).optional(),
  rubric: z.string().max(100).optional(),
  preset: z.string().max(100).optional(),
  model: z.string().max(100).optional(),
})

const Write = z.strictObject({
  /** A folder that has runs of writing already. */
  workspace: z.string().max(4000),
  project: z.string().max(200),
  target: z.string().max(100),
  feedback: z.string().min(1, 'say what to change').max(100_000),
  cull: z.enum(['cull-all', 'keep-all']).optional(),
})

/** Starts runs that need no agent. A page gives texts and never paths of files to read: those would be sent to a model. */
export function addStarts(api: Hono<{ Bindings: Bindings }>, { program, runner }: AppParts): void {
  api.post('/start/refine', async (c) => {
    const { text, ...options } = await readBody(c, Refine)
    const { cwd } = program.machine.environment
    const given = { what: '-', readStdin: async () => Buffer.from(text), cwd, ...options }
    const stored = await runner.start('refine', given, cwd)
    return c.json({ run: stored.entry.id })
  })
  api.post('/start/write', async (c) => {
    const { workspace, ...options } = await readBody(c, Write)
    const runs = await listRuns(program, {})
    const mode = findMode(program, 'write')?.name
    const known = runs.find(
      (run) => run.mode === mode && [run.workspace, shortenHome(run.workspace)].includes(workspace),
    )
    if (!known) throw new PawlError(2, 'no iteration was ever started in this folder', undefined, 'not_found')
    const given = { kind: 'iterate', studio: known.workspace, view: 'full', ...options }
    const stored = await runner.start('write', given, known.workspace)
    return c.json({ run: stored.entry.id })
  })
}
