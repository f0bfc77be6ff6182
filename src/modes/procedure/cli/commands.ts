import {
  agentOptions,
  boundsOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  trustOption,
  watchOptions,
} from '../../../surfaces/terminal/command.ts'

/** What may be said for one run, when it starts and when it goes on. */
export const procedureResumeOptions: readonly OptionSpec[] = [
  ...agentOptions,
  { flags: '--until <what>', says: 'what ends it early: never, gates, promise+gates' },
  {
    flags: '-c, --context <text>',
    says: 'a file or a text put before the prompt; may be given again',
    repeatable: true,
  },
]

export const procedureCommands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'run',
      group: 'START',
      rank: 1,
      args: '<procedure>',
      says: 'run a procedure: an agent started fresh for every iteration, gates after it',
      options: [
        ...boundsOptions,
        ...watchOptions,
        trustOption,
        ...procedureResumeOptions,
        detachOption,
        { flags: '--allow-unknown-cost', says: 'keep --max-cost although the agent does not tell what it spends' },
        { flags: '--dry-run', says: 'show the prompt and the command, start nothing' },
        { flags: '--fresh', says: 'start anew although an earlier run is unfinished' },
      ],
      examples: [
        'pawl run build --dry-run',
        'pawl run build -n 3',
        'pawl run build --agent claude --max-time 3h --max-cost 5 --detach',
        'pawl run build --ai-cmd "my-agent --headless" -c notes.md',
      ],
    },
    load: () => import('./run.ts'),
  },
]
