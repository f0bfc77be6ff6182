import { NotSavedError } from '../../../ports/journal.ts'

/** A disk that is full or broken is nobody's failed attempt, and nothing that waiting for the repository would mend. */
export async function orNotSaved<T>(effect: () => Promise<T>): Promise<T> {
  try {
    return await effect()
  } catch (error) {
    if (!isDiskFault(error)) throw error
    throw new NotSavedError(`cannot write to the repository: ${(error as Error).message}`, { cause: error })
  }
}

const codes = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']
/** As git says it in the language that it is asked in. */
const words =
  /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|unable to write new index file/i

/** Whether what went wrong passes as soon as there is room again. */
function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    codes.includes((error as NodeJS.ErrnoException).code ?? '') || words.test(error.message) || isDiskFault(error.cause)
  )
}
