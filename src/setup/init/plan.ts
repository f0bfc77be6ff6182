import { knownAgents } from '../../adapters/agents/known.ts'
import { configJsonSchema } from '../../config/json-schema.ts'
import { loadSettings } from '../../config/load-settings.ts'
import type { Gate } from '../../config/repository/declared-gates.ts'
import { findGates } from '../../config/repository/gates.ts'
import { findPrepare } from '../../config/repository/prepare.ts'
import { openRepositoryFiles, type Repository } from '../../config/repository/repository.ts'
import { findPartial, findResults } from '../../config/repository/results.ts'
import { findSetup } from '../../config/repository/setup.ts'
import type { Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine.ts'
import { bestAgent, type FoundAgent, findAgents } from '../find-agents.ts'
import { chooseWhere, refuseInTheWay, type Where } from './where.ts'

/** Everything that `init` found and would write. Planning changes nothing. */
export type InitPlan = Where & {
  readonly agents: readonly FoundAgent[]
  readonly agent: FoundAgent | undefined
  readonly gates: readonly Gate[]
  /** The file that lists the work to do, and whether it exists. */
  readonly work: { readonly plan: string; readonly there: boolean; readonly sources: readonly string[] }
  /** Problems to solve before the first run. */
  readonly notes: readonly string[]
  /** In writing order. The configuration is last, because it makes the folder a workspace. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** Plans an init. `from` is the person's current folder. */
export async function planInit(machine: Machine, from: string): Promise<InitPlan> {
  const { environment } = machine
  const where = chooseWhere(environment, from)
  const { root, folder } = where
  refuseInTheWay(root, listPaths(folder))
  // Reports errors in the person's own config and variables before anything is written.
  await loadSettings(machineAt(machine, root))
  const repository = openRepositoryFiles(root)
  const agents = await findAgents(environment)
  const agent = bestAgent(agents)
  const gates = findGates(repository)
  const work = findWork(repository)
  const prompts = promptTexts({ folder, ...work })
  const texts = [
    'runs/\nstate/\n',
    `${JSON.stringify(configJsonSchema(await machine.configShape()), null, 2)}\n`,
    ...phases.map((phase) => prompts[phase]),
    configText({
      program: environment.program,
      folder,
      agent,
      gates,
      setup: findSetup(repository),
      prepare: findPrepare(repository, gates),
      results: findResults(repository, gates),
    }),
  ]
  const files = listPaths(folder).map((path, index) => ({ path, text: texts[index]! }))
  const partial = findPartial(repository, gates).map(
    (command) => `${command} checks only what git shows as changed, so it proves little. Let it check everything.`,
  )
  const found = { ...where, agents, agent, gates, work }
  return { ...found, notes: [...listNotes(machine, from, found), ...partial], files }
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
  const { agents, agent, gates, work, inGit, root, folder } = found
  const prd = work.sources.find((path) => path.endsWith('PRD.md'))
  const missing = gates.filter(({ command }) => !isInstalled(machine, root, command)).map(({ command }) => command)
  return [
    ...(root === from
      ? []
      : [`The workspace is ${inGit ? "the repository's root" : 'the folder'} ${root}, not ${from}.`]),
    ...(agent
      ? []
      : [`No agent found. Install one, or set ai_cmd in ${folder}/config.yml; until then no run can start.`]),
    ...(agent?.login.status === 'no' ? [`${agent.name} is not logged in: ${knownAgents[agent.name].login.how}`] : []),
    ...agents.flatMap(({ name, problem }) => (problem === null ? [] : [`${name} does not respond: ${problem}`])),
    ...(gates.length ? [] : [`${noGate} ${folder}/config.yml, such as: gates: ["npm test"]`]),
    ...(gates.length && !gates.some(({ purpose }) => ['test', 'check'].includes(purpose))
      ? [`${noTest} ${folder}/config.yml.`]
      : []),
    ...(missing.length ? [`Not on your PATH, so these gates would fail: ${missing.join(', ')}`] : []),
    ...(work.there ? [] : [`No plan found. Write the work you want done into ${work.plan}.`]),
    ...(prd ? [`To deliver ${prd} story by story: ${machine.environment.program} deliver ${prd} --dry-run`] : []),
    ...(inGit ? [] : ["Not a git repository, so the agent's changes cannot be undone. To create one: git init"]),
  ]
}

const noGate = 'No gate found, so a run cannot be done before its limits. Write the command that checks the work into'
const noTest = 'No tests found: these gates show that the code builds, not that it works. Add your tests to'

/** Whether the program of a gate is installed. Skips variables before it, as in `CI=1 npm test`. */
function isInstalled({ findProgram }: Machine, root: string, command: string): boolean {
  const program = command.split(' ').find((word) => !word.includes('='))!
  return findProgram(program, root) !== undefined
}

type ConfigFacts = {
  readonly program: string
  readonly folder: string
  readonly agent: FoundAgent | undefined
  readonly gates: readonly Gate[]
  readonly setup: readonly string[]
  readonly prepare: readonly string[]
  readonly results: string | undefined
}

/** Formats the configuration, with a comment for each setting. */
const configText = ({ program, folder, agent, gates, setup, prepare, results }: ConfigFacts): string => `\
# yaml-language-server: $schema=./config.schema.json
# Settings of ${program} for this repository. Created by \`${program} init\`; edit it freely.
# Where a value comes from: \`${program} config explain <key>\`. All keys: \`${program} schema config\`.

${agentLines(agent)}
${gateLines(gates)}${setupLines(setup)}${prepareLines(prepare)}${resultsLines(results)}
# Limits. The run ends at the first one it reaches. To override one for a single run: \`${program} run build -n 1\`.
default_iterations: 10 # maximum number of iterations
max_time: 3h # active time of the run; waiting for a usage limit does not count
attempt_timeout: 30m # stops the agent of one iteration after this time
${silenceLine(agent)}failure_threshold: 3 # stops after this many failed iterations in a row
${costLines(agent)}
procedures:
  build: # \`${program} run build\`
    # The prompt of each iteration: four files, read again every time. Edit them to fit your project.
${phases.map((phase) => `    ${phase}: ${folder}/prompts/${phase}.md\n`).join('')}\
    # Done when the agent reports success and all gates pass. Other values: gates, never.
    until: promise+gates
`

function agentLines(agent: FoundAgent | undefined): string {
  if (agent) {
    const others = Object.keys(knownAgents).filter((name) => name !== agent.name)
    return `# The agent; a new process in every iteration. Other agents: ${others.join(', ')}. For any other command that reads its
# prompt from standard input, set ai_cmd instead.
agent: ${agent.name}
`
  }
  const ways = Object.entries(knownAgents).map(([name, { install }]) => `# agent: ${name}`.padEnd(20) + install)
  return `# The agent; a new process in every iteration. None was found on this machine. Install one, log in and uncomment its
# line, or set ai_cmd to any command that reads its prompt from standard input.
${ways.join('\n')}
# ai_cmd: "my-agent --headless"
`
}

function gateLines(gates: readonly Gate[]): string {
  if (gates.length === 0) {
    return `# Gates: commands that run after each iteration. All must exit with 0 for the iteration to count. None was found here.
# Without a gate nothing proves that the work is done, so every run goes on to its limits. Add your tests:
# gates:
#   - make test
`
  }
  const lines = gates.map(({ command, from }) => `  - ${scalar(command)} # ${from}\n`)
  return `# Gates: commands that run after each iteration, in this order. All must exit with 0 for the iteration to count.
gates:
${lines.join('')}`
}

/** Only deliveries install dependencies. Lock files show how, so that this line only says what would be done anyway. */
const setupLines = (setup: readonly string[]): string =>
  setup.length === 0
    ? ''
    : `
# \`deliver\` verifies stories in a clean copy. If a story changes dependencies, these commands install them there. Code that
# tests import and git ignores is built by commands under prepare.
setup:
${setup.map((command) => `  - ${scalar(command)}\n`).join('')}`

const prepareLines = (prepare: readonly string[]): string =>
  prepare.length === 0
    ? ''
    : `
# Before the commands of a story run in the clean copy, these make what tests import and git ignores.
prepare:
${prepare.map((command) => `  - ${scalar(command)}\n`).join('')}`

const resultsLines = (results: string | undefined): string =>
  results === undefined
    ? ''
    : `
# Where \`deliver\` finds the results of single tests. A story is then judged by its own tests and by those that were green
# before; tests of other stories may stay red.
results: ${scalar(results)}
`

/** Only for known agents, which stream their output. Another command may be silent for any time. */
const silenceLine = (agent: FoundAgent | undefined): string =>
  agent ? 'silence_timeout: 15m # stops an agent that prints nothing for this long\n' : ''

function costLines(agent: FoundAgent | undefined): string {
  if (!agent || !knownAgents[agent.name].reports.costUsd) return ''
  return `# ${agent.name} reports the cost of each iteration, so cost can be limited. On a subscription this is the price the same
# work would have had.
max_cost: 10 # US dollars
`
}

/** Leaves a text unquoted if YAML reads it unchanged. JSON quoting is valid YAML. */
const scalar = (text: string): string => (/^[A-Za-z./][\w ./=+-]*$/.test(text) ? text : JSON.stringify(text))

const phases = ['observe', 'orient', 'decide', 'act'] as const
type Phase = (typeof phases)[number]

type PromptFacts = {
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  /** The file that lists the work to do; it may not exist yet. */
  readonly plan: string
  /** Files and folders with details, such as `specs/`. */
  readonly sources: readonly string[]
}

/** The prompts of one iteration. The agent remembers nothing of earlier iterations. */
const promptTexts = (facts: PromptFacts): Readonly<Record<Phase, string>> => ({
  observe: observe(facts),
  orient: orient(facts),
  decide: decide(facts),
  act: act(facts),
})

const observe = ({ folder, plan, sources }: PromptFacts): string => `\
You are one iteration of a loop. You start fresh and remember nothing. What earlier iterations learned is in the files
and in git. Nobody can answer questions. Look first; change nothing yet.

1. Read AGENTS.md, CLAUDE.md and README.md if they exist, to learn how this project is built, tested and written.
2. Read the plan, \`${plan}\`${sources.length ? `, and its sources: ${sources.map(quoted).join(', ')}` : ' and the files it points to'}.
3. Run \`git status --short\` and \`git log --oneline -15\`. Uncommitted changes are unfinished work of an earlier
   iteration or of a person. Read \`git diff\` before you build on them, and never discard them.
4. The gates are the commands under \`gates:\` in \`${folder}/config.yml\`. They run after you, and only they decide
   whether your work counts. To see how the last ones went, find the newest output with
   \`ls -t ${folder}/runs/"$PAWL_RUN_ID"/attempts/*-gate-*.log 2>/dev/null | head -1\` and read its end. If there is none,
   or you doubt it, run the gates yourself.
`

const orient = ({ plan }: PromptFacts): string => `\
Assess the current state, and write it down in a few plain lines:

- Which items of \`${plan}\` are really done? Trust code and passing tests, not a tick in a list.
- What is missing, broken or half done? Do not assume that something is missing because you have not seen it. Search for
  it first, by name and by function. It may exist under another name.
- Is a gate red, and why? Find the first error, not the last. Is the cause in the code or in the environment?
- What did the last iterations try? If the same step has failed before, do not repeat it: find out why it failed.
- Which single step now advances the plan most? Fix a red gate before anything else, finish half-done work before new
  work, and do items that others depend on before independent ones.
`

const decide = ({ plan }: PromptFacts): string => `\
Choose exactly one task.

- Small: you can finish, test and commit it within this iteration. If its description needs an "and", take the first half.
- Verifiable: you can name the command that fails now, or does not exist yet, and passes when the task is done.

Before you begin, write into \`${plan}\` the task in one line and the command that proves it. Add everything else you
noticed as items for a later iteration, one line each. If the plan is wrong, correct it and say why.

If every item is done, choose no task: go to ACT and only verify. If there is no plan, or it does not say what is
wanted, do not invent a product: report in ACT that you are blocked.
`

const act = ({ folder, plan }: PromptFacts): string => `\
1. Do the complete task: no stubs, no placeholders, no "later". Follow the style of the surrounding code.
2. Write or extend a test that fails without your change and passes with it. Run it.
3. Run every gate of \`${folder}/config.yml\`, in order. Fix everything that is red, even if it was red before.
4. If all gates are green: tick off the task in \`${plan}\`, add what the next iteration must know, and commit. Add only the
   files of this task, by name. The message is one plain line that says what now works. Do not push.
5. If a gate is red and you cannot fix it: leave the tree in a state in which the next iteration can continue, and write
   into \`${plan}\` what you tried and what you learned. Do not commit red work.

Never weaken, skip or delete a test, a check or a lint rule to make a gate green. Never edit \`${folder}/\`, CI files or
git hooks. Never print, move or commit secrets. Leave no process running.

A program reads your final message, and only its very last line counts as a signal: the tag alone on that line, without
quotes or formatting. If every item of the plan is done and you have just seen all gates pass, that line is
<promise>SUCCESS</promise> and nothing else. If you could not do what this iteration needed, give the reasons and then
end with the line <promise>FAILURE</promise> instead. If only a person can unblock you (a missing key, access, a
decision), say what is needed and end with the line <promise>BLOCKED</promise> instead. In all other cases, which are the
most common, signal nothing: end with one sentence about what you did and what comes next.
`

const quoted = (path: string): string => `\`${path}\``
