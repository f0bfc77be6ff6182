import type { Case } from './journal-suite.ts'
import { holding } from './run-store/holding.ts'
import { making } from './run-store/making.ts'
import { reading } from './run-store/reading.ts'
import type { StoreUnderTest } from './run-store/subject.ts'

export type { StoreUnderTest }

/** The contract of every run store. Each case gets an empty store. Run each case with any test function. */
export function runStoreSuite(make: () => Promise<StoreUnderTest>): Case[] {
  return [...making, ...reading, ...holding].map(([name, check]) => ({ name, check: async () => check(await make()) }))
}
