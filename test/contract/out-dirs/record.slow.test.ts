import { expect, test } from 'vitest'
import { readOutDir } from '../../../src/testing/out-dirs.ts'
import { record } from './record.ts'

// To make them anew after a change that is meant: npm run out-dirs:record
test.each(['success', 'agent-blocked', 'blocked-dependency', 'invalid-input', 'cancelled', 'wait-exhausted'] as const)(
  'recorded anew, %s is what ships',
  async (name) => {
    expect(await record(name)).toEqual(readOutDir(name))
  },
)
