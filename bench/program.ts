import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const benchFolder = import.meta.dirname
export const root = join(benchFolder, '..')

/** Runs one of our programs in a new process and returns the line of JSON that it prints. */
export async function runProgram<T>(
  name: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly flags?: readonly string[] },
): Promise<T> {
  const { signal, flags = [] } = options
  signal.throwIfAborted()
  const file = join(benchFolder, 'programs', `${name}.ts`)
  const child = spawn(process.execPath, [...flags, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'], signal })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`bench/programs/${name}.ts failed (exit ${code})`)
  return JSON.parse(text) as T
}
