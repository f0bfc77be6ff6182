import {
  agentOptions,
  type CommandEntry,
  detachOption,
  type OptionSpec,
  trustOption,
} from '../../../surfaces/terminal/command.ts'

/** What may be said when a delivery goes on. */
export const deliveryResumeOptions: readonly OptionSpec[] = agentOptions

export const deliveryCommands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'deliver',
      group: 'START',
      rank: 2,
      args: '<prd>',
      says: 'bring a PRD to verified stories: planned, tried within bounds, verified, committed one by one',
      options: [
        {
          flags: '--verify <command>',
          says: 'proves a story; may be given again; else gates of the config',
          repeatable: true,
        },
        { flags: '--verify-run <command>', says: 'proves the whole once all stories are done', repeatable: true },
        { flags: '--dry-run', says: 'show stories, proofs and bounds, start nothing' },
        { flags: '--attempts <n>', says: 'attempts a story, 4 if not given' },
        { flags: '--max-attempts <n>', says: 'attempts in all, 20 or twice the stories if not given' },
        { flags: '--story-time <duration>', says: 'active time a story, over all its attempts; 20m if not given' },
        { flags: '--max-time <duration>', says: 'active time in all; 3h if not given' },
        { flags: '--max-cost <usd>', says: 'end once this much is spent' },
        { flags: '--max-tokens <n>', says: 'end once this many tokens are used' },
        { flags: '--tampering <what>', says: 'tests, CI, scripts or rules touched: block (if not given), warn, ask' },
        {
          flags: '--on-fail <what>',
          says: 'the next attempt builds on the failed one: keep (if not given), or restore',
        },
        { flags: '--dirty <what>', says: 'uncommitted work: refuse (if not given), include, snapshot' },
        { flags: '--strict-evidence', says: 'a story that changed nothing and was green before fails' },
        { flags: '--no-commit', says: 'keep verified stories under refs/pawl only' },
        { flags: '--author <author>', says: 'author of the commits: "Name <name@example.org>"' },
        { flags: '--fresh', says: 'begin anew instead of going on with the last delivery of this PRD' },
        ...agentOptions,
        { flags: '-q, --quiet', says: 'say only how it ended' },
        { flags: '-v, --verbose', says: 'also print what the agent says as it goes' },
        { flags: '--plain', says: 'lines only, nothing redrawn' },
        trustOption,
        detachOption,
      ],
      examples: [
        'pawl deliver docs/login.md --dry-run',
        'pawl deliver docs/login.md --agent claude --verify "npm test"',
        'pawl deliver docs/login.md --detach --max-cost 10',
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
      says: 'take back what a story changed, the last one if none is named',
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
      says: 'plan a PRD: its stories, their order, what proves each; for programs plan.json from a run input',
      options: [
        { flags: '--explain', says: 'also which line became which story, and why in that order' },
        { flags: '--print-input', says: 'print a run input for this PRD to start from' },
        { flags: '--verify <command>', says: 'a command that proves a story; may be given again', repeatable: true },
        { flags: '--input <file>', says: 'the run input that names PRD and commands, for programs' },
        { flags: '--out-dir <folder>', says: 'write plan.json there, or result.json where there is no plan' },
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
      says: 'execute a plan for another program: bounded attempts, result.json whatever becomes of it',
      options: [
        { flags: '--input <file>', says: 'run-input.json' },
        { flags: '--plan <file>', says: 'plan.json' },
        { flags: '--out-dir <folder>', says: "the run's folder: everything it knows lies there" },
        { flags: '--agent <name>', says: 'another agent than the run input names' },
        { flags: '--ai-cmd <command>', says: 'the agent as any command that reads its prompt on stdin' },
        { flags: '-q, --quiet', says: 'say only how it ended' },
        { flags: '--plain', says: 'lines only, nothing redrawn' },
      ],
      examples: ['pawl execute --input run-input.json --plan out/plan.json --out-dir out'],
    },
    load: () => import('./execute.ts'),
  },
]
