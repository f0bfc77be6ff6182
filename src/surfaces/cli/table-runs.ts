import {
  boundsOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  trustOption,
  watchOptions,
} from '../terminal/command.ts'

/** Commands for the runs of any mode. `resumeOptions` are the flags that modes add to `resume`. */
export const runCommands = (resumeOptions: readonly OptionSpec[]): readonly CommandEntry[] => [
  {
    spec: {
      name: 'ls',
      group: 'RUNS',
      rank: 1,
      says: 'list runs, newest first',
      options: [
        { flags: '-a, --all', says: 'runs of all folders, not only this one' },
        { flags: '--each', says: 'each run of a group, such as the iterations of one sitting' },
      ],
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
      says: 'report on a run: what to check first, changes, gates, iterations, spending, next step',
      options: [
        { flags: '--format <format>', says: 'text (default), or github: markdown for the summary of a CI job' },
        { flags: '--text', says: 'print only the current text of a refinement' },
        { flags: '--diff', says: 'print what a refinement would change in its file' },
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
      says: 'explain the state of a run: which rule decided, where it was set, how to continue',
      examples: ['pawl why', 'pawl why build --json'],
    },
    load: () => import('./commands/why.ts'),
  },
  {
    spec: {
      name: 'logs',
      group: 'RUNS',
      rank: 4,
      args: '[run] [task]',
      says: "print a run's events, the conversation with its agent, or the output of its agents and gates",
      options: [
        { flags: '-f, --follow', says: 'keep printing while the run works' },
        { flags: '--agent', says: 'print what the agent said and did in an attempt; default: the last attempt' },
        { flags: '--attempt <n>', says: 'with --agent: the number of the attempt' },
        { flags: '-n, --last <n>', says: 'with --agent: only the last n entries' },
        {
          flags: '--since <time>',
          says: 'with --agent: only entries since this time: 10m (ago), or a date with a time',
        },
        { flags: '-o, --output', says: 'print the raw output of the newest process instead of events; -f streams it' },
      ],
      examples: [
        'pawl logs',
        'pawl logs --agent -f',
        'pawl logs build iteration-2 --agent -n 20',
        'pawl logs --output',
      ],
    },
    load: () => import('./commands/logs.ts'),
  },
  {
    spec: {
      name: 'resume',
      group: 'RUNS',
      rank: 5,
      args: '[run]',
      says: 'resume a run that was interrupted, crashed, is waiting or stopped short of its goal',
      options: [
        ...boundsOptions,
        ...watchOptions,
        trustOption,
        ...resumeOptions,
        detachOption,
        { flags: '--now', says: 'skip the wait for a usage limit' },
        { flags: '--take-over', says: 'resume even if the process that owns the run may still be alive' },
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
      says: "answer a run's question",
      options: [
        { flags: '-t, --text <text>', says: 'answer with this text' },
        { flags: '--pick <id>', says: 'with the choice some: accept this change; repeat it', repeatable: true },
        { flags: '--file <file>', says: 'answer with the text of this file; give - as the choice to read stdin' },
      ],
      examples: [
        'pawl answer build yes',
        'pawl answer my-novel some --pick C1 --pick C3',
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
      says: 'give feedback to a refinement without stopping it; the next iteration uses it',
      options: [{ flags: '--file <file>', says: 'read the feedback from this file; give - as the text to read stdin' }],
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
      says: 'start a new run from an earlier point of a refinement, with different feedback',
      options: [
        { flags: '--at <seq>', says: 'fork after this event: the seq number in logs --json' },
        { flags: '--feedback <text>', says: 'the feedback to give at that point' },
        { flags: '--trust', says: 'trust the commands of a run that you did not start' },
        { flags: '-q, --quiet', says: 'print only the result' },
        { flags: '--plain', says: 'print plain lines, redraw nothing' },
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
      says: 'pause a run after its current step',
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
      says: 'stop a run; finished work is kept',
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
      says: 'check the files of a run, and replay its decisions',
      examples: ['pawl fsck', 'pawl fsck build --json'],
    },
    load: () => import('./commands/fsck.ts'),
  },
  {
    spec: {
      name: 'clean',
      group: 'RUNS',
      rank: 12,
      says: 'remove ended runs of this folder; never removes unfinished ones',
      options: [
        { flags: '--keep <n>', says: 'keep the newest n runs (default 10)' },
        { flags: '-y, --yes', says: 'remove them; without this, only list what would be removed' },
      ],
      examples: ['pawl clean', 'pawl clean --keep 3 --yes'],
    },
    load: () => import('./commands/clean.ts'),
  },
]
