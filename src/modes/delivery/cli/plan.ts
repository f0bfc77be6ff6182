import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { formatCount, toOneLine } from '../../../show/format.ts'
import type { Handler, Invocation } from '../../../surfaces/terminal/command.ts'
import { countIgnored } from '../core/planner/explain.ts'
import { buildInput, type Explained, findPrd, type Plan, planInput, planPrd, writePlan } from '../start/plan-prd.ts'

export const handle: Handler = async (invocation) => {
  const { args, options } = invocation
  const { input, outDir } = options
  if ((args[0] === undefined) === (input === undefined)) {
    throw new PawlError(
      2,
      'name a PRD, or an input and an out-dir',
      (pawl) => `${pawl} plan PRD.md, or ${pawl} plan --input run-input.json --out-dir DIR`,
    )
  }
  if (typeof input !== 'string') return planForPerson(invocation, args[0]!)
  if (typeof outDir !== 'string') throw new PawlError(2, '--input needs --out-dir: the folder for plan.json')
  return planForProgram(invocation, resolve(input), resolve(outDir))
}

async function planForProgram({ program, io }: Invocation, input: string, outDir: string): Promise<0> {
  const { plan, path } = await planInput(program.machine, input, outDir)
  const ignored = countIgnored(plan)
  io.result({ plan: path, stories: plan.stories.length, ignored_lines: ignored, sha256: plan.sha256 }, () => [
    `${path}: ${formatCount(plan.stories.length, 'story', 'stories')}, ${formatCount(ignored, 'ignored line')}, ${plan.sha256}`,
  ])
  return 0
}

async function planForPerson({ program: { machine }, options, io }: Invocation, path: string): Promise<0> {
  const prd = await findPrd(machine, path, process.cwd(), options.verify as string[])
  for (const warning of prd.warnings) io.err(`warning: ${warning}`)
  const isInput = options.printInput === true
  if (prd.verification.story_commands.length === 0)
    io.err(
      'Found no command in this repository that proves a story. ' +
        (isInput
          ? 'Replace the one in story_commands, which always fails.'
          : `Name one: --verify "npm test", or set gates in ${machine.environment.folder}/config.yml.`),
    )
  if (isInput) {
    const input = await buildInput(machine, prd)
    io.result(input, () => [JSON.stringify(input, null, 2)])
    return 0
  }
  const { plan, explained } = planPrd(prd.root, prd.path, prd.verification)
  const written = typeof options.outDir === 'string' ? writePlan(machine, resolve(options.outDir), plan) : undefined
  const isExplained = options.explain === true
  io.result({ plan, ...(isExplained && { explained }), ...(written && { written }) }, () => [
    ...formatPlan(plan, path),
    ...(isExplained ? ['', 'WHY', ...explained.map(formatReasoning)] : []),
    ...formatIgnored(plan, path, isExplained ? undefined : machine.environment.program),
    ...(written ? ['', `written to ${written}`] : []),
  ])
  return 0
}

const kinds = {
  task: 'tasks',
  'user-story': 'user stories',
  requirement: 'functional requirements',
  criterion: 'acceptance criteria',
  phase: 'phases',
} as const

function formatPlan({ stories, unmapped, format }: Plan, path: string): string[] {
  const from = kinds[stories[0]!.source.kind]
  return [
    `${formatCount(stories.length, 'story', 'stories')} from the ${from} of ${path} (${format})`,
    ...stories.flatMap(formatStory),
    ...(unmapped.length > 0 ? ['', 'IN NO STORY'] : []),
    ...unmapped.map(({ line, id, text }) => `  line ${line}  ${toOneLine(formatTitle(id, text), 100)}`),
  ]
}

function formatStory(story: Plan['stories'][number]): string[] {
  const { id, title, source, depends_on, acceptance_criteria, file_focus, verification } = story
  const after = depends_on.length > 0 ? `, after ${depends_on.join(', ')}` : ''
  return [
    '',
    `${id}  ${toOneLine(formatTitle(source.id, title), 120)}`,
    `    line ${source.line}, ${formatCount(acceptance_criteria.length, 'criterion', 'criteria')}${after}`,
    ...(file_focus.length > 0 ? [`    files  ${file_focus.join(', ')}`] : []),
    ...verification.map((command) => `    proof  ${toOneLine(command, 120)}`),
  ]
}

/** `program` is named in the command that lists the ignored lines. Undefined if they are listed already. */
function formatIgnored(plan: Plan, path: string, program: string | undefined): string[] {
  const count = countIgnored(plan)
  if (count === 0) return []
  const where = program === undefined ? '.' : `: ${program} plan ${path} --explain`
  return ['', `${formatCount(count, 'line')} of ${path} ignored${where}`]
}

function formatReasoning({ line, end_line, id, story, title, role, because }: Explained): string {
  const lines = end_line > line ? `lines ${line}-${end_line}` : `line ${line}`
  const what = toOneLine(formatTitle(id, title), 60)
  const where = role === 'story' ? `is ${story}` : role === 'criterion' ? `goes to ${story}` : roleWords[role]
  return `  ${lines}  ${what}  ${where}: ${because}`
}

const roleWords = { context: 'is context', excluded: 'is excluded', ignored: 'is IGNORED' } as const

/** Leaves out an id that the title already starts with. */
const formatTitle = (id: string | null, title: string): string =>
  id === null || title.toLowerCase().startsWith(id.toLowerCase()) ? title : `${id}: ${title}`
