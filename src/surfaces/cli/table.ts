import {
  type CliEntry,
  type CommandEntry,
  type CommandSpec,
  commandGroups,
  type OptionSpec,
} from '../terminal/command.ts'
import { runCommands } from './table-runs.ts'

/** Every command there is, in the order of help. Help, completion and parsing are made from this. */
export function listCommands(entries: readonly CliEntry[]): readonly CommandEntry[] {
  const resumeOptions = uniqueOptions(entries.flatMap((entry) => entry.resumeOptions))
  const all = [
    ...entries.flatMap(({ commands }) => commands),
    ...runCommands(resumeOptions),
    ...setupCommands(() => listCommandSpecs(entries)),
  ]
  return all.toSorted((a, b) => findGroup(a) - findGroup(b) || (a.spec.rank ?? 0) - (b.spec.rank ?? 0))
}

export const listCommandSpecs = (entries: readonly CliEntry[]): readonly CommandSpec[] =>
  listCommands(entries).map(({ spec }) => spec)

const findGroup = ({ spec }: CommandEntry): number => commandGroups.indexOf(spec.group)

/** Two modes may understand the same flag. */
const uniqueOptions = (options: readonly OptionSpec[]): OptionSpec[] => [
  ...new Map(options.map((option) => [option.flags, option])).values(),
]

/** Commands that are about no run. `listSpecs` lists all commands, for completion. */
const setupCommands = (listSpecs: () => readonly CommandSpec[]): readonly CommandEntry[] => [
  {
    spec: {
      name: 'init',
      group: 'START',
      rank: 10,
      says: 'set up this repository: finds agents and gates, writes a procedure with four prompts',
      options: [{ flags: '-y, --yes', says: 'write without asking; without a terminal nothing is written otherwise' }],
      examples: ['pawl init', 'pawl init --yes', 'pawl init --yes --json'],
    },
    load: () => import('./commands/init.ts'),
  },
  {
    spec: {
      name: 'demo',
      group: 'START',
      rank: 11,
      says: 'see it work, without keys or network, in under a minute',
      options: [
        { flags: '--agent <name>', says: 'a real agent instead of the scripted one: claude, codex, opencode' },
        { flags: '--keep <folder>', says: 'make the demo there: a folder of its own' },
      ],
      examples: ['pawl demo', 'pawl demo --agent claude'],
    },
    load: () => import('./commands/demo.ts'),
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
        { flags: '--probe', says: 'let each agent that is logged in make one small file: a real call' },
        { flags: '--agent <name>', says: 'probe this one only' },
        { flags: '--ai-cmd <command>', says: 'probe this command' },
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
      says: 'show every setting in force, or explain where one comes from',
      options: [{ flags: '-p, --procedure <name>', says: 'as this procedure sees it' }],
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
