import { PawlError } from '../../../contract/exit.ts'
import { cleanable, removeRuns, sizeOf } from '../../../run/clean.ts'
import { plural } from '../../../show/format.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, options, io }) => {
  const keep = wholeNumber(options.keep ?? '10')
  const runs = cleanable(place, keep)
  const removed = options.yes
    ? removeRuns(place, runs)
    : runs.map(({ id, name, dir }) => ({ id, name, bytes: sizeOf(dir) }))
  const total = (removed.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)
  io.result({ removed: options.yes === true, runs: removed }, () => [
    ...removed.map(({ id, name }) => `${options.yes ? 'removed' : 'would remove'} ${id}  ${name}`),
    removed.length === 0
      ? 'Nothing to remove.'
      : `${plural(removed.length, 'run')}, ${total} MB${options.yes ? '' : '. To do it: the same with --yes'}`,
  ])
  return 0
}

function wholeNumber(text: unknown): number {
  if (typeof text === 'string' && /^[0-9]{1,6}$/.test(text)) return Number(text)
  throw new PawlError(2, `--keep takes a whole number, not ${String(text)}`)
}
