import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Machine } from '../../../run/machine.ts'

/** What a person has set for a project on this machine. Kept beside the runs, not in the project. */
const Preferences = z
  .object({
    target: z.string().optional(),
    view: z.enum(['full', 'compact']).optional(),
    askAfter: z.number().int().min(1).optional(),
    model: z.string().optional(),
    judge: z.string().optional(),
    maxCost: z.string().optional(),
    outputTokens: z.string().optional(),
  })
  .readonly()
export type Preferences = z.infer<typeof Preferences>

const maxBytes = 1 << 16

const findState = ({ environment: { cwd, folder } }: Machine): string => join(cwd, folder, 'state')
const findPath = (machine: Machine, name: string): string => join(findState(machine), 'writing', `${name}.json`)

/** Nothing in the folder of the state belongs into the person's commits. */
export function ignoreState(machine: Machine): void {
  try {
    machine.files.makeFolder(findState(machine))
    machine.files.write(join(findState(machine), '.gitignore'), '*\n')
  } catch {}
}

/** Reads what was set for a project. A damaged file counts as empty: it holds no work. */
export function readPreferences(machine: Machine, name: string): Preferences {
  try {
    return Preferences.parse(JSON.parse(machine.files.read(findPath(machine, name), maxBytes)))
  } catch {
    return {}
  }
}

/** A preference that cannot be kept is not worth stopping for. */
export function writePreferences(machine: Machine, name: string, preferences: Preferences): void {
  try {
    const path = findPath(machine, name)
    ignoreState(machine)
    machine.files.makeFolder(dirname(path))
    machine.files.write(path, `${JSON.stringify(preferences, null, 2)}\n`)
  } catch {}
}
