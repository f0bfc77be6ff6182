import * as fs from 'node:fs'
import { join } from 'node:path'
import type { DeliveryResult } from '../../src/modes/delivery/contract/result.ts'
import { processesIn } from '../torture/processes.ts'
import type { Ended, Place } from './place.ts'
import type { Journey, Language } from './recipe.ts'

// Each check returns what is wrong, in words for a person; nothing if all is well.

/** Clean, green, and with exactly these units. */
export function checkState(place: Place, { suite, language }: Journey, units: readonly string[]): readonly string[] {
  const status = place.git('status', '--porcelain')
  const tests = place.sh(suite)
  return [
    ...(status === '' ? [] : [`not clean: ${status}`]),
    ...(tests.code === 0 ? [] : [describe(suite, tests)]),
    ...expectSame('units', units, presentUnits(place, language)),
  ]
}

export const presentUnits = (place: Place, { test }: Language): readonly string[] =>
  ['alphaS1', 'alphaS2', 'betaS1', 'betaS2'].filter((unit) => fs.existsSync(place.at(test(unit))))

/** The stories of the commits after `base`, oldest first. */
export const storiesSince = (place: Place, base: string): readonly string[] =>
  place
    .git('log', '--reverse', '--format=%(trailers:key=Pawl-Story,valueonly,separator=%x2C)', `${base}..HEAD`)
    .split('\n')
    // A story that was undone is committed again under a key of its own, such as S2-again-1.
    .flatMap((story) => /^S\d+/.exec(story) ?? [])

export function expectEvidence(place: Place, run: string): readonly string[] {
  const { stories } = resultOf(place, run)
  return stories.flatMap(({ id, status, evidence }) =>
    status === 'done' && (evidence === 'proven' || evidence === 'proven_by_new_tests')
      ? []
      : [`${run} ${id} is ${status}, ${evidence}`],
  )
}

function resultOf(place: Place, name: string): DeliveryResult {
  const { runs } = JSON.parse(place.pawl('ls', '--json').out) as { runs: { name: string; dir: string }[] }
  const run = runs.find((one) => one.name === name)
  return JSON.parse(fs.readFileSync(join(run!.dir, 'result.json'), 'utf8')) as DeliveryResult
}

/** The number of times that an agent was started here. Chores, such as a baseline, start none. */
export function callsOf(place: Place): string {
  const started = `grep -h '"phase":"execute".*"status":"started"' .pawl/runs/*/progress.ndjson`
  return place.sh(`${started} | grep -cv '"story_id":null'`).out.trim()
}

/** No process of a killed run is left in any folder of this place. */
export function checkProcesses(place: Place): readonly string[] {
  const left = processesIn(place.root, 'none')
  return left.length > 0 ? [`processes left: ${left.map(nameProcess).join('; ')}`] : []
}

const nameProcess = (pid: number): string => {
  try {
    return `${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`
  } catch {
    return String(pid)
  }
}

export const expectSame = (what: string, wanted: readonly string[], seen: readonly string[]): readonly string[] =>
  JSON.stringify(wanted) === JSON.stringify(seen)
    ? []
    : [`${what}: expected ${JSON.stringify(wanted)}, seen ${JSON.stringify(seen)}`]

export const describe = (what: string, { code, out, err }: Ended): string =>
  `${what}: exit ${code}\n${`${out}\n${err}`.trim().split('\n').slice(-25).join('\n')}`
