import { join } from 'node:path'
import { openArtifacts } from '../adapters/files/artifacts.ts'
import { realDisk, syncFolder, writeWhole } from '../adapters/files/disk.ts'
import { openInbox } from '../adapters/files/inbox.ts'
import type { RunRequest } from '../contract/request.ts'
import { agentOf } from './agent-of.ts'
import { ConfigError } from './config/problem.ts'
import { readFlags } from './config/spoken.ts'
import { person } from './continue-run.ts'
import { amendmentName, amendments, readFrozenRequest, requestHash, requestText } from './frozen-request.ts'
import { type RunEntry, registerRun } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { preflight } from './preflight.ts'

type Context = RunRequest['procedure']['context']

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
  const name = amendmentName(amendments(run.dir) + 1)
  const text = requestText(request)
  writeWhole(realDisk, join(run.dir, name), text, { synced: true })
  syncFolder(realDisk, run.dir)
  registerRun(place, { ...run, request: requestHash(text) })
  const ref = await openArtifacts(run.dir).adopt(join(run.dir, name))
  const { agent, until } = request.procedure
  await openInbox(run.dir).post({ by: person(), say: 'amend', request: ref, terms: { agent: agent.name, until } })
  return changes
}

type Amended = { readonly request: RunRequest; readonly changes: readonly string[] }

/** Pure: the request with what the flags say, and each change in a few words. */
function amended(current: RunRequest, flags: Readonly<Record<string, unknown>>, context: Context): Amended {
  const said = saidBy(flags)
  const { ai_cmd: command, agent, model, until = current.procedure.until } = said
  const chosen = command ?? agent ?? model
  const procedure = {
    ...current.procedure,
    until,
    context: [...current.procedure.context, ...context],
    agent:
      chosen === undefined
        ? current.procedure.agent
        : agentOf({ command, agent: agent ?? current.procedure.agent.name, model }),
  }
  const changes = [
    ...(chosen === undefined ? [] : [`the agent is now ${procedure.agent.argv.join(' ')}`]),
    ...(until === current.procedure.until ? [] : [`it now ends: ${until}`]),
    ...(context.length ? ['more context'] : []),
  ]
  return { request: { ...current, procedure }, changes }
}

type Said = Partial<Record<'ai_cmd' | 'agent' | 'model', string>> & { until?: RunRequest['procedure']['until'] }

function saidBy(flags: Readonly<Record<string, unknown>>): Said {
  const { aiCmd, agent, model, until } = flags
  const { claims, problems } = readFlags({ aiCmd, agent, model, until })
  const [first, ...others] = problems
  if (first) throw new ConfigError([first, ...others])
  return Object.fromEntries(claims.map(({ key, value }) => [key, value]))
}
