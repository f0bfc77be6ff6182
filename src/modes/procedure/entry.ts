import type { ModeEntry } from '../../run/mode.ts'
import { procedureCommands, procedureResumeOptions } from './cli/commands.ts'

export const procedureEntry = {
  name: 'procedure',
  load: async () => (await import('./mode.ts')).procedure,
  starts: { run: async () => (await import('./start/start.ts')).start },
  schemas: {},
  settings: async () => (await import('./contract/settings.ts')).procedureSettings,
  commands: procedureCommands,
  resumeOptions: procedureResumeOptions,
} as const satisfies ModeEntry & { readonly commands: unknown; readonly resumeOptions: readonly unknown[] }
