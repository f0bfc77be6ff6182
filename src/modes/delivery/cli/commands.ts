import {
  agentOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  queueOptions,
  trustOption,
} from '../../../surfaces/terminal/command.ts'

/** Options of `pawl resume` for deliveries. */
export const deliveryResumeOptions: readonly OptionSpec[] = agentOptions

export const deliveryCommands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'deliver',
      group: 'START',
      rank: 2,
      args: '<prd>',
      says: 'deliver a PRD as verified stories: plan, bounded attempts, verification, one commit each',
      options: [
        {
          flags: '--verify <command>',
          says: 'command that proves a story; repeatable (default: gates of the config)',
          repeatable: true,
        },
        {
          flags: '--verify-run <command>',
          says: 'command to run once all stories are done; repeatable',
          repeatable: true,
        },
        {
          flags: '--setup <command>',
          says: 'installs dependencies if a story changes them; repeatable (default: by the lock file, such as npm ci)',
          repeatable: true,
        },
        { flags: '--dry-run', says: 'show stories, commands and limits without starting' },
        { flags: '--attempts <n>', says: 'attempts per story (default 4)' },
        { flags: '--max-attempts <n>', says: 'attempts in total (default 20, or twice the number of stories if more)' },
        { flags: '--story-time <duration>', says: 'active time per story, over all attempts (default 20m)' },
        { flags: '--max-time <duration>', says: 'active time in total (default 3h)' },
        { flags: '--max-cost <usd>', says: 'stop once this much is spent' },
        { flags: '--max-tokens <n>', says: 'stop once this many tokens are used' },
        {
          flags: '--tampering <what>',
          says: 'if a story passes only with tests or settings that it changed: warn (default), block, ask',
        },
        {
          flags: '--on-fail <what>',
          says: 'after a failed attempt: keep its changes (default) or restore',
        },
        { flags: '--dirty <what>', says: 'uncommitted files: refuse (default), include, snapshot' },
        {
          flags: '--red-baseline <what>',
          says: 'if a command that several stories share fails before any work: ask (default) or accept',
        },
        { flags: '--strict-evidence', says: 'fail a story without proof (default: try once more, then accept it)' },
        {
          flags: '--clean-room',
          says: 'refuse to start where no clean room can be made (default: use one where possible)',
        },
        { flags: '--no-clean-room', says: 'verify in the work tree, where ignored files of agents count' },
        { flags: '--no-commit', says: 'save verified stories under refs/pawl only' },
        { flags: '--author <author>', says: 'author of the commits: "Name <name@example.org>"' },
        { flags: '--fresh', says: 'start over instead of resuming the last delivery of this PRD' },
        ...agentOptions,
        { flags: '-q, --quiet', says: 'print only the outcome' },
        { flags: '-v, --verbose', says: 'stream agent output' },
        { flags: '--plain', says: 'print lines only, without redrawing' },
        trustOption,
        detachOption,
        ...queueOptions,
        {
          flags: '--clone [url]',
          says: 'with --queue: workers clone this repository and push a branch pawl/<run> (default: origin)',
        },
      ],
      examples: [
        'pawl deliver docs/login.md --dry-run',
        'pawl deliver docs/login.md --agent claude --verify "npm test"',
        'pawl deliver docs/login.md --detach --max-cost 10',
        'pawl deliver docs/login.md --queue --clone',
      ],
    },
    load: () => import('./deliver.ts'),
  },
  {
    spec: {
      name: 'undo',
      group: 'RUNS',
      rank: 13,
      args: '[run] [story]',
      says: 'revert the changes of a story (default: the last one)',
      examples: ['pawl undo S2', 'pawl undo login S2'],
    },
    load: () => import('./undo.ts'),
  },
  {
    spec: {
      name: 'plan',
      group: 'MACHINE',
      rank: 1,
      args: '[prd]',
      says: 'plan a PRD: its stories, their order and their commands; for programs, plan.json from a run input',
      options: [
        { flags: '--explain', says: 'also show which line became which story, and why in that order' },
        { flags: '--print-input', says: 'print a run input template for this PRD' },
        {
          flags: '--verify <command>',
          says: 'command that proves a story; repeatable (default: gates of the config, else tests found here)',
          repeatable: true,
        },
        { flags: '--input <file>', says: 'run input with PRD and commands, for programs' },
        { flags: '--out-dir <folder>', says: 'write plan.json there, or result.json if planning fails' },
      ],
      examples: [
        'pawl plan PRD.md',
        'pawl plan PRD.md --explain --verify "npm test"',
        'pawl plan PRD.md --print-input > run-input.json',
        'pawl plan --input run-input.json --out-dir out',
      ],
    },
    load: () => import('./plan.ts'),
  },
  {
    spec: {
      name: 'execute',
      group: 'MACHINE',
      rank: 2,
      says: 'execute a plan for another program: bounded attempts, always a result.json',
      options: [
        { flags: '--input <file>', says: 'run-input.json' },
        { flags: '--plan <file>', says: 'plan.json' },
        { flags: '--out-dir <folder>', says: 'folder for everything the run writes' },
        { flags: '--agent <name>', says: 'override the agent of the run input' },
        { flags: '--ai-cmd <command>', says: 'any command that reads a prompt on stdin, as the agent' },
        { flags: '-q, --quiet', says: 'print only the outcome' },
        { flags: '--plain', says: 'print lines only, without redrawing' },
      ],
      examples: ['pawl execute --input run-input.json --plan out/plan.json --out-dir out'],
    },
    load: () => import('./execute.ts'),
  },
]
