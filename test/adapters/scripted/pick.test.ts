import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeNumber } from '../../../src/adapters/scripted/agent.ts'

test('a number that another process took first is passed over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-pick-'))
  try {
    expect(takeNumber(folder)).toBe(1)
    // Seen as one mark when counted, yet 3 is taken by the time 2 has been.
    writeFileSync(join(folder, '3'), '')
    expect(takeNumber(folder)).toBe(4)
    expect(takeNumber(folder)).toBe(5)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
