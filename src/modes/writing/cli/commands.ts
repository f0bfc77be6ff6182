import { boundsOptions, type CommandEntry } from '../../../surfaces/terminal/command.ts'

export const writeCommands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'write',
      group: 'START',
      rank: 40,
      args: '[project]',
      says: 'revise written work in plain language, with a judge, a diff and git',
      options: [
        { flags: '--target <level>', says: 'run one iteration on this level and exit' },
        { flags: '--feedback <text>', says: 'what to change; - reads it from standard input' },
        { flags: '--generate', says: 'write the level anew instead of revising it' },
        { flags: '--answers <file>', says: 'answers for a run without a person: cull, judge, accept, provider' },
        { flags: '--model <name>', says: 'the model that writes; the command doctor lists them' },
        { flags: '--judge <name>', says: 'the model that judges; preferably of another family' },
        { flags: '--local-only', says: 'send nothing to other machines' },
        { flags: '--view <view>', says: 'full (default) or compact' },
        { flags: '--max-attempts <n>', says: 'attempts without a person (default 5)' },
        { flags: '--output-tokens <n>', says: 'the longest reply to ask for (default 8000)' },
        ...boundsOptions.slice(1),
        { flags: '--plain', says: 'print lines only, without redrawing; default with ACCESSIBLE=1, CI or TERM=dumb' },
      ],
      examples: [
        'pawl write',
        'pawl write my-novel',
        'pawl write my-novel --target chapters --feedback "Make chapter 3 darker"',
        'pawl write my-novel --target chapters --feedback "Cut chapter 7" --answers answers.yml --json',
      ],
    },
    load: () => import('./write.ts'),
  },
]
