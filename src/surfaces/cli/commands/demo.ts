import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { type Audience, runDemo } from '../../../setup/demo/demo.ts'
import type { Handler } from '../../terminal/command.ts'
import type { Io } from '../../terminal/io.ts'
import { actLines, claimLines, commandLines, nextLines, wrapped } from '../output/demo-lines.ts'

export const handle: Handler = async ({ program: { machine }, options, io }) => {
  const { keep, agent } = options as Readonly<Record<string, string | undefined>>
  const stop = new AbortController()
  for (const [signal, exit] of signals) process.on(signal, () => stop.abort(endedBy(signal, exit)))
  const width = process.stdout.columns ?? Infinity
  const folder = keep === undefined ? undefined : resolve(keep)
  const demo = await runDemo(machine, { keep: folder, agent }, audienceAt(io, width), stop.signal)
  const { dir, run, claims, seen } = demo
  io.result({ dir, run, claims, seen }, () => ['', ...claimLines(claims, width), ...nextLines(demo)])
  return claims.every(({ holds }) => holds) ? 0 : 1
}

/** Commands that say nothing stand close together, and never two empty lines. */
function audienceAt(io: Io, width: number): Audience {
  let gap = false
  const say = (lines: readonly string[]): void => {
    for (const line of [...(gap ? [''] : []), ...lines]) (io.json ? io.err : io.out)(line)
    gap = false
  }
  let said = true
  return {
    act: (title, about) => {
      gap = true
      say(actLines(title, about))
      said = true
    },
    command: (words, variables) => {
      gap = said
      say(commandLines(words, variables))
      said = false
    },
    output: (line) => {
      if (line === '') gap = true
      else say(wrapped(line, '  ', width))
      said = true
    },
  }
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const endedBy = (signal: string, exit: 129 | 130 | 143): PawlError =>
  new PawlError(exit, `the demo was ended by ${signal}; nothing of it runs on`)
