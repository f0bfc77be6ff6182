import type { Hono } from 'hono'
import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import { cleanHumanText } from '../../contract/human-text.ts'
import { Caps } from '../../contract/values.ts'
import { forkRun } from '../../run/actions/fork.ts'
import { answerRun, endRun, giveFeedback, postNote } from '../../run/actions/notes.ts'
import { currentPerson } from '../../run/new-run.ts'
import { readRun } from '../../run/read-run.ts'
import { type AppParts, type Bindings, findRun, readBody } from './parts.ts'

const Text = z.string().max(100_000)
const bodies = {
  nothing: z.strictObject({}),
  feedback: z.strictObject({ text: Text.min(1, 'say something') }),
  raise: z.strictObject({ caps: Caps }),
  resume: z.strictObject({ caps: Caps.optional(), feedback: Text.optional() }),
  fork: z.strictObject({ at: z.number().int().positive().optional(), feedback: Text }),
  answer: z.strictObject({
    choice: z.string().max(200).optional(),
    picks: z.array(z.string().max(200)).max(1000).optional(),
    text: Text.optional(),
  }),
}

/** Everything that changes a run. The notes are those that commands of the terminal post. */
export function addWrites(api: Hono<{ Bindings: Bindings }>, { program, runner, print }: AppParts): void {
  for (const say of ['pause', 'unpause', 'skip-wait'] as const) {
    api.post(`/runs/:id/${say}`, async (c) => {
      await readBody(c, bodies.nothing)
      const stored = await findRun(program, c.req.param('id'))
      return c.json({ note: await postNote(program, stored, { by: currentPerson(), say }) })
    })
  }
  api.post('/runs/:id/stop', async (c) => {
    await readBody(c, bodies.nothing)
    const stored = await findRun(program, c.req.param('id'))
    const { owner } = await readRun(stored)
    if (owner) await postNote(program, stored, { by: currentPerson(), say: 'cancel' })
    else await endRun(program, stored, print)
    return c.json({ stopped: true })
  })
  api.post('/runs/:id/feedback', async (c) => {
    const { text } = await readBody(c, bodies.feedback)
    const stored = await findRun(program, c.req.param('id'))
    return c.json({ note: await giveFeedback(program, stored, cleanHumanText(text).text) })
  })
  api.post('/runs/:id/raise', async (c) => {
    const { caps } = await readBody(c, bodies.raise)
    const stored = await findRun(program, c.req.param('id'))
    return c.json({ note: await postNote(program, stored, { by: currentPerson(), say: 'raise', caps }) })
  })
  api.post('/runs/:id/answer', async (c) => {
    const { choice, picks, text } = await readBody(c, bodies.answer)
    const stored = await findRun(program, c.req.param('id'))
    const said = text === undefined || text.trim() === '' ? undefined : cleanHumanText(text).text
    const note = await answerRun(program, stored, { choice, picks, text: said })
    await continueAlone(stored)
    return c.json({ note })
  })
  api.post('/runs/:id/resume', async (c) => {
    const { caps = {}, feedback } = await readBody(c, bodies.resume)
    const stored = await findRun(program, c.req.param('id'))
    if (feedback !== undefined && feedback.trim() !== '')
      await giveFeedback(program, stored, cleanHumanText(feedback).text)
    await runner.resume(stored, caps)
    return c.json({ resumed: true })
  })
  api.post('/runs/:id/fork', async (c) => {
    const { at, feedback } = await readBody(c, bodies.fork)
    const stored = await findRun(program, c.req.param('id'))
    const forked = await forkRun(program, stored, { at, feedback: cleanHumanText(feedback).text, trust: false })
    await runner.resume(forked.run, {})
    return c.json({ run: forked.run.entry.id, at: forked.at, notices: forked.notices })
  })

  /** An answered run that no process holds goes on here, unless it starts agents. */
  async function continueAlone(stored: Awaited<ReturnType<typeof findRun>>): Promise<void> {
    // The answer itself wakes a queued run.
    if (stored.entry.queued || (await readRun(stored)).owner) return
    try {
      await runner.resume(stored, {})
    } catch (error) {
      // The answer counts; a terminal continues the run.
      if (!(error instanceof PawlError)) throw error
    }
  }
}
