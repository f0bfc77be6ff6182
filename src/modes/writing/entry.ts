import type { ModeEntry } from '../../run/mode.ts'
import { writeCommands } from './cli/commands.ts'

export const writingEntry = {
  name: 'writing',
  load: async () => (await import('./mode.ts')).writing,
  starts: { write: async () => (await import('./start/start.ts')).iterate },
  schemas: {},
  commands: writeCommands,
  resumeOptions: [],
} as const satisfies ModeEntry & { readonly commands: unknown; readonly resumeOptions: readonly unknown[] }
