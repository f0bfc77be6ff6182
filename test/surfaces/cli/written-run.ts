import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Envelope } from '../../../src/contract/envelope.ts'
import { toLine } from '../../../src/contract/line.ts'
import type { ProcedureRequest } from '../../../src/modes/procedure/contract/request.ts'
import { formatRequest } from '../../../src/run/new-run.ts'
import { eventsOf, firstMoment, type Written } from '../../support/written-events.ts'

type Options = {
  readonly id?: string
  readonly head?: string
  readonly gates?: readonly string[]
  readonly caps?: Envelope['caps']
}

/** A run as it would lie there, with dates that never change: the engine has no part in it. */
export function writeRun(workspace: string, facts: readonly Written[], options: Options = {}) {
  const id = options.id ?? '20260214-220000-0a1b2c'
  const dir = join(workspace, '.pawl', 'runs', id)
  const caps = options.caps ?? { tasks: 3, failuresInARow: 3 }
  const request: ProcedureRequest = {
    phases: { observe: [], orient: [], decide: [], act: [] },
    context: [],
    gates: options.gates ?? [],
    agent: { name: 'command', argv: ['my-agent'] },
    until: 'never',
    redIsFine: false,
  }
  const text = formatRequest({
    contract_version: 2,
    run_id: id,
    mode: 'procedure',
    name: 'build',
    workspace,
    created: new Date(firstMoment).toISOString(),
    invoked_as: 'pawl',
    durability: 'strict',
    sandbox: 'off',
    env: [],
    secrets: [],
    caps,
    origins: {},
    with: request,
  })
  const hash = createHash('sha256').update(text).digest('hex')
  const pins = { request: hash, ...(options.head !== undefined && { head: options.head }) }
  const started: Written = { type: 'run-started', journal: 2, policy: 'procedure', version: 1, caps, pins }
  fs.mkdirSync(join(dir, 'attempts'), { recursive: true })
  fs.writeFileSync(join(workspace, '.pawl', 'runs', '.gitignore'), '*\n')
  fs.writeFileSync(join(dir, 'request.json'), text)
  const lines = eventsOf([started, ...facts]).map((event) => `${JSON.stringify(toLine(event, id))}\n`)
  fs.writeFileSync(join(dir, 'progress.ndjson'), lines.join(''))
  return { id, dir, log: (name: string, output: string) => fs.writeFileSync(join(dir, 'attempts', name), output) }
}
