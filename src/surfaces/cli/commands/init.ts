import type { FoundAgent } from '../../../setup/find-agents.ts'
import { type InitPlan, planInit } from '../../../setup/init/plan.ts'
import { writeInit } from '../../../setup/init/write.ts'
import { askYesNo } from '../../terminal/ask.ts'
import type { Handler } from '../../terminal/command.ts'
import type { Text } from '../../terminal/styled.ts'
import { layoutTable } from '../../terminal/table.ts'

export const handle: Handler = async ({ program: { machine }, options, io }) => {
  const { program } = machine.environment
  const plan = await planInit(machine, process.cwd())
  const asking = options.yes !== true && io.attended && !io.json
  if (asking) for (const line of describe(plan, io.width())) io.err(line)
  const agreed = options.yes === true || (asking && (await askYesNo(io, 'Write these files?')))
  if (agreed) await writeInit(machine, plan)
  const next = [`${program} run build --dry-run`, `${program} run build -n 1`, `${program} doctor`]
  io.result({ written: agreed, ...shown(plan), next: agreed ? next : [`${program} init --yes`] }, () => [
    ...(asking ? [] : describe(plan, io.width())),
    ...(agreed
      ? [
          'Done. The commands in this config are trusted. Commit these files before the first run. Next:',
          ...next.map((command) => `  ${command}`),
        ]
      : []),
  ])
  if (!agreed) io.err(`Nothing was written. To write these files: ${program} init --yes`)
  return agreed ? 0 : 10
}

function describe(
  { root, agents, agent, gates, work, files, notes }: InitPlan,
  width: number | undefined,
): readonly Text[] {
  const rows = [
    ['workspace', root],
    ...agents.map((one) => ['agent', `${one.name}: ${formatAgent(one)}${one === agent ? '  <- used' : ''}`]),
    ...gates.map(({ command, from }) => ['gate', `${command}  (${from})`]),
    ['plan', work.there ? work.plan : `${work.plan} (does not exist yet)`],
    ...files.map(({ path }) => ['file', path]),
    ...notes.map((note) => ['note', note]),
  ]
  return layoutTable(rows, { width, shorten: [], drop: [], wrap: 1 })
}

function formatAgent({ path, version, problem, login }: FoundAgent): string {
  if (path === null) return 'not installed'
  if (version === null) return `does not respond (${problem})`
  const by = login.by === null ? '' : ` (${login.by})`
  return `${version}, ${{ yes: 'logged in', no: 'not logged in', unknown: 'login unknown' }[login.status]}${by}`
}

const shown = ({ root, folder, agents, agent, gates, work, notes, files }: InitPlan) => ({
  workspace: root,
  folder,
  agent: agent?.name ?? null,
  agents,
  gates,
  plan: work,
  notes,
  files: files.map(({ path }) => path),
})
