import { knownAgents } from '../../adapters/agents/known.ts'
import { configJsonSchema } from '../../config/json-schema.ts'
import { loadSettings } from '../../config/load-settings.ts'
import type { Gate } from '../../config/repository/declared-gates.ts'
import { findGates } from '../../config/repository/gates.ts'
import { type Repository, repositoryAt } from '../../config/repository/repository.ts'
import type { Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine.ts'
import { bestAgent, type FoundAgent, findAgents } from '../find-agents.ts'
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
  await loadSettings(machineAt(machine, root))
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

type ConfigFacts = {
  readonly program: string
  readonly folder: string
  readonly agent: FoundAgent | undefined
  readonly gates: readonly Gate[]
}

/** A configuration that a person can read from top to bottom and knows what each line does. */
const configText = ({ program, folder, agent, gates }: ConfigFacts): string => `\
# yaml-language-server: $schema=./config.schema.json
# How ${program} works in this repository. Written by \`${program} init\`, yours to change. Where a value comes from:
# \`${program} config explain <key>\`. All keys: \`${program} schema config\`.

${agentLines(agent)}
${gateLines(gates)}
# Bounds. The first one that is reached ends the run; \`${program} run build -n 1\` sets one for a single run.
default_iterations: 10 # iterations at most
max_time: 3h # active time of the whole run; waiting for a limit does not count
attempt_timeout: 30m # one iteration's agent is ended after this
${silenceLine(agent)}failure_threshold: 3 # failures in a row, of the agent or of a gate
${costLines(agent)}
procedures:
  build: # \`${program} run build\`
    # What the agent is told in each iteration: four files, read anew every time, yours to improve.
${phases.map((phase) => `    ${phase}: ${folder}/prompts/${phase}.md\n`).join('')}\
    # Done when the agent says that everything is done and all gates pass. Others: gates, never.
    until: promise+gates
`

function agentLines(agent: FoundAgent | undefined): string {
  if (agent) {
    const others = Object.keys(knownAgents).filter((name) => name !== agent.name)
    return `# The agent, started fresh for every iteration. Others: ${others.join(', ')}; or instead of it ai_cmd, any command that
# reads its prompt on standard input.
agent: ${agent.name}
`
  }
  const ways = Object.entries(knownAgents).map(([name, { install }]) => `# agent: ${name}`.padEnd(20) + install)
  return `# The agent, started fresh for every iteration. None was found on this machine: install one, log in and take
# its line, or give any command that reads its prompt on standard input.
${ways.join('\n')}
# ai_cmd: "my-agent --headless"
`
}

function gateLines(gates: readonly Gate[]): string {
  if (gates.length === 0) {
    return `# Gates: commands that must all exit with 0 for an iteration to count. None was found here. Without a gate only
# the agent's own word ends a run, so name your tests.
# gates:
#   - make test
`
  }
  const lines = gates.map(({ command, from }) => `  - ${scalar(command)} # ${from}\n`)
  return `# Gates: run after each iteration, in this order; all must exit with 0 for it to count.
gates:
${lines.join('')}`
}

/** Known agents stream what they do; of any other command nobody knows how long it is silent. */
const silenceLine = (agent: FoundAgent | undefined): string =>
  agent ? 'silence_timeout: 15m # an agent that says nothing for so long hangs\n' : ''

function costLines(agent: FoundAgent | undefined): string {
  if (!agent || !knownAgents[agent.name].reports.costUsd) return ''
  return `# ${agent.name} reports what each iteration costs, so money can be a bound; on a subscription it is what the same
# work would have cost.
max_cost: 10 # US dollars
`
}

/** Plain where YAML reads it as the same text; otherwise quoted, and JSON's quoting is YAML's too. */
const scalar = (text: string): string => (/^[A-Za-z./][\w ./=+-]*$/.test(text) ? text : JSON.stringify(text))

const phases = ['observe', 'orient', 'decide', 'act'] as const
type Phase = (typeof phases)[number]

type PromptFacts = {
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  /** The file that says what is to be done, there or not. */
  readonly plan: string
  /** Where more is said about it, such as `specs/`. */
  readonly sources: readonly string[]
}

/** What an agent that remembers nothing is told in each iteration. The files are the person's own from then on. */
const promptTexts = (facts: PromptFacts): Readonly<Record<Phase, string>> => ({
  observe: observe(facts),
  orient: orient(facts),
  decide: decide(facts),
  act: act(facts),
})

const observe = ({ folder, plan, sources }: PromptFacts): string => `\
You are one iteration of a loop. You were started fresh and remember nothing: what earlier iterations knew is in the
files and in git. Nobody is there to answer questions. First look; change nothing yet.

1. Read AGENTS.md, CLAUDE.md and README.md, those that exist: how this project is built, tested and written.
2. Read the plan, \`${plan}\`${sources.length ? `, and what it rests on: ${sources.map(quoted).join(', ')}` : ' and the files it points to'}.
3. Run \`git status --short\` and \`git log --oneline -15\`. Uncommitted changes are the unfinished work of an earlier
   iteration or of a person: read \`git diff\` before you build on them, and never throw them away.
4. The gates are the commands under \`gates:\` in \`${folder}/config.yml\`. They run after you, and they alone decide
   whether your work counts. See how the last ones went:
   \`ls -t ${folder}/runs/"$PAWL_RUN_ID"/attempts/*-gate-*.log 2>/dev/null | head -1\` names the newest output. Read
   its end; if there is none, or you doubt it, run the gates yourself.
`

const orient = ({ plan }: PromptFacts): string => `\
Work out where things stand, and put it into a few plain lines:

- Which items of \`${plan}\` are really done? Believe code and passing tests, not a tick in a list.
- What is missing, broken or half done? Never take something for missing because you have not seen it: search for it
  first, by name and by what it would do. Much of what looks absent only has another name.
- Is a gate red, and why? Find the first error, not the last; tell a cause in the code from one in the surroundings.
- What did the last iterations try? If the same step has failed before, do not repeat it: find out why it failed.
- Which single step now brings the plan furthest? A red gate comes before everything, half-done work before new work,
  what other items wait for before what stands alone.
`

const decide = ({ plan }: PromptFacts): string => `\
Choose exactly one task, and no second one.

- Small: finished, tested and committed within this iteration. If its description needs an "and", take the first half.
- Verifiable: you can name the command that fails now, or is not there yet, and passes when the task is done.

Write it down before you begin, in \`${plan}\`: the task in one line, and the command that proves it. Whatever else you
noticed becomes an item there too, one line each, for a later iteration. If the plan is wrong, correct it and say why.

If every item is done, choose no task: go on to ACT and only verify. If there is no plan, or it does not tell what is
wanted, do not invent a product: say in ACT that you are blocked.
`

const act = ({ folder, plan }: PromptFacts): string => `\
1. Do the task, whole: no stubs, no placeholders, no "later". Follow the style of the code around it.
2. Write or extend the test that fails without your change, and see it pass with it.
3. Run every gate of \`${folder}/config.yml\`, in order. Fix what is red, also what was red before you came.
4. All green: tick the task off in \`${plan}\`, add what the next iteration must know, and commit. Add files by name,
   only those of this task; the message is one plain line that says what now works. Do not push.
5. Not green and no way forward: leave the tree so that the next iteration can go on, and write into \`${plan}\` what you
   tried and what you learned. Do not commit red work.

Never weaken, skip or delete a test, a check or a lint rule to get a gate green. Never edit \`${folder}/\`, CI files or
git hooks. Never print, move or commit secrets. Leave nothing running.

Your final message is read by a program, and only its very last line counts as a signal: the tag alone on that line, no
quotes, no formatting. If every item of the plan is done and you have just seen all gates pass, that line is
<promise>SUCCESS</promise> and nothing else. If you could not do what this iteration needed, give the reasons and then
end with the line <promise>FAILURE</promise> instead. If only a person can remove what stops you (a missing key, access,
a decision), say what is needed and end with the line <promise>BLOCKED</promise> instead. In every other case, and that
is the usual one, signal nothing: end with one sentence about what you did and what comes next.
`

const quoted = (path: string): string => `\`${path}\``
