import { join } from 'node:path'
import { journalName } from '../../src/adapters/stores/files/lines.ts'
import { bigJournalEvents } from '../big-journal.ts'
import type { Bench, Line } from '../line.ts'
import { compare, median, takeTurns } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const times = 5

type Read = { readonly ms: number; readonly seq: number; readonly peakMb: number }

/** Replays all events, as after a change of the policy's version, compared with only parsing the lines. */
export async function replay({ journal, signal }: Bench): Promise<Line[]> {
  const dir = await journal()
  const peaks: number[] = []
  const subject = async (): Promise<number> => {
    const { ms, seq, peakMb } = await runProgram<Read>('fold-journal', [dir, 'beginning'], { signal })
    if (seq !== bigJournalEvents) throw new Error(`folded up to ${seq}`)
    peaks.push(peakMb)
    return ms
  }
  const anchor = async (): Promise<number> =>
    (await runProgram<Read>('read-file', [join(dir, journalName), 'parse'], { signal })).ms
  const { ratio, spread, ...medians } = compare(await takeTurns(times, subject, anchor))
  const perEvent = (medians.subject * 1000) / bigJournalEvents
  return [
    {
      row: 'replay',
      subject: `full fold of ${bigJournalEvents} events`,
      anchor: '1 MB chunks, JSON.parse per line',
      ratio,
      spread,
      bound: null,
      durability: 'read only, page cache warm',
      figures: `${round(perEvent)} us/event, peak RSS ${Math.round(median(peaks))} MB`,
    },
  ]
}
