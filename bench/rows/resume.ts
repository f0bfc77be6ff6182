import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { journalName } from '../../src/adapters/stores/files/lines.ts'
import { bigJournalEvents } from '../big-journal.ts'
import type { Bench, Line } from '../line.ts'
import { compare, takeTurns } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const times = 7
const mostRatio = 0.25

type Folded = { readonly ms: number; readonly folded: number; readonly seq: number }

/** Resumes a long run from its snapshot and the events after it, compared with only reading the file. */
export async function resume({ journal, signal }: Bench): Promise<Line[]> {
  const dir = await journal()
  const clean = await goOn(dir, 'clean', signal)
  // After a crash, most of the time goes to the first events, where code runs for the first time.
  const crash = await goOn(dir, 'crash', signal)
  return [clean, { ...crash, bound: null }]
}

async function goOn(dir: string, left: 'clean' | 'crash', signal: AbortSignal): Promise<Line> {
  copyFileSync(join(dir, `snapshot-${left}.json`), join(dir, 'snapshot.json'))
  let tail = 0
  const subject = async (): Promise<number> => {
    const { ms, folded, seq } = await runProgram<Folded>('fold-journal', [dir, 'snapshot'], { signal })
    if (seq !== bigJournalEvents) throw new Error(`folded up to ${seq}`)
    tail = folded
    return ms
  }
  const anchor = async (): Promise<number> =>
    (await runProgram<{ ms: number }>('read-file', [join(dir, journalName), 'raw'], { signal })).ms
  const { ratio, spread, ...medians } = compare(await takeTurns(times, subject, anchor))
  return {
    row: 'resume',
    subject: `${left === 'clean' ? 'left in good order' : 'after a crash'}: snapshot + ${tail} of ${bigJournalEvents} events`,
    anchor: 'raw read of the file',
    ratio,
    spread,
    bound: { value: ratio, most: mostRatio, unit: 'x' },
    durability: 'read only, page cache warm',
    figures: `${round(medians.subject)} and ${round(medians.anchor)} ms, start-up of Node excluded`,
  }
}
