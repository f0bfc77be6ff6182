import { join } from 'node:path'
import { openArtifacts } from '../adapters/stores/files/artifacts.ts'
import { realDisk, syncFolder, writeWhole } from '../adapters/stores/files/disk.ts'
import { openInbox } from '../adapters/stores/files/inbox.ts'
import { ConfigError } from '../config/problem.ts'
import { readFlags } from '../config/spoken.ts'
import { PawlError } from '../contract/exit.ts'
import type { ProcedureRequest, RunRequest } from '../contract/request.ts'
import type { Json } from '../contract/values.ts'
import { agentOf } from '../machine/agent-of.ts'
import { person } from './continue-run.ts'
import { amendmentName, amendments, readFrozenRequest, requestHash, requestText } from './frozen-request.ts'
import { type RunEntry, registerRun } from './index-of-runs.ts'
import { commandsIn, preflight } from './modes.ts'
import type { Place } from './paths.ts'

type Context = ProcedureRequest['context']

/**
 * Goes on with another agent, goal or context than the run was started with. The new request lies beside the old one,
 * the journal gets to know of it as a note. Returns what changed, for a person.
 */
export async function amendRun(
  place: Place,
  run: RunEntry,
  flags: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<readonly string[]> {
  const { current } = readFrozenRequest(run.dir)
  const { request, changes } = amended(current, flags, context)
  if (changes.length === 0) return []
  preflight(place, request)
  registerRun(place, { ...run, request: requestHash(requestText(request)) })
  await fileAmendment(run.dir, request, termsOf(request))
  return changes
}

/** The new request beside the old one, and a note that the journal gets to know of it by. */
export async function fileAmendment(dir: string, request: RunRequest, terms: Json): Promise<void> {
  const path = join(dir, amendmentName(amendments(dir) + 1))
  writeWhole(realDisk, path, requestText(request), { synced: true })
  syncFolder(realDisk, dir)
  const ref = await openArtifacts(dir).adopt(path)
  await openInbox(dir).post({ by: person(), say: 'amend', request: ref, terms })
}

type Amended = { readonly request: RunRequest; readonly changes: readonly string[] }

/** Pure: the request with what the flags say, and each change in a few words. */
function amended(current: RunRequest, flags: Readonly<Record<string, unknown>>, context: Context): Amended {
  const { ai_cmd: command, agent: name, model, until: saidUntil } = saidBy(flags)
  if (current.mode === 'refinement') return unamended(current, flags, context)
  const { agent: before } = current.mode === 'procedure' ? current.procedure : current.delivery
  const chosen = command ?? name ?? model
  const agent = chosen === undefined ? before : agentOf({ command, agent: name ?? before.name, model })
  const told = chosen === undefined ? [] : [`the agent is now ${agent.argv.join(' ')}`]
  if (current.mode === 'delivery') {
    if (saidUntil !== undefined || context.length) throw new PawlError(2, '--until and --context are for procedures')
    return { request: { ...current, delivery: { ...current.delivery, agent } }, changes: told }
  }
  const { until: untilBefore, context: contextBefore } = current.procedure
  const until = saidUntil ?? untilBefore
  const changes = [
    ...told,
    ...(until === untilBefore ? [] : [`it now ends: ${until}`]),
    ...(context.length ? ['more context'] : []),
  ]
  const procedure = { ...current.procedure, until, context: [...contextBefore, ...context], agent }
  return { request: { ...current, procedure }, changes }
}

/** Whom a refinement asks, and what for, is settled when it starts; only its bounds are not. */
function unamended(request: RunRequest, flags: Readonly<Record<string, unknown>>, context: Context): Amended {
  if (Object.keys(saidBy(flags)).length || context.length) {
    throw new PawlError(
      2,
      'a refinement goes on as it was started',
      'Another way from here: pawl fork. New bounds: --max-tokens, --max-iterations',
    )
  }
  return { request, changes: [] }
}

/** What the policy of the run goes by from here on. */
function termsOf(request: RunRequest): Json {
  const agent = commandsIn(request).agents[0]?.name ?? null
  return request.mode === 'procedure' ? { agent, until: request.procedure.until } : { agent }
}

type Said = Partial<Record<'ai_cmd' | 'agent' | 'model', string>> & { until?: ProcedureRequest['until'] }

function saidBy(flags: Readonly<Record<string, unknown>>): Said {
  const { aiCmd, agent, model, until } = flags
  const { claims, problems } = readFlags({ aiCmd, agent, model, until })
  const [first, ...others] = problems
  if (first) throw new ConfigError([first, ...others])
  return Object.fromEntries(claims.map(({ key, value }) => [key, value]))
}
