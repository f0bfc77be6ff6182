import { describe, test } from 'vitest'
import { checkRows } from './check-rows.ts'
import { type Kind, quickFaults, type Row, spotsOf } from './fault-table.ts'
import type { When } from './hostile-play.ts'

/** Faults of a model server at every spot of a refinement, on the first call, the third, every second one and always. */

const whens: readonly When[] = ['first', 'third', 'every second', 'always']
/** A line that xAI keeps open after its last word is known by its silence alone. */
const config = ({ fault }: Row): object => ({ silenceMs: fault === 'held-open' ? 800 : 20_000 })

describe('sap-0010, every fault', () => {
  test.each(spotsOf('sap-0010'))('whatever goes wrong in %s ends with a reason, within bounded calls', async (spot) => {
    const rows = whens.flatMap((when) =>
      Object.entries(quickFaults).map(([fault, kind]) => ({ fault, kind, spot, when }) as Row),
    )
    await checkRows('sap-0010', rows, { atOnce: 4, config })
  })
})

describe.each(['sap-0020', 'standard'] as const)('%s, a fault of each kind', (preset) => {
  test.each(spotsOf(preset))('whatever goes wrong in %s ends with a reason, within bounded calls', async (spot) => {
    const rows = whens.flatMap((when) => oneOfEach.map(([fault, kind]) => ({ fault, kind, spot, when })))
    await checkRows(preset, rows, { atOnce: 4, config })
  })
})

const oneOfEach: readonly (readonly [Row['fault'], Kind])[] = [
  ['limit', 'told'],
  ['limit-amid', 'limit'],
  ['overloaded', 'down'],
  ['bad-request', 'refused'],
  ['login', 'shut'],
  ['no-model', 'shut'],
  ['cut', 'down'],
  ['wrong-schema', 'down'],
  ['held-open', 'none'],
]
