import {
  type CliEntry,
  type CommandEntry,
  type CommandSpec,
  commandGroups,
  type OptionSpec,
} from '../terminal/command.ts'
import { runCommands } from './table-runs.ts'

/** Lists all commands in help order. Help, completion and parsing use this list. */
export function listCommands(entries: readonly CliEntry[]): readonly CommandEntry[] {
  const resumeOptions = uniqueOptions(entries.flatMap((entry) => entry.resumeOptions))
  const all = [
    ...entries.flatMap(({ commands }) => commands),
    ...runCommands(resumeOptions),
    ...setupCommands(() => listCommandSpecs(entries)),
  ]
  return all.toSorted((a, b) => groupIndex(a) - groupIndex(b) || (a.spec.rank ?? 0) - (b.spec.rank ?? 0))
}

export const listCommandSpecs = (entries: readonly CliEntry[]): readonly CommandSpec[] =>
  listCommands(entries).map(({ spec }) => spec)

const groupIndex = ({ spec }: CommandEntry): number => commandGroups.indexOf(spec.group)

/** Drops duplicates: two modes may add the same flag. */
const uniqueOptions = (options: readonly OptionSpec[]): OptionSpec[] => [
  ...new Map(options.map((option) => [option.flags, option])).values(),
]

const databaseOption: OptionSpec = {
  flags: '--database-url <url>',
  says: 'the database of the queue; better PAWL_DATABASE_URL, since other users see command lines',
}

/** Commands that need no run. `listSpecs` lists all commands, for completion. */
const setupCommands = (listSpecs: () => readonly CommandSpec[]): readonly CommandEntry[] => [
  {
    spec: {
      name: 'init',
      group: 'START',
      rank: 10,
      says: 'set up this repository: find agents and gates, write a config and a procedure with four prompts',
      options: [{ flags: '-y, --yes', says: 'write without asking; required when there is no terminal' }],
      examples: ['pawl init', 'pawl init --yes', 'pawl init --yes --json'],
    },
    load: () => import('./commands/init.ts'),
  },
  {
    spec: {
      name: 'demo',
      group: 'START',
      rank: 11,
      says: 'watch a complete run in under a minute; needs no keys and no network',
      options: [
        { flags: '--agent <name>', says: 'use a real agent instead of the scripted one: claude, codex, opencode' },
        { flags: '--keep <folder>', says: 'run the demo in this empty folder (default: a temporary folder)' },
      ],
      examples: ['pawl demo', 'pawl demo --agent claude'],
    },
    load: () => import('./commands/demo.ts'),
  },
  {
    spec: {
      name: 'serve',
      group: 'RUNS',
      rank: 30,
      says: 'open a page in your browser that shows and steers all runs of this machine',
      options: [
        { flags: '--port <n>', says: 'the port on this machine (default 4400); 0 takes any free one' },
        { flags: '--host <address>', says: 'listen elsewhere than on this machine; needs TLS, or --insecure' },
        { flags: '--tls-cert <file>', says: 'certificate in PEM form' },
        { flags: '--tls-key <file>', says: 'its key' },
        { flags: '--insecure', says: 'listen elsewhere without TLS' },
        { flags: '--token-file <file>', says: 'keep the token for programs in this file; created if it is missing' },
        databaseOption,
        { flags: '--demo', says: 'offer scripted scenarios on the SAP page; they need no model' },
      ],
      examples: ['pawl serve', 'pawl serve --port 0', 'pawl serve --demo'],
    },
    load: () => import('./commands/service/serve.ts'),
  },
  {
    spec: {
      name: 'worker',
      group: 'RUNS',
      rank: 31,
      says: 'execute queued runs until stopped; any number of workers, on any number of machines',
      options: [
        { flags: '--concurrency <n>', says: 'runs at once (default 1)' },
        {
          flags: '--only <kind>',
          says: 'only runs of this kind: procedure, delivery, refinement, writing; repeat it',
          repeatable: true,
        },
        { flags: '--limit <kind=n>', says: 'at most n runs of this kind at once; repeat it', repeatable: true },
        { flags: '--grace <seconds>', says: 'at SIGTERM: time for runs to finish their current step (default 25)' },
        {
          flags: '--otlp <url>',
          says: 'send traces, without any text, to this OpenTelemetry collector (OTLP over HTTP)',
        },
        databaseOption,
      ],
      examples: ['pawl worker', 'pawl worker --concurrency 8 --limit delivery=2'],
    },
    load: () => import('./commands/service/worker.ts'),
  },
  {
    spec: {
      name: 'queue',
      group: 'RUNS',
      rank: 32,
      says: 'show the queue: depth and age, workers, and who executes what since when',
      options: [databaseOption],
      examples: ['pawl queue', 'pawl queue --json'],
    },
    load: () => import('./commands/service/queue.ts'),
  },
  {
    spec: {
      name: 'schema',
      group: 'MACHINE',
      rank: 10,
      args: '[name]',
      says: 'print a JSON schema: config, event, note, plan, progress, request, result, run-input, script',
      examples: ['pawl schema', 'pawl schema config', 'pawl schema run-input'],
    },
    load: () => import('./commands/schema.ts'),
  },
  {
    spec: {
      name: 'doctor',
      group: 'SETUP',
      rank: 1,
      says: 'check this machine and folder: git, disk, process supervision, agents, configuration, runs',
      options: [
        { flags: '--probe', says: 'ask each logged-in agent to create one small file; makes real calls' },
        { flags: '--agent <name>', says: 'with --probe: probe only this agent' },
        { flags: '--ai-cmd <command>', says: 'with --probe: probe this command' },
      ],
      examples: ['pawl doctor', 'pawl doctor --json', 'pawl doctor --probe --agent claude'],
    },
    load: () => import('./commands/doctor.ts'),
  },
  {
    spec: {
      name: 'config',
      group: 'SETUP',
      rank: 2,
      args: '[explain] [key]',
      says: 'show all effective settings, or explain where one comes from',
      options: [{ flags: '-p, --procedure <name>', says: 'show the settings of this procedure' }],
      examples: ['pawl config', 'pawl config explain failure_threshold', 'pawl config explain gates -p build'],
    },
    load: () => import('./commands/config.ts'),
  },
  {
    spec: {
      name: 'completion',
      group: 'SETUP',
      rank: 3,
      args: '<shell>',
      says: 'print a completion script for bash, zsh or fish',
      examples: ['pawl completion bash'],
    },
    load: async () => {
      const { completionHandler } = await import('./commands/completion.ts')
      return { handle: completionHandler(listSpecs()) }
    },
  },
]
