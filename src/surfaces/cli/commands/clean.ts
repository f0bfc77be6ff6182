import { PawlError } from '../../../contract/exit.ts'
import { cleanRuns } from '../../../run/actions/clean.ts'
import { formatCount } from '../../../show/format.ts'
import type { Handler } from '../../terminal/command.ts'

export const handle: Handler = async ({ program, options, io }) => {
  const isReal = options.yes === true
  const removed = await cleanRuns(program.machine, parseKeep(options.keep ?? '10'), isReal)
  const total = (removed.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)
  io.result({ removed: isReal, runs: removed }, () => [
    ...removed.map(({ id, name }) => `${isReal ? 'removed' : 'would remove'} ${id}  ${name}`),
    removed.length === 0
      ? 'Nothing to remove.'
      : `${formatCount(removed.length, 'run')}, ${total} MB${isReal ? '' : `. To remove ${removed.length === 1 ? 'it' : 'them'}, add --yes`}`,
  ])
  return 0
}

function parseKeep(text: unknown): number {
  if (typeof text === 'string' && /^[0-9]{1,6}$/.test(text)) return Number(text)
  throw new PawlError(2, `--keep takes a whole number, not ${String(text)}`)
}
