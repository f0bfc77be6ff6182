import { join } from 'node:path'
import type { Envelope } from '../../contract/envelope.ts'
import { buildEnvironment } from '../../contract/environment.ts'
import type { Exit, Shell } from '../../ports/shell.ts'
import type { Notice } from './notices.ts'

export type SendOptions = {
  readonly request: Pick<Envelope, 'run_id' | 'name' | 'workspace' | 'env' | 'notify'>
  /** The address of the run. */
  readonly address: string
  /** Folder for the logs of the command. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly shell: Shell
  readonly boundMs: number
}

/** Sends one notice through all channels in parallel. Contract: never rejects; returns one line per failure. */
export async function sendNotice(notice: Notice, options: SendOptions, signal: AbortSignal): Promise<string[]> {
  const { command, webhook } = options.request.notify ?? {}
  const body = buildBody(notice, options)
  const problems = await Promise.all([
    command && runCommand(command, notice, body, options, signal),
    webhook && post(webhook, body, options.boundMs, signal),
  ])
  return problems.filter((problem) => typeof problem === 'string' && problem !== '') as string[]
}

function buildBody({ reason, text, seq, at, spend, next }: Notice, { request, address }: SendOptions): string {
  const run = { run_id: request.run_id, run_name: request.name, run_dir: address }
  return JSON.stringify({ contract_version: 1, reason, text, ...run, seq, at: new Date(at).toISOString(), next, spend })
}

/** Variables that desktop notifiers need. Agents do not get them. */
const desktop = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS']

async function runCommand(
  command: string,
  { reason, text, seq }: Notice,
  body: string,
  { request, address, folder, env, shell, boundMs }: SendOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const add = {
    PAWL_NOTIFY_REASON: reason,
    PAWL_NOTIFY_TEXT: text,
    PAWL_RUN_ID: request.run_id,
    PAWL_RUN_NAME: request.name,
    PAWL_RUN_DIR: address,
  }
  const exit = await shell.run(
    {
      argv: ['/bin/sh', '-c', command],
      cwd: request.workspace,
      env: buildEnvironment(env, { allow: [...request.env, ...desktop], add }),
      stdin: { text: `${body}\n` },
      log: join(folder, `notify-${seq}-${reason}.log`),
      logCap: 64 * 1024,
      wallMs: boundMs,
      scope: request.run_id,
    },
    signal,
  )
  return exit.status === 'exited' && exit.code === 0 ? undefined : `the notify command ${formatExit(exit, boundMs)}`
}

function formatExit({ status, code, signal, detail }: Exit, boundMs: number): string {
  if (status === 'exited') return code === null ? `was ended by ${signal}` : `failed (exit ${code})`
  if (status === 'not-started') return `could not be started (${detail})`
  return status === 'stopped' ? 'was stopped' : `took longer than ${boundMs / 1000} s and was ended`
}

/** Posts once, without retries. Messages name only the host, because the address may contain a secret. */
async function post(url: string, body: string, boundMs: number, signal: AbortSignal): Promise<string | undefined> {
  const host = URL.parse(url)?.host
  const late = AbortSignal.timeout(boundMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'pawl' },
      body,
      // A redirect could send the data to another server.
      redirect: 'manual',
      signal: AbortSignal.any([late, signal]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `notify_webhook: ${host} answered with ${response.status}`
  } catch (error) {
    if (late.aborted) return `notify_webhook: ${host} did not answer within ${boundMs / 1000} s`
    const { cause, message } = error as Error
    return `notify_webhook: ${host} could not be reached (${(cause as NodeJS.ErrnoException)?.code ?? message})`
  }
}
