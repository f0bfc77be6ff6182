import {
  agentOptions,
  boundsOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  queueOptions,
  trustOption,
  watchOptions,
} from '../../../surfaces/terminal/command.ts'

/** Options of both `run` and `resume`. */
export const procedureResumeOptions: readonly OptionSpec[] = [
  ...agentOptions,
  { flags: '--until <what>', says: 'what ends the run early: never, gates, promise+gates' },
  {
    flags: '-c, --context <text>',
    says: 'a file or text to put before the prompt (repeatable)',
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
      says: 'run a procedure: a fresh agent for each iteration, then the gates',
      options: [
        ...boundsOptions,
        ...watchOptions,
        trustOption,
        ...procedureResumeOptions,
        detachOption,
        ...queueOptions,
        { flags: '--allow-unknown-cost', says: 'accept --max-cost for an agent that does not report its cost' },
        { flags: '--dry-run', says: 'show the prompt and the command; start nothing' },
        { flags: '--fresh', says: 'start over even if an earlier run is unfinished' },
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
