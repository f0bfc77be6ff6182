import type { Machine } from './machine.ts'

/** The same machine as seen from another workspace. */
export const machineAt = (machine: Machine, cwd: string): Machine => ({
  ...machine,
  environment: { ...machine.environment, cwd },
})
