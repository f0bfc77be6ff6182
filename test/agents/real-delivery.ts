import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DeliveryResult } from '../../src/modes/delivery/contract/result.ts'
import type { AgentName } from './install.ts'
import { type Ended, type Line, linesOf, newRealPlace, type Options, passedOn, type RealPlace } from './real-place.ts'

export type RealDelivery = Pick<RealPlace, 'work' | 'provider' | 'processes'> & {
  /** The machine contract: plan, then execute. */
  execute(): Promise<Ended>
  /** What a person types. */
  deliver(...words: readonly string[]): Promise<Ended>
  result(): DeliveryResult
  journal(): Line[]
  /** A file of the out-dir. */
  page(path: string): string
  git(...words: readonly string[]): string
  /** What is kept of the story outside of any branch. */
  readonly ref: string
}

export const proof = 'grep -qx made made.txt'
const criterion = 'made.txt holds the line made.'
const prd = `# Making\n\n## Acceptance Criteria\n\n- **AC-01:** ${criterion}\n`

/** A PRD of one story, and a real agent for it. `agent` is what the run input says of it. */
export async function newRealDelivery(
  name: AgentName,
  agent: { readonly mode: string; readonly model_hint: string },
  options: Options,
): Promise<RealDelivery> {
  const config = `env: [${passedOn.join(', ')}]\n`
  const tracked = { 'docs/making.md': prd, '.pawl/config.yml': config }
  const place = await newRealPlace(name, options, { prompt: criterion, tracked })
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: place.work, encoding: 'utf8' }).trim()
  git('config', 'user.name', 'person')
  git('config', 'user.email', 'person@example.com')
  const branch = git('symbolic-ref', '--short', 'HEAD')
  const run = basename(place.root)
  const [input, out] = [join(place.root, 'run-input.json'), join(place.root, 'out')]
  const asked = {
    contract_version: 1,
    run_id: run,
    repo_path: place.work,
    prd_path: 'docs/making.md',
    base_branch: branch,
    working_branch: branch,
    verification: { story_commands: [proof], run_commands: [proof] },
    agent,
    env: passedOn,
    sandbox: options.sandbox ?? 'off',
  }
  writeFileSync(input, JSON.stringify(asked))
  const page = (path: string): string => readFileSync(join(out, path), 'utf8')
  return {
    ...place,
    git,
    ref: `refs/pawl/${run}/S1`,
    page,
    execute: async () => {
      const planned = await place.start('santiago', 'plan', '--input', input, '--out-dir', out).ended
      if (planned.code !== 0) throw new Error(planned.err)
      const plan = join(out, 'plan.json')
      return place.start('santiago', 'execute', '--input', input, '--plan', plan, '--out-dir', out).ended
    },
    deliver: (...words) =>
      place.start('pawl', 'deliver', 'docs/making.md', '--json', '--verify', proof, ...words).ended,
    result: () => JSON.parse(page('result.json')) as DeliveryResult,
    journal: () => linesOf(page('progress.ndjson')),
  }
}
