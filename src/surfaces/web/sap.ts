import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import type { Json } from '../../contract/values.ts'
import type { SapFormPayload, SapRunPayload } from '../../contract/web.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { openRunToRead } from '../../run/open-run.ts'
import { type AppParts, type Bindings, findRun, readBody } from './parts.ts'
import { hidePerson } from './people.ts'
import { describeRun } from './rows.ts'
import { findMode } from './runner.ts'

// The page of seeds 000 and 001. Its labels and presets are the seeds' own.

const command = 'refine'
const tasks = ['Refine PRD', 'Generate PRD'] as const
const presets = { iteration: 'sap-0020', adaptive: 'sap-0010' } as const

const Start = z.strictObject({
  task: z.string().max(200),
  text: z.string().max(100_000),
  flow: z.enum(['iteration', 'adaptive']),
  model: z.string().max(100).optional(),
  scenario: z.string().max(100).optional(),
})

export function addSap(api: Hono<{ Bindings: Bindings }>, parts: AppParts): void {
  const { program, runner, demo } = parts
  const loadScenarios = async () => (demo ? findMode(program, command)?.scenarios?.() : undefined)

  api.get('/sap', async (c) => {
    const form: SapFormPayload = {
      tasks,
      models: Object.entries(program.machine.models.known).map(([id, { label }]) => ({ id, label })),
      scenarios: (await loadScenarios())?.list ?? [],
    }
    return c.json(form)
  })
  api.post('/sap/start', async (c) => {
    const { task, text, flow, model, scenario } = await readBody(c, Start)
    const { cwd } = program.machine.environment
    const machine = scenario === undefined ? undefined : (await loadScenarios())?.open(scenario, program.machine)
    if (scenario !== undefined && !machine) throw new PawlError(2, 'there is no such scenario', undefined, 'invalid')
    const what = text.trim() === '' ? task : text
    const isText = text.trim() !== '' && task !== ''
    const options = {
      ...(isText ? { what: '-', readStdin: async () => Buffer.from(text), goal: task } : { what }),
      cwd,
      preset: presets[flow],
      calibrate: false,
      ...(model && { model }),
    }
    const stored = await runner.start(command, options, cwd, machine)
    return c.json({ run: stored.entry.id })
  })
  api.get('/sap/:id', async (c) => c.json(await describe(parts, await findRun(program, c.req.param('id')))))
}

const mostRows = 50

async function describe({ program, feeds }: AppParts, stored: StoredRun): Promise<SapRunPayload> {
  const [run, feed] = [await describeRun(program, stored), await feeds.get(stored)]
  await feed.reach(run.seq)
  const open = await openRunToRead(program, stored)
  const { correlationId } = open.envelope.with as { readonly correlationId?: string }
  return {
    run,
    messages: feed.lines,
    correlation_id: correlationId ?? '',
    context: await readContext(),
    log: readSapLog(stored.entry.workspace, correlationId ?? ''),
  }

  /** What the next call is given: the texts so far and what people said. */
  async function readContext(): Promise<SapRunPayload['context']> {
    const pieces: { readonly seq: number; readonly label: string; readonly by?: string; readonly text: string }[] = []
    await open.use(async ({ show, cleanText }, { content }) => {
      const read = async (ref: Parameters<typeof content.get>[0]): Promise<string> =>
        new TextDecoder().decode(await content.get(ref))
      for await (const page of (await stored.read()).events) {
        for (const event of page) {
          for (const { name, ref } of show.outputs?.(event) ?? []) {
            const text = await read(ref)
            pieces.push({ seq: event.seq, label: name, text: cleanText?.(text) ?? text })
          }
          const note = event.type === 'note-received' ? event.note : undefined
          if (note && (note.say === 'answer' || note.say === 'feedback') && note.text) {
            const text = `Human feedback: ${await read(note.text)}`
            pieces.push({ seq: event.seq, label: 'Human feedback', by: hidePerson(note.by), text })
          }
        }
      }
    })
    return pieces
  }
}

/** The seeds' log. People are hidden in it already. */
function readSapLog(workspace: string, correlation: string): readonly Json[] {
  const path = join(workspace, 'agent_logs', 'sap.log')
  if (correlation === '' || !existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(correlation))
    .slice(-mostRows)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Json]
      } catch {
        return []
      }
    })
}
