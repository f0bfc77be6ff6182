import type { ModeEntry } from '../../run/mode.ts'
import { refineCommands } from './cli/commands.ts'

export const refinementEntry = {
  name: 'refinement',
  load: async () => (await import('./mode.ts')).refinement,
  starts: { refine: async () => (await import('./start/start.ts')).refine },
  schemas: {},
  settings: async () => (await import('./contract/settings.ts')).refinementSettings,
  scenarios: async () => (await import('./demo/scenarios.ts')).scenarios,
  commands: refineCommands,
  resumeOptions: [],
} as const satisfies ModeEntry & { readonly commands: unknown; readonly resumeOptions: readonly unknown[] }
