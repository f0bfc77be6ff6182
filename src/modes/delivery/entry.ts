import type { ModeEntry } from '../../run/mode.ts'
import { deliveryCommands, deliveryResumeOptions } from './cli/commands.ts'

export const deliveryEntry = {
  name: 'delivery',
  load: async () => (await import('./mode.ts')).delivery,
  settings: async () => (await import('./contract/settings.ts')).deliverySettings,
  starts: {
    deliver: async () => (await import('./start/deliver.ts')).deliver,
    execute: async () => (await import('./start/execute.ts')).execute,
  },
  schemas: {
    plan: async () => (await import('./contract/plan.ts')).Plan,
    'run-input': async () => (await import('./contract/input.ts')).RunInput,
    result: async () => (await import('./contract/result.ts')).DeliveryResult,
  },
  commands: deliveryCommands,
  resumeOptions: deliveryResumeOptions,
} as const satisfies ModeEntry & { readonly commands: unknown; readonly resumeOptions: readonly unknown[] }
