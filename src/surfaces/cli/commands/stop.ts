import { endRun, postNote } from '../../../run/actions/notes.ts'
import { currentPerson } from '../../../run/new-run.ts'
import { readRun } from '../../../run/read-run.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const { machine } = program
  const stored = await findRun(machine, args[0], 'act')
  const { id, name } = stored.entry
  const alive = (await readRun(stored)).owner !== undefined
  if (alive) await postNote(program, stored, { by: currentPerson(), say: 'cancel' })
  else await endRun(program, stored, (text) => io.err(`${machine.environment.program}: ${text}`))
  const { standing } = await readRun(stored)
  io.result({ run: id, standing }, () => [
    alive ? `Stopping ${name}. Finished work is kept.` : `${name} is ${standing}. Finished work is kept.`,
  ])
  return 0
}
