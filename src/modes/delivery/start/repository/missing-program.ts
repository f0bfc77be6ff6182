import type { Machine } from '../../../../run/machine.ts'
import { firstWords } from '../input/command-policy.ts'

/** What every shell has built in, or knows as a word of its language. */
const builtIn = new Set(
  `. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill printf pwd read
   readonly return set shift test times trap true type ulimit umask unalias unset wait if then else elif fi for do done
   while until case esac ! { }`.split(/\s+/),
)

/** A program that a command names and that no change in the repository could bring: no path, and nowhere to be found. */
export function missingProgram(
  { findProgram }: Pick<Machine, 'findProgram'>,
  command: string,
  cwd: string,
): string | undefined {
  return firstWords(command)?.find(
    (word) => !builtIn.has(word) && !word.includes('/') && !word.includes('=') && !findProgram(word, cwd),
  )
}
