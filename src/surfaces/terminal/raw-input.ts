import { readFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

type Input = Pick<NodeJS.ReadStream, 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>

export type RawInput = {
  /** Gives the terminal its own line editing back, until this process is in the foreground again. */
  leave(): void
  /** Whether keys are read now: not while the process is in the background. */
  isOpen(): boolean
  close(): void
}

const checkMs = 1000

/**
 * Reads single keys, without echo, so that typing cannot smear the live lines. The terminal's own mode is back whenever the process
 * is suspended or exits; node restores it on exits that run no code of ours. A background process never touches the terminal, because
 * the kernel would stop it.
 */
export function openRawInput(
  input: Input,
  options: {
    readonly onText: (text: string) => void
    readonly onSuspend: () => Promise<void>
    /** Called each time keys begin to be read: at once, and when the process is back in the foreground. */
    readonly onEnter?: () => void
    /** Called each time before the terminal gets its own mode back. */
    readonly onLeave?: () => void
  },
): RawInput {
  const decoder = new StringDecoder('utf8')
  let isRaw = false
  const onData = (bytes: Buffer): void => options.onText(decoder.write(bytes))

  function enter(): void {
    if (isRaw || isForeground() === false) return
    isRaw = true
    input.setRawMode(true)
    input.on('data', onData)
    input.resume()
    process.on('SIGTSTP', suspend)
    options.onEnter?.()
  }

  function leave(): void {
    if (!isRaw) return
    isRaw = false
    options.onLeave?.()
    process.off('SIGTSTP', suspend)
    input.off('data', onData)
    input.pause()
    input.setRawMode(false)
  }

  function suspend(): void {
    leave()
    // Without our handler the signal has its usual effect: none if no shell could continue this process.
    void options.onSuspend().finally(() => process.kill(process.pid, 'SIGTSTP'))
  }

  // `fg` on a job that already runs in the background sends no signal.
  const check = setInterval(enter, checkMs)
  check.unref()
  process.on('SIGCONT', enter)
  enter()
  return {
    leave,
    isOpen: () => isRaw,
    close: () => {
      clearInterval(check)
      process.off('SIGCONT', enter)
      leave()
    },
  }
}

/** Whether this process may use its terminal. Undefined if the system does not tell. */
function isForeground(): boolean | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
    const [group, foreground] = [fields[2], fields[5]]
    return group === foreground
  } catch {
    return undefined
  }
}
