import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { compare, type Pair } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const times = 9
const most = 1.3

type Measured = {
  readonly pairs: Pair[]
  readonly createMs: number
  readonly copied: { readonly bytes: number; readonly files: number }
  readonly confinement: string
}

/** What a verification in the clean room costs, compared with the same command in the work tree. */
export async function room({ scratch, signal }: Bench): Promise<Line[]> {
  const lines: Line[] = []
  for (const megabytes of [0, 200]) {
    const folder = mkdtempSync(join(scratch, 'room-'))
    const measured = await runProgram<Measured>('room', [folder, String(megabytes), String(times)], { signal })
    const { ratio, spread, subject, anchor } = compare(measured.pairs)
    const { bytes, files } = measured.copied
    const size = megabytes === 0 ? 'a small repository' : `${Math.round(bytes / 1e6)} MB in ${files} ignored files`
    lines.push({
      row: 'room',
      subject: `a verification in the clean room, ${size}`,
      anchor: 'the command in the work tree',
      ratio,
      spread,
      bound: { value: ratio, most, unit: 'x' },
      durability: 'nothing kept',
      figures: `${round(subject)} and ${round(anchor)} ms; made once in ${round(measured.createMs)} ms; sandbox ${measured.confinement}`,
    })
  }
  return lines
}
