import type { Hono } from 'hono'
import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import type { Form, FormField, StartPayload } from '../../contract/page/start.ts'
import type { ModeEntry, StartForm } from '../../run/mode.ts'
import { listRuns } from '../../run/reports/list-runs.ts'
import { type AppParts, type Bindings, readBody } from './parts.ts'

const Values = z.record(z.string().max(100), z.string().max(200_000))

/** Starts runs that need no agent, with the forms that their modes describe. */
export function addStarts(api: Hono<{ Bindings: Bindings }>, { program, runner }: AppParts): void {
  const { machine } = program

  api.get('/start', async (c) => {
    const found = await Promise.all(program.modes.map((mode) => describeForms(mode)))
    const payload: StartPayload = { forms: found.flat().map(({ shown }) => shown) }
    return c.json(payload)
  })
  api.post('/start/:command', async (c) => {
    const command = c.req.param('command')
    const mode = program.modes.find(({ starts }) => Object.hasOwn(starts, command))
    const found = mode && (await describeForms(mode)).find(({ shown }) => shown.command === command)
    if (!found) throw new PawlError(2, 'this cannot be started here', undefined, 'not_found')
    const values = checkValues(found.shown.fields, await readBody(c, Values))
    const { options, workspace } = found.form.read(values, machine)
    const stored = await runner.start(command, options, workspace)
    return c.json({ run: stored.entry.id })
  })

  type Described = { readonly shown: Form; readonly form: StartForm<never> }

  async function describeForms({ name, starts }: ModeEntry): Promise<readonly Described[]> {
    const found = await Promise.all(
      Object.entries(starts).map(async ([command, load]): Promise<readonly Described[]> => {
        const { startsAgents, form } = await load()
        if (startsAgents || !form) return []
        const shown = await form.describe(machine, await listFolders(name))
        return shown ? [{ shown: { command, ...shown }, form }] : []
      }),
    )
    return found.flat()
  }

  async function listFolders(mode: string): Promise<readonly string[]> {
    const runs = await listRuns(program, {})
    return [...new Set(runs.filter((run) => run.mode === mode).map(({ workspace }) => workspace))]
  }
}

/** Refuses values that the form did not offer. Fields that were left empty are left out. */
function checkValues(
  fields: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw new PawlError(2, `there is no field ${unknown.slice(0, 50)}`, undefined, 'invalid')
  const values = new Map<string, string>()
  for (const field of fields) {
    const value = given[field.name] ?? ''
    if (value.trim() === '') {
      if (field.required) throw new PawlError(2, `${field.label}: this is empty`, undefined, 'invalid')
      continue
    }
    if (field.kind === 'choice' && !field.options.some((option) => option.value === value))
      throw new PawlError(2, `${field.label}: this is not offered`, undefined, 'invalid')
    values.set(field.name, value)
  }
  return Object.fromEntries(values)
}
