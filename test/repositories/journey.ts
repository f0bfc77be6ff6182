import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { parse, stringify } from 'yaml'
import {
  callsOf,
  checkProcesses,
  checkState,
  describe,
  expectEvidence,
  expectSame,
  presentUnits,
  storiesSince,
} from './checks.ts'
import type { Ended, Place } from './place.ts'
import type { Journey } from './recipe.ts'
import { prdOf, proofOf, unitsOf } from './stories.ts'

/** How each step ended; a step that was not reached is missing. */
export type StepResult = { readonly step: string; readonly problems: readonly string[]; readonly ms: number }

/**
 * Does with a repository what its user would do: init, one iteration, a delivery, an undo, the same delivery again, and
 * another one that is killed with -9 and resumed.
 */
export async function travel(place: Place, journey: Journey): Promise<readonly StepResult[]> {
  const results: StepResult[] = []
  for (const [step, take] of steps) {
    const began = performance.now()
    const problems = await Promise.resolve()
      .then(() => take(place, journey))
      .catch((error: unknown) => [String(error instanceof Error ? error.message : error)])
    results.push({ step, problems, ms: Math.round(performance.now() - began) })
    if (problems.length > 0 && ['init', 'deliver'].includes(step)) break
  }
  return results
}

type Step = (place: Place, journey: Journey) => readonly string[] | Promise<readonly string[]>

const steps: readonly (readonly [string, Step])[] = [
  ['init', initStep],
  ['doctor', doctorStep],
  ['run', runStep],
  ['deliver', deliverStep],
  ['undo', undoStep],
  ['again', againStep],
  ['resume', resumeStep],
  ['reports', reportStep],
]

export const stepNames = steps.map(([name]) => name)

function initStep(place: Place, { gates }: Journey): readonly string[] {
  place.write({ 'TODO.md': '- [ ] write the words\n' })
  const ended = place.pawl('init', '--yes')
  if (ended.code !== 0) return [describe('pawl init', ended)]
  const config = parse(fs.readFileSync(place.at('.pawl/config.yml'), 'utf8')) as { gates?: readonly string[] }
  commitAll(place, 'Add pawl')
  return expectSame('gates', gates, config.gates ?? [])
}

function doctorStep(place: Place): readonly string[] {
  const ended = place.pawl('doctor', '--json')
  const { findings = [] } = JSON.parse(ended.out) as {
    findings?: { check: string; status: string; says: string }[]
  }
  const bad = findings.filter(({ status }) => status === 'fail')
  return [
    ...(ended.code === 0 ? [] : [describe('pawl doctor', ended)]),
    ...bad.map(({ check, says }) => `doctor: ${check}: ${says}`),
  ]
}

/** Without a gate there is nothing that could call the work done, so the suite is given as one. */
function runStep(place: Place, { gates, suite, isRed }: Journey): readonly string[] {
  if (gates.length === 0) {
    const path = place.at('.pawl/config.yml')
    fs.writeFileSync(path, `${fs.readFileSync(path, 'utf8')}gates: ${JSON.stringify([suite])}\n`)
    commitAll(place, 'Name the tests')
  }
  teach(place, [{ append: { 'TODO.md': '- [ ] count the words\n' }, output: '<promise>SUCCESS</promise>\n' }])
  const dry = place.pawl('run', 'build', '--dry-run', '--agent', 'scripted', '--trust')
  const before = place.git('rev-parse', 'HEAD')
  const ended = place.pawl('run', 'build', '-n', '1', '--agent', 'scripted', '--trust')
  const dirty = place.git('status', '--porcelain')
  commitAll(place, 'Count the words')
  return [
    ...(dry.code === 0 ? [] : [describe('pawl run build --dry-run', dry)]),
    ...(ended.code === (isRed ? 30 : 0) ? [] : [describe('pawl run build -n 1', ended)]),
    ...expectSame('status after the run', [' M TODO.md'], dirty.split('\n').filter(Boolean)),
    ...expectSame('HEAD', [before], [place.git('rev-parse', 'HEAD~1')]),
  ]
}

function deliverStep(place: Place, journey: Journey): readonly string[] {
  const { language } = journey
  const [first, second] = unitsOf('alpha')
  place.write({ 'docs/alpha.md': prdOf('Alpha', language, [first, second]) })
  commitAll(place, 'Add the PRD')
  teach(place, [
    { when: { task: 'S1' }, write: language.files(first) },
    { when: { task: 'S2' }, write: language.files(second) },
  ])
  const base = place.git('rev-parse', 'HEAD')
  const refused = journey.isRed ? checkRefusal(place, journey) : []
  const ended = deliver(place, journey, 'alpha')
  if (ended.code !== 0) return [...refused, describe('pawl deliver', ended)]
  const problems = [
    ...refused,
    ...expectSame('stories committed', ['S1', 'S2'], storiesSince(place, base)),
    ...checkState(place, journey, ['alphaS1', 'alphaS2']),
    ...expectEvidence(place, 'alpha'),
  ]
  const head = place.git('rev-parse', 'HEAD')
  const repeated = deliver(place, journey, 'alpha')
  return [
    ...problems,
    ...(repeated.code === 0 ? [] : [describe('pawl deliver, repeated', repeated)]),
    ...expectSame('HEAD after a repeated delivery', [head], [place.git('rev-parse', 'HEAD')]),
  ]
}

