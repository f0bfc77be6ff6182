import { PawlError } from '../../../contract/exit.ts'
import type { Handler } from '../command.ts'
import { completions } from '../completions.ts'

export const handle: Handler = async ({ args, io }) => {
  const shell = args[0] ?? ''
  const script = Object.hasOwn(completions, shell) ? completions[shell] : undefined
  if (!script) throw new PawlError(2, `no completion for ${shell}`, `There are: ${Object.keys(completions).join(', ')}`)
  io.result({ shell, script: script() }, () => [script()])
  return 0
}
