import { configJsonSchema } from '../../config/json-schema.ts'
import type { Gate } from '../../config/repository/gate.ts'
import { findGates } from '../../config/repository/gates.ts'
import { type Repository, repositoryAt } from '../../config/repository/repository.ts'
import { settingsHere } from '../../config/settings-here.ts'
import type { Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine-at.ts'
import { bestAgent, type FoundAgent, findAgents } from '../agents-found.ts'
import { configText } from './config-text.ts'
import { phases, promptTexts } from './prompts.ts'
import { chooseWhere, refuseInTheWay, type Where } from './where.ts'

/** Everything `init` found and would write. Making it changes nothing. */
export type InitPlan = Where & {
  readonly agents: readonly FoundAgent[]
  readonly agent: FoundAgent | undefined
  readonly gates: readonly Gate[]
  /** The file that tells what is to be done, and whether it is there. */
  readonly work: { readonly plan: string; readonly there: boolean }
  /** What a person should know before the first run. */
  readonly notes: readonly string[]
  /** In the order in which they are written: the configuration last, since it makes the folder a workspace. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** `from` is the folder that the person stands in. */
export async function planInit(machine: Machine, from: string): Promise<InitPlan> {
  const { environment } = machine
  const where = chooseWhere(environment, from)
  const { root, folder } = where
  refuseInTheWay(root, listPaths(folder))
  // What is wrong elsewhere, in the person's own file or variables, is told before anything is written.
  await settingsHere(machineAt(machine, root))
  const repository = repositoryAt(root)
  const agents = await findAgents(environment)
  const agent = bestAgent(agents)
  const gates = findGates(repository)
  const work = findWork(repository)
  const prompts = promptTexts({ folder, ...work })
  const texts = [
    'runs/\nstate/\n',
    `${JSON.stringify(configJsonSchema(await machine.configShape()), null, 2)}\n`,
    ...phases.map((phase) => prompts[phase]),
    configText({ program: environment.program, folder, agent, gates }),
  ]
  const files = listPaths(folder).map((path, index) => ({ path, text: texts[index]! }))
  const notes = listNotes(machine, from, { ...where, agents, agent, gates, work })
  return { ...where, agents, agent, gates, work, notes, files }
}

const listPaths = (folder: string): readonly string[] => [
  `${folder}/.gitignore`,
  `${folder}/config.schema.json`,
  ...phases.map((phase) => `${folder}/prompts/${phase}.md`),
  `${folder}/config.yml`,
]

const plans = ['TODO.md', 'PLAN.md', 'IMPLEMENTATION_PLAN.md', 'ROADMAP.md', 'docs/TODO.md', 'docs/PLAN.md']
const sources = ['specs/', 'docs/specs/', 'SPEC.md', 'PRD.md', 'docs/SPEC.md', 'docs/PRD.md']

function findWork(repository: Repository) {
  const plan = plans.find((path) => repository.has(path))
  return {
    plan: plan ?? 'TODO.md',
    there: plan !== undefined,
    sources: sources.filter((path) => repository.has(path)),
  }
}

function listNotes(machine: Machine, from: string, found: Omit<InitPlan, 'notes' | 'files'>): readonly string[] {
  const { agents, agent, gates, work, inGit, root } = found
  const missing = gates.filter(({ command }) => !isThere(machine, root, command)).map(({ command }) => command)
  return [
    ...(root === from
      ? []
      : [`The workspace is ${inGit ? "the repository's root" : 'the folder'} ${root}, not ${from}.`]),
    ...(agent ? [] : ['No agent was found: install one, or set ai_cmd. Until then a run ends with 10.']),
    ...(agent?.login.status === 'no' ? [`${agent.name} is not logged in.`] : []),
    ...agents.flatMap(({ name, problem }) => (problem === null ? [] : [`${name} does not answer: ${problem}`])),
    ...(gates.length ? [] : ['No gate was found: name your tests under gates, or only the agent judges its work.']),
    ...(missing.length ? [`Not on your PATH, so these gates would fail: ${missing.join(', ')}`] : []),
    ...(work.there ? [] : [`No plan was found: write what you want done into ${work.plan}.`]),
    ...(inGit ? [] : ['This is no git repository: what the agent changes cannot be taken back. git init']),
  ]
}

/** Looks past what is set before the program, as in `CI=1 npm test`. */
function isThere({ findProgram }: Machine, root: string, command: string): boolean {
  const program = command.split(' ').find((word) => !word.includes('='))!
  return findProgram(program, root) !== undefined
}
