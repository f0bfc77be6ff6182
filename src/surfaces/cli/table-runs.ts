import {
  boundsOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  trustOption,
  watchOptions,
} from '../terminal/command.ts'

/** Commands for any run. `resumeOptions` are those that modes add to `resume`. */
export const runCommands = (resumeOptions: readonly OptionSpec[]): readonly CommandEntry[] => [
  {
    spec: {
      name: 'ls',
      group: 'RUNS',
      rank: 1,
      says: 'list runs, newest first',
      options: [{ flags: '-a, --all', says: 'of every folder, not only this one' }],
      examples: ['pawl ls', 'pawl ls --all --json'],
    },
    load: () => import('./commands/ls.ts'),
  },
  {
    spec: {
      name: 'show',
      group: 'RUNS',
      rank: 2,
      args: '[run]',
      says: 'what a run did: what to look at first, what changed, gates, iterations, spending, what is next',
      options: [
        { flags: '--format <format>', says: 'text, or github: markdown for the summary of a CI job' },
        { flags: '--text', says: 'the text that a refinement has come to, and nothing else' },
        { flags: '--diff', says: 'what a refinement would change in its file' },
      ],
      examples: [
        'pawl show',
        'pawl show build',
        'pawl show prd --text > better.md',
        'pawl show 20260214 --format github',
      ],
    },
    load: () => import('./commands/show.ts'),
  },
  {
    spec: {
      name: 'why',
      group: 'RUNS',
      rank: 3,
      args: '[run]',
      says: 'why a run stands where it stands: which rule decided, where it was set, what continues it',
      examples: ['pawl why', 'pawl why build --json'],
    },
    load: () => import('./commands/why.ts'),
  },
  {
    spec: {
      name: 'logs',
      group: 'RUNS',
      rank: 4,
      args: '[run]',
      says: "print a run's events, or what its agents and gates print",
      options: [
        { flags: '-f, --follow', says: 'go on as the run goes on' },
        { flags: '-o, --output', says: 'the output of the newest attempt instead of events; with -f as it comes' },
      ],
      examples: ['pawl logs', 'pawl logs -f build', 'pawl logs --output'],
    },
    load: () => import('./commands/logs.ts'),
  },
  {
    spec: {
      name: 'resume',
      group: 'RUNS',
      rank: 5,
      args: '[run]',
      says: 'go on with a run that was interrupted, crashed, waits or has ended short of its goal',
      options: [
        ...boundsOptions,
        ...watchOptions,
        trustOption,
        ...resumeOptions,
        detachOption,
        { flags: '--now', says: 'do not wait for a limit to pass' },
        { flags: '--take-over', says: 'although its owner cannot be proved dead' },
      ],
      examples: ['pawl resume', 'pawl resume build --max-iterations 20', 'pawl resume build --agent codex --now'],
    },
    load: () => import('./commands/resume.ts'),
  },
  {
    spec: {
      name: 'answer',
      group: 'RUNS',
      rank: 6,
      args: '[run] [choice]',
      says: 'answer what a run asks',
      options: [
        { flags: '-t, --text <text>', says: 'words of your own' },
        { flags: '--file <file>', says: 'words of your own, from a file; - as the choice reads them from stdin' },
      ],
      examples: [
        'pawl answer build yes',
        'pawl answer prd --text "Add more details"',
        'pawl answer prd --file review.md',
        'pawl answer prd - < review.md',
      ],
    },
    load: () => import('./commands/answer.ts'),
  },
  {
    spec: {
      name: 'feedback',
      group: 'RUNS',
      rank: 7,
      args: '<run> [text]',
      says: 'tell a refinement what you think, without stopping it: the next iteration is told',
      options: [{ flags: '--file <file>', says: 'from a file; - as the text reads it from stdin' }],
      examples: ['pawl feedback prd "Shorter, and say who pays"', 'pawl feedback prd - < review.md'],
    },
    load: () => import('./commands/feedback.ts'),
  },
  {
    spec: {
      name: 'fork',
      group: 'RUNS',
      rank: 8,
      args: '<run>',
      says: 'go on from an earlier point of a refinement with other feedback, as a run of its own',
      options: [
        { flags: '--at <seq>', says: 'the event after which it goes another way, as logs --json numbers them' },
        { flags: '--feedback <text>', says: 'what it is told there' },
        { flags: '--trust', says: 'trust what a run that you did not start was started with' },
        { flags: '-q, --quiet', says: 'say only how it ended' },
        { flags: '--plain', says: 'lines only, nothing redrawn' },
        detachOption,
      ],
      examples: ['pawl fork prd --at 14 --feedback "For operators, not for developers"'],
    },
    load: () => import('./commands/fork.ts'),
  },
  {
    spec: {
      name: 'pause',
      group: 'RUNS',
      rank: 9,
      args: '[run]',
      says: 'let a run pause at its next boundary',
      examples: ['pawl pause build'],
    },
    load: () => import('./commands/pause.ts'),
  },
  {
    spec: {
      name: 'stop',
      group: 'RUNS',
      rank: 10,
      args: '[run]',
      says: 'end a run: what runs is stopped, what is done is kept',
      examples: ['pawl stop build'],
    },
    load: () => import('./commands/stop.ts'),
  },
  {
    spec: {
      name: 'fsck',
      group: 'RUNS',
      rank: 11,
      args: '[run]',
      says: 'check everything a run has kept, and whether its decisions would be made again',
      examples: ['pawl fsck', 'pawl fsck build --json'],
    },
    load: () => import('./commands/fsck.ts'),
  },
  {
    spec: {
      name: 'clean',
      group: 'RUNS',
      rank: 12,
      says: 'remove ended runs of this folder; unfinished ones are never touched',
      options: [
        { flags: '--keep <n>', says: 'keep the newest n runs (default 10)' },
        { flags: '-y, --yes', says: 'do it; without this it only tells what it would remove' },
      ],
      examples: ['pawl clean', 'pawl clean --keep 3 --yes'],
    },
    load: () => import('./commands/clean.ts'),
  },
]
