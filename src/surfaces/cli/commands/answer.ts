import { readMessage } from '../../../config/input/text-input.ts'
import { answerRun } from '../../../run/actions/notes.ts'
import { readRun } from '../../../run/read-run.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler, Invocation } from '../../terminal/command.ts'
import { createRendering, renderAction } from '../../terminal/render.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, io } = invocation
  const stored = await findRun(program.machine, args[0], 'act')
  const { id, name } = stored.entry
  const { standing, owner } = await readRun(stored)
  const piped = args[1] === '-'
  const choice = piped ? undefined : args[1]
  const { pick = [] } = invocation.options as { readonly pick?: readonly string[] }
  const note = await answerRun(program, stored, {
    choice,
    ...(pick.length > 0 && { picks: pick }),
    text: await readAnswerText(invocation, piped),
  })
  io.result({ run: id, note, standing }, () => [
    owner
      ? `Answered${choice === undefined ? `; ${name} continues` : `: ${choice}`}.`
      : `Answered. To resume: ${renderAction({ do: 'resume' }, createRendering(program, id))}`,
  ])
  return 0
}

function readAnswerText({ options }: Invocation, piped: boolean): Promise<string | undefined> {
  const text = typeof options.text === 'string' ? options.text : piped ? '-' : undefined
  const file = typeof options.file === 'string' ? options.file : undefined
  return readMessage({ text, file, folder: process.cwd(), stdin: process.stdin })
}
