import type { ChildProcess } from 'node:child_process'
import type { Command, Exit } from '../../../ports/shell.ts'
import { createLog, noLog } from './log.ts'
import type { Mask } from './mask.ts'
import { createOutput } from './output.ts'

export type CollectOptions = {
  readonly newMask: () => Mask
  /** Called for every chunk, however small. */
  readonly heard: () => void
}

type Collected = Pick<Exit, 'stdoutTail' | 'stderrTail' | 'outputBytes' | 'truncated' | 'detail'>

/** Both streams go to one log, in the order in which they arrive. Writing is synchronous, so a fast process waits. */
export function collectOutput(child: ChildProcess, command: Command, { newMask, heard }: CollectOptions) {
  const { log: path, logCap = defaultLogCap, onOutput } = command
  const log = path === undefined ? noLog : createLog(path, logCap)
  let outputBytes = 0
  const stdout = attach('stdout')
  const stderr = attach('stderr')

  function attach(name: 'stdout' | 'stderr') {
    const output = createOutput(newMask(), log, onOutput && ((text) => onOutput(name, text)))
    child[name]?.on('data', (chunk: Buffer) => {
      heard()
      outputBytes += chunk.length
      output.take(chunk)
    })
    return output
  }

  function finish(): Collected {
    stdout.end()
    stderr.end()
    log.close()
    const detail = log.detail()
    const tails = { stdoutTail: stdout.tail(), stderrTail: stderr.tail() }
    return { ...tails, outputBytes, truncated: log.truncated(), ...(detail === undefined ? {} : { detail }) }
  }
  return { finish }
}

const defaultLogCap = 16 * 1024 * 1024
