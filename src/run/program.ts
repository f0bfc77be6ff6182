import type { Machine } from './machine.ts'
import type { ModeEntry } from './mode.ts'

/** The whole program as surfaces are given it: what the machine can do, and which modes there are. */
export type Program = { readonly machine: Machine; readonly modes: readonly ModeEntry[] }
