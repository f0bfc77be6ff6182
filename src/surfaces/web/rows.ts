import { homedir } from 'node:os'
import type { Action } from '../../contract/show.ts'
import type { NextStep, RunPayload, RunRow, RunsPayload, WaitingPayload } from '../../contract/web.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Program } from '../../run/mode.ts'
import { type ListedRun, listRuns } from '../../run/reports/list-runs.ts'
import { readLastSeq } from '../../run/reports/output.ts'
import { type Reported, reportRun } from '../../run/reports/report.ts'
import { renderAction } from '../terminal/render.ts'
import { hidePerson } from './people.ts'

export type RunsFilter = {
  readonly status?: string | undefined
  readonly mode?: string | undefined
  readonly workspace?: string | undefined
  readonly search?: string | undefined
  readonly limit: number
}

/** Lists runs for the page. Counts are those of all runs, so that a filter shows what it hides. */
export async function listRows(program: Program, filter: RunsFilter): Promise<RunsPayload> {
  const { clock } = program.machine
  const rows = (await listRuns(program, {})).map(toRow)
  const now = clock.now()
  const today = rows.filter(({ at }) => new Date(at).toDateString() === new Date(now).toDateString())
  const counts = { ...noCounts, all: rows.length, needsYou: rows.filter(({ needsYou }) => needsYou).length }
  for (const { standing } of rows) counts[standing]++
  return {
    runs: rows.filter((row) => fits(row, filter)).slice(0, filter.limit),
    counts,
    today: {
      costUsd: today.reduce((sum, { spend }) => sum + (spend?.costUsd ?? 0), 0),
      tokens: today.reduce((sum, { spend }) => sum + (spend?.tokens ?? 0), 0),
      atLeast: today.some(({ spend }) => spend?.atLeast === true),
    },
    modes: [...new Set(rows.map(({ mode }) => mode))].sort(),
    workspaces: [...new Set(rows.map(({ workspace }) => workspace))].sort(),
    now,
  }
}

const noCounts = {
  queued: 0,
  running: 0,
  crashed: 0,
  waiting: 0,
  interrupted: 0,
  completed: 0,
  failed: 0,
  blocked: 0,
  cancelled: 0,
  damaged: 0,
}

function fits(row: RunRow, { status, mode, workspace, search }: RunsFilter): boolean {
  if (status === 'needsYou' ? !row.needsYou : status !== undefined && row.standing !== status) return false
  if (mode !== undefined && row.mode !== mode) return false
  if (workspace !== undefined && row.workspace !== workspace) return false
  const words = search?.toLowerCase()
  return !words || [row.id, row.name, row.says, row.workspace].some((text) => text.toLowerCase().includes(words))
}

/** A run in the list. */
function toRow(run: ListedRun): RunRow {
  const { id, name, mode, workspace, created, card, standing, problem } = run
  return {
    id,
    name,
    mode,
    workspace: shortenHome(workspace),
    created: Date.parse(created),
    standing,
    needsYou: card?.needsYou === true || standing === 'blocked',
    says: problem ?? card?.says ?? '',
    progress: card?.progress ?? '',
    done: card?.tasks?.done ?? null,
    of: card?.tasks?.of ?? null,
    spend: card?.spend ?? null,
    caps: card?.caps ?? {},
    at: card?.at ?? Date.parse(created),
    ...(card?.waits && { waits: card.waits }),
    ...(card?.group !== undefined && { group: card.group }),
  }
}

const home = homedir()
const shortenHome = (path: string): string =>
  path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path

/** Everything about one run. `at`: as it was after that event. */
export async function describeRun(program: Program, stored: StoredRun, at?: number): Promise<RunPayload> {
  const { clock } = program.machine
  const { id } = stored.entry
  const reported = await reportRun(program, stored, at)
  const { page, headline, place, why } = reported
  const { standing, says, next, card, ...values } = page
  const row = toRow({ ...stored.entry, seq: page.seq, card, standing })
  return {
    ...values,
    row: { ...row, says },
    steered: values.steered.map((step) => ({
      ...step,
      by: hidePerson(step.by),
      says: step.says.replace(step.by, hidePerson(step.by)),
    })),
    address: stored.entry.address,
    headline,
    place,
    sections: reported.sections.filter((section) => section.id !== 'look-first'),
    why,
    next: next === null ? [] : [toStep(program, id, next, reported)],
    lastSeq: at === undefined ? page.seq : await readLastSeq(stored),
    now: clock.now(),
  }
}

/** `can`: the page itself may do this. A run with agents goes on in a terminal. */
function toStep(program: Program, run: string, action: Action, { page }: Pick<Reported, 'page'>): NextStep {
  const { program: name } = program.machine.environment
  const can = action.do === 'answer' || (action.do === 'resume' && (page.can.resume || page.can.unpause))
  return { action, command: renderAction(action, { program: name, run }), can }
}

/** Lists the runs that wait for a person, with what they ask. */
export async function listWaiting(program: Program): Promise<WaitingPayload> {
  const { clock, store } = program.machine
  const rows = (await listRuns(program, {})).map(toRow).filter(({ needsYou }) => needsYou)
  const items = await Promise.all(
    rows.slice(0, mostWaiting).map(async (row) => {
      const stored = await store.open(row.id)
      if (!stored) return []
      const { page, ...rest } = await reportRun(program, stored)
      const commands = page.next === null ? [] : [toStep(program, row.id, page.next, { ...rest, page })]
      return [{ row: { ...row, says: page.says }, question: page.question, since: row.at, commands }]
    }),
  )
  return { items: items.flat(), now: clock.now() }
}

const mostWaiting = 100
