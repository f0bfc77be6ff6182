import { loadConfig } from '../../../app/config/load.ts'
import type { Settings } from '../../../app/config/settings.ts'
import { stateDir } from '../../../app/paths.ts'
import { preflight } from '../../../app/preflight.ts'
import { procedureRequest } from '../../../app/request.ts'
import { createRun, ownName, refuseOverUnfinished } from '../../../app/start-run.ts'
import { commandsOf, isTrusted, trust } from '../../../app/trust.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Handler, Invocation } from '../command.ts'
import { drive } from '../drive.ts'
import { duration, plural } from '../format.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const name = args[0]!
  const settings = await settingsFor(invocation, name)
  await checkTrust(invocation, settings)
  const request = procedureRequest(place, settings, name)
  preflight(place, request)
  const lease = ownName(place, name)
  try {
    if (!options.fresh) refuseOverUnfinished(place, name)
    const dir = createRun(place, request)
    if (!io.json && !options.quiet) io.err(worstCase(request.caps))
    return await drive(invocation, { id: request.run_id, dir, name })
  } finally {
    lease.release()
  }
}

export async function settingsFor({ place, options, io }: Invocation, procedure: string): Promise<Settings> {
  const { cwd: workspace, env, home } = place
  const name = place.name === 'santiago' ? 'pawl' : place.name
  const settings = await loadConfig({ workspace, env, home, name, procedure, flags: options })
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  return settings
}

/** A repository's config may name commands only after the person has trusted that content once. */
export async function checkTrust({ place, options }: Invocation, settings: Settings): Promise<void> {
  const commands = commandsOf(settings)
  if (options.trust === true) return trust(stateDir(place), place.cwd, commands)
  if (await isTrusted(stateDir(place), place.cwd, commands)) return
  const list = Object.entries(commands ?? {}).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  throw new PawlError(
    10,
    `this repository's config names commands that you have not trusted yet:\n${list.join('\n')}`,
    'If they are fine: the same command with --trust',
  )
}

/** What it can cost at worst, before anything is spent. */
function worstCase(caps: Readonly<Record<string, number>>): string {
  const parts = [
    caps.tasks && plural(caps.tasks, 'iteration'),
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${caps.tokens} tokens`,
    caps.activeMs && duration(caps.activeMs),
  ].filter(Boolean)
  return parts.length
    ? `Bounds: at most ${parts.join(', ')}.`
    : `No bound holds but ${caps.failuresInARow} failures in a row; Ctrl-C ends it.`
}
