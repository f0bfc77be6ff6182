import { PawlError } from '../../../contract/exit.ts'
import { listRuns } from '../../../run/reports/list-runs.ts'
import { formatAmount, formatCount } from '../../../show/format.ts'
import { layoutTable } from '../../../surfaces/terminal/table.ts'
import { leastOutputTokens } from '../contract/request.ts'
import { findLevel } from '../core/level/levels.ts'
import { summarizeStats } from '../core/stats.ts'
import { readHistory } from '../project/project.ts'
import { describeLevels } from '../project/status.ts'
import { checkModels } from '../start/start.ts'
import { listTargets } from '../start/target.ts'
import { requireProject } from './iterate.ts'
import type { WritingCommand } from './slash-command.ts'
import { savePreferences } from './state.ts'

const status: WritingCommand = {
  name: 'status',
  says: 'show the project, the target, and which files are stale',
  run: (session) => {
    const open = requireProject(session)
    const { page, target } = session
    page.line(`Project: ${open.name}`)
    page.line(`Iteration target: ${target ?? 'none'}`)
    const level = target === undefined ? undefined : findLevel(open.loaded.type, target)
    if (level) page.line(`Iterations: ${readHistory(open, level).length} on ${level.id}`)
    page.line()
    for (const line of layoutTable(describeLevels(open))) page.line(line as string)
  },
}

const stats: WritingCommand = {
  name: 'stats',
  says: 'iterations, attempts, acceptance and spending',
  run: async (session) => {
    const open = requireProject(session)
    const { invocation, machine, studio, page } = session
    const runs = await listRuns({ ...invocation.program, machine }, { workspace: studio })
    const own = runs.filter((run) => run.mode === 'writing' && run.name === open.name)
    const histories = listTargets(open.loaded.type).map((level) => ({
      level: level.id,
      entries: readHistory(open, level),
    }))
    const found = summarizeStats(
      histories,
      own.map(({ card, standing }) => ({ did: card?.did ?? null, standing, spend: card?.spend })),
    )
    page.line(`Iterations: ${found.iterations} accepted, ${found.rejected} rejected`)
    if (found.iterations > 0) page.line(`Attempts until approval: ${found.meanAttempts.toFixed(1)} on average`)
    for (const row of found.levels)
      page.line(`  ${row.name}: ${formatCount(row.accepted, 'accepted iteration')}, ${row.rate} % of the finished ones`)
    if (found.kinds.length > 0) page.line('By kind of feedback:')
    for (const row of found.kinds)
      page.line(
        `  ${row.name}: ${formatCount(row.count, 'iteration')}, ${row.meanAttempts.toFixed(1)} attempts, ${row.approvedAtOnce} % approved at once`,
      )
    page.line(`Spent: ${formatAmount(found.tokens)} tokens, $${found.costUsd.toFixed(4)}`)
  },
}

const model: WritingCommand = {
  name: 'model',
  usage: '[name|default] [judge <name|default>]',
  says: 'show or choose the models that write and judge',
  args: ({ machine }) => [...Object.keys(machine.models.known), 'default'],
  run: async (session, { words }) => {
    requireProject(session)
    const { page, preferences, machine, studio } = session
    if (words.length === 0) {
      const other = preferences.model === undefined ? 'the first local model' : 'the model that writes'
      page.line(`Writer: ${preferences.model ?? 'the first of ladder in your config.yml'}`)
      page.line(`Judge: ${preferences.judge ?? `the judge of your config.yml, else ${other}`}`)
      page.line(`Known: ${Object.keys(machine.models.known).join(', ')}, ollama:<model>, agent:<name>`)
      return
    }
    const at = words.indexOf('judge')
    const writer = at === 0 ? undefined : words[0]
    const judge = at < 0 ? undefined : words[at + 1]
    if (at >= 0 && judge === undefined) throw new PawlError(2, 'Name the model that judges: /model judge claude')
    const read = (name: string): string | undefined => (name === 'default' ? undefined : name)
    const chosen = { ...(writer && { model: read(writer) }), ...(judge && { judge: read(judge) }) }
    await checkModels(machine, { studio, model: preferences.model, ...chosen, localOnly: false })
    savePreferences(session, chosen)
    page.line(`Writer: ${session.preferences.model ?? 'default'}, judge: ${session.preferences.judge ?? 'default'}`)
  },
}

const settings: Readonly<Record<string, { readonly says: string; parse(value: string): object | undefined }>> = {
  view: {
    says: 'full or compact',
    parse: (value) => (value === 'full' || value === 'compact' ? { view: value } : undefined),
  },
  'ask-after': {
    says: 'how many attempts the judge may reject before you are asked: 1, 2, ...',
    parse: (value) => (/^[1-9]\d?$/.test(value) ? { askAfter: Number(value) } : undefined),
  },
  'max-cost': {
    says: 'US dollars for one iteration, more than 0, or none',
    parse: (value) => {
      if (value === 'none') return { maxCost: undefined }
      return /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 ? { maxCost: value } : undefined
    },
  },
  'output-tokens': {
    says: `the longest reply of the model in tokens, at least ${leastOutputTokens}; longer levels are written in several replies`,
    parse: (value) =>
      /^\d{3,6}$/.test(value) && Number(value) >= leastOutputTokens ? { outputTokens: value } : undefined,
  },
}

const config: WritingCommand = {
  name: 'config',
  usage: '[key value]',
  says: 'show or change how iterations run in this project',
  args: () => Object.keys(settings),
  run: (session, { words }) => {
    requireProject(session)
    const { page } = session
    const [key, value] = words
    if (key === undefined) {
      const { view = 'full', askAfter = 1, maxCost = 'none', outputTokens = 'default' } = session.preferences
      page.lines([`view: ${view}`, `ask-after: ${askAfter}`, `max-cost: ${maxCost}`, `output-tokens: ${outputTokens}`])
      return
    }
    const setting = settings[key]
    if (!setting) throw new PawlError(2, `there is no setting ${key}`, `Settings: ${Object.keys(settings).join(', ')}`)
    const parsed = value === undefined ? undefined : setting.parse(value)
    if (!parsed) throw new PawlError(2, `${key}: ${setting.says}`)
    savePreferences(session, parsed)
    page.line(`${key}: ${value}`)
  },
}

export const infoCommands: readonly WritingCommand[] = [status, stats, model, config]
