import { iteratePrompt, type Refined, type RefineOptions } from '../../../../dist/index.js'
import { generalAnchors } from '../../../../src/judging/scoring/rubrics/general.ts'
import { newFolder } from '../../../support/folder.ts'
import type { FaultName } from '../../../support/model-faults.ts'
import type { ServedAnswer, ServedCall } from '../../../support/model-server.ts'
import { hurriedClock } from './hurry.ts'
import { type SapLine, sapLines } from './sap-lines.ts'
import { judgement, type Role, stage } from './stage.ts'

export type Spot = 'planning' | 'writing' | 'judging' | 'calibrating' | 'single shot'
export type When = 'first' | 'third' | 'every second' | 'always'
export type Preset = 'sap-0020' | 'sap-0010' | 'standard'

export type Played = {
  readonly refined: Refined
  readonly log: readonly SapLine[]
  /** Calls at each spot, as the server counted them. */
  readonly calls: Readonly<Record<Spot, number>>
  /** How long each decision put off what came next. */
  readonly waits: readonly number[]
  readonly connections: () => Promise<number>
}

const strikes = (when: When, number: number): boolean =>
  when === 'always' || (when === 'every second' ? number % 2 === 1 : number === (when === 'first' ? 1 : 3))

const isAnchor = ({ prompt }: ServedCall): boolean => prompt.includes('\nthe whole text\n')

function spotOf(call: ServedCall, role: Role): Spot {
  if (role === 'judge') return isAnchor(call) ? 'calibrating' : 'judging'
  return role === 'plan' ? 'planning' : role === 'write' ? 'writing' : 'single shot'
}

/** What an honest judge gives: anchors what they are worth, anything else `score` of 100. */
function honest(call: ServedCall, score: number, scale: 'percent' | 'anchored'): string {
  const known = generalAnchors.find(({ text }) => call.prompt.includes(text))
  const given = known?.score ?? score
  return judgement(scale === 'anchored' ? Math.round(given / 20) : given)
}

/** A run in which one thing goes wrong at one spot, on a clock that does not wait. */
export async function play(
  instead: (spot: Spot, number: number, call: ServedCall) => ServedAnswer | undefined,
  options: RefineOptions & { readonly preset: Preset; readonly score?: number },
): Promise<Played> {
  const { score = 100, ...rest } = options
  const scale = options.preset === 'standard' ? 'anchored' : 'percent'
  const calls: Record<Spot, number> = { planning: 0, writing: 0, judging: 0, calibrating: 0, 'single shot': 0 }
  const staged = await stage({
    beats: [{}],
    instead: (call, role) => {
      const spot = spotOf(call, role)
      calls[spot] += 1
      return instead(spot, calls[spot], call) ?? (role === 'judge' ? { text: honest(call, score, scale) } : undefined)
    },
  })
  const workspace = newFolder()
  const waits: number[] = []
  let before = 0
  const refined = await iteratePrompt('Refine PRD', {
    ladder: ['ollama', 'grok', 'claude'],
    workspace,
    clock: hurriedClock(),
    onEvent: (event) => {
      const since = before
      before = event.at
      if (event.type !== 'decision-made') return
      const { decision } = event
      if (decision.do === 'retry') waits.push(decision.afterMs ?? 0)
      if (decision.do === 'wait') waits.push(decision.until - since)
    },
    ...rest,
    env: { ...staged.env, PAWL_KEY: '0'.repeat(64), ...rest.env },
    // Waiting for whoever is down is tried with the rules.
    config: { silenceMs: 20_000, onOutage: 'end', ...rest.config },
  })
  return { refined, log: sapLines(workspace), calls, waits, connections: () => staged.server.connections() }
}

/** The beginning of an answer, for faults that come amid it: never to be taken for a text. */
export const torn = 'It begins well, and then'

export const faultAt =
  (fault: FaultName, where: Spot, when: When) =>
  (spot: Spot, number: number): ServedAnswer | undefined =>
    spot === where && strikes(when, number) ? { fault, text: torn, everyMs: 20 } : undefined
