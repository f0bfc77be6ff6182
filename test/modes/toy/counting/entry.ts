import type { ModeEntry } from '../../run/mode.ts'
import { commands } from './cli/commands.ts'

/** What main.ts lists of this mode: data and lazy imports only. */
export const counting = {
  name: 'counting',
  load: async () => (await import('./mode.ts')).counting,
  starts: { count: async () => (await import('./start/start.ts')).count },
  schemas: {},
  commands,
  resumeOptions: [],
} satisfies ModeEntry & Record<string, unknown>
