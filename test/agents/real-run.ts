import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { AgentName } from './install.ts'
import type { Provider } from './provider.ts'
import { type Ended, type Line, linesOf, newRealPlace, type Options, passedOn, type Started } from './real-place.ts'

export type RealRun = {
  readonly work: string
  readonly provider: Provider
  start(): Started
  resume(): Promise<Ended>
  journal(): Line[]
  processes(): string[]
}

/** A procedure of the built program with a real agent. */
export async function newRealRun(name: AgentName, flag: string, options: Options): Promise<RealRun> {
  const env = { PAWL_SANDBOX: options.sandbox ?? 'off', ...options.env }
  const tracked = { '.pawl/config.yml': stringify(config) }
  const place = await newRealPlace(name, { ...options, env }, { prompt: phases.act, tracked })
  return {
    ...place,
    start: () => place.start('pawl', 'run', 'build', '--agent', flag, '-n', '1', '--trust', '--json'),
    resume: () => place.start('pawl', 'resume', 'build', '--json').ended,
    journal: () => journalIn(join(place.work, '.pawl', 'runs')),
  }
}

const phases = { observe: 'Look around.', orient: 'Think.', decide: 'Choose.', act: 'Create made.txt.' }
const config = {
  gates: ['grep -qx made made.txt'],
  env: passedOn,
  procedures: { build: { ...phases, until: 'promise+gates' } },
}

function journalIn(runs: string): Line[] {
  try {
    const [run] = readdirSync(runs).filter((name) => name !== '.gitignore')
    return linesOf(readFileSync(join(runs, run!, 'progress.ndjson'), 'utf8'))
  } catch {
    return []
  }
}
