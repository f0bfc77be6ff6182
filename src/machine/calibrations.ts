import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain, realDisk, writeWhole } from '../adapters/stores/files/disk.ts'
import type { Calibration } from '../modes/refinement/contract/told.ts'
import type { RefinementTools } from '../modes/refinement/work/tools.ts'
import { type Place, stateDir } from '../run/paths.ts'

/** What was measured of each judge, once for all runs of this person. Losing one costs a dozen calls, and nothing else. */
export function openCalibrations(place: Place): RefinementTools['calibrations'] {
  const folder = join(stateDir(place), 'calibrations')
  return {
    async get(id) {
      try {
        const known = JSON.parse(readPlain(realDisk, join(folder, `${id}.json`), 4096)) as Calibration
        return [known.intercept, known.slope, known.sigma].every(Number.isFinite) ? known : undefined
      } catch {
        return undefined
      }
    },
    async put(id, calibration) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeWhole(realDisk, join(folder, `${id}.json`), `${JSON.stringify(calibration)}\n`)
      } catch {
        // It is in the journal of this run, and will be measured again for the next.
      }
    },
  }
}
