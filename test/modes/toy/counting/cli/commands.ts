import type { CommandEntry } from '../../../surfaces/terminal/command.ts'

export const commands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'count',
      group: 'START',
      args: '<number>',
      says: 'count to a number',
      options: [{ flags: '--command <command>', says: 'run this in every step' }],
      examples: ['pawl count 3'],
    },
    load: () => import('./count.ts'),
  },
]
