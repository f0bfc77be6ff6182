import type { Capture } from '../../../ports/capture.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { createMemory, openTool, type Tool } from './tool.ts'

export type EffectOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
}

export type RunEffect = <T>(effect: (tool: Tool) => Promise<T>, signal?: AbortSignal) => Promise<T>

const maxMs = 120_000

/**
 * Runs effects in the repository that contains this folder. Each one reads the state of the repository again, because it may
 * have changed; only what cannot change is remembered.
 */
export function createEffects({ folder, env, capture }: EffectOptions): RunEffect {
  const memory = createMemory()
  return (effect, signal) =>
    orNotSaved(async () =>
      effect(await openTool(folder, { capture, env, deadline: performance.now() + maxMs }, { signal, memory })),
    )
}

/** A full or broken disk is not a failed attempt, and waiting for the repository would not help. */
export async function orNotSaved<T>(effect: () => Promise<T>): Promise<T> {
  try {
    return await effect()
  } catch (error) {
    if (!isDiskFault(error)) throw error
    throw new NotSavedError(`cannot write to the repository: ${(error as Error).message}`, { cause: error })
  }
}

const codes = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']
/** git's own words; it runs in the C locale. */
const words =
  /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|unable to write new index file/i

/** True if the failure goes away once there is room on the disk. */
function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    codes.includes((error as NodeJS.ErrnoException).code ?? '') || words.test(error.message) || isDiskFault(error.cause)
  )
}