/** Gates that are red for every story are reported before an agent is started. */
function checkRefusal(place: Place, { gates }: Journey): readonly string[] {
  const before = callsOf(place)
  const words = ['deliver', relative(place.cwd, place.at('docs/alpha.md')), '--agent', 'scripted', '--trust']
  const ended = place.pawl(...words, ...gates.flatMap((gate) => ['--verify', gate]))
  const stopped = place.pawl('stop', 'alpha')
  return [
    ...(ended.code === 10 ? [] : [describe('pawl deliver with red gates', ended)]),
    ...expectSame('agent calls with red gates', [before], [callsOf(place)]),
    ...(stopped.code === 0 ? [] : [describe('pawl stop alpha', stopped)]),
  ]
}

function undoStep(place: Place, journey: Journey): readonly string[] {
  const before = callsOf(place)
  const ended = place.pawl('undo', 'alpha', 'S2')
  if (ended.code !== 0) return [describe('pawl undo', ended)]
  const test = journey.language.test('alphaS2')
  const proof = place.sh(proofOf(journey, 'alpha').replaceAll('{story_id}', 'S2'))
  return [
    ...(place.git('ls-tree', '--name-only', 'HEAD', test) === '' ? [] : [`${test} is in HEAD after undo`]),
    ...(proof.code === 0 ? ['the check of S2 passes after undo'] : []),
    ...checkState(place, journey, ['alphaS1']),
    ...expectSame('agent calls during undo', [before], [callsOf(place)]),
  ]
}

function againStep(place: Place, journey: Journey): readonly string[] {
  const base = place.git('rev-parse', 'HEAD')
  const ended = deliver(place, journey, 'alpha')
  if (ended.code !== 0) return [describe('pawl deliver after undo', ended)]
  return [
    ...expectSame('stories committed after undo', ['S2'], storiesSince(place, base)),
    ...checkState(place, journey, ['alphaS1', 'alphaS2']),
  ]
}

/** Kills pawl while the agent of S2 works, after it has written its files. */
async function resumeStep(place: Place, journey: Journey): Promise<readonly string[]> {
  const { language } = journey
  const [first, second] = unitsOf('beta')
  const before = presentUnits(place, language)
  place.write({ 'docs/beta.md': prdOf('Beta', language, [first, second]) })
  commitAll(place, 'Add another PRD')
  const base = place.git('rev-parse', 'HEAD')
  const one = { when: { task: 'S1' }, write: language.files(first) }
  const two = { when: { task: 'S2' }, write: language.files(second) }
  teach(place, [one, { ...two, silent_ms: 600_000 }])
  const child = place.start(...deliverWords(place, journey, 'beta'))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const test = place.at(language.test('betaS2'))
  while (child.exitCode === null && !fs.existsSync(test)) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGKILL')
  await exited
  if (child.exitCode !== null) return [`pawl deliver of beta ended by itself with ${child.exitCode}`]
  const done = storiesSince(place, base)
  teach(place, [one, two])
  const ended = place.pawl('resume', 'beta')
  if (ended.code !== 0) return [describe('pawl resume', ended)]
  return [
    ...expectSame('stories committed before the kill', ['S1'], done),
    ...expectSame('stories committed at the end', ['S1', 'S2'], storiesSince(place, base)),
    ...checkState(place, journey, [...before, 'betaS1', 'betaS2']),
    ...expectEvidence(place, 'beta'),
    ...checkProcesses(place),
  ]
}

function reportStep(place: Place): readonly string[] {
  const all = [
    ['ls'],
    ...['show', 'why', 'logs'].flatMap((command) => [
      [command, 'alpha'],
      [command, 'beta', '--json'],
    ]),
    ['fsck', 'alpha'],
    ['fsck', 'beta'],
  ]
  return all.flatMap((words) => {
    const ended = place.pawl(...words)
    if (ended.code !== 0) return [describe(`pawl ${words.join(' ')}`, ended)]
    return ended.out.trim() === '' ? [`pawl ${words.join(' ')} printed nothing`] : []
  })
}

const deliverWords = (place: Place, journey: Journey, set: string): readonly string[] => [
  'deliver',
  relative(place.cwd, place.at(`docs/${set}.md`)),
  '--agent',
  'scripted',
  '--verify',
  proofOf(journey, set),
  '--trust',
]

const deliver = (place: Place, journey: Journey, set: string): Ended => place.pawl(...deliverWords(place, journey, set))

/** The script lies outside the repository, where the user's variables name it. */
function teach(place: Place, agent: readonly object[]): void {
  const path = join(place.root, 'agent.yml')
  place.env.PAWL_AGENT_SCRIPT = path
  fs.writeFileSync(path, stringify({ agent }))
}

function commitAll(place: Place, message: string): void {
  place.git('add', '--all')
  place.git('commit', '--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', '--message', message)
}
