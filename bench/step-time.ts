import { readdirSync, readFileSync } from 'node:fs'
import { steps } from './instant-model.ts'

export type Manner = 'one-by-one' | 'at-once'
/** `files` counts the files open when the first loop ends: by then all loops have started. */
export type Timed = { readonly usPerStep: number; readonly peakMb: number; readonly files: number }

const warmUp = 20

/** Times loops in this process, after a warm-up. */
export async function timeLoops(loop: () => Promise<void>, manner: Manner, count: number): Promise<Timed> {
  for (let done = 0; done < warmUp; done++) await loop()
  const began = performance.now()
  const files = manner === 'at-once' ? await allAtOnce(loop, count) : await oneByOne(loop, count)
  const ms = performance.now() - began
  return { usPerStep: (ms * 1000) / (count * steps), peakMb: peakMb(), files }
}

async function allAtOnce(loop: () => Promise<void>, count: number): Promise<number> {
  const loops = Array.from({ length: count }, loop)
  await Promise.race(loops)
  const files = openFiles()
  await Promise.all(loops)
  return files
}

async function oneByOne(loop: () => Promise<void>, count: number): Promise<number> {
  for (let done = 0; done < count; done++) await loop()
  return openFiles()
}

const onLinux = process.platform === 'linux'
const openFiles = (): number => (onLinux ? readdirSync('/proc/self/fd').length : 0)

/** Reads peak memory from the system if possible, because `maxRSS` includes the peak of the parent process. */
function peakMb(): number {
  const told = onLinux ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) : null
  return (told ? Number(told[1]) : process.resourceUsage().maxRSS) / 1024
}
