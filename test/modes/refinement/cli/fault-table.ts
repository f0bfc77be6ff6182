import type { RefineReason } from '../../../../src/modes/refinement/contract/reasons.ts'
import type { FaultName } from '../../../support/model-faults.ts'
import type { Preset, Spot, When } from './hostile-play.ts'

/**
 * What a fault is to the rules. `down`, `limit` and `told` (a limit that says when) are nobody's failure: another try, then another rung.
 * `shut` is not worth another try of the same rung. `refused` brings nothing and counts as an answer. `greedy` brings nothing and has spent
 * more than there is. `none` is an answer after all.
 */
export type Kind = 'down' | 'limit' | 'told' | 'shut' | 'refused' | 'greedy' | 'none'

export const quickFaults: Readonly<Partial<Record<FaultName, Kind>>> = {
  limit: 'told',
  'limit-untold': 'limit',
  error: 'down',
  overloaded: 'down',
  'bad-request': 'refused',
  'too-large': 'refused',
  unprocessable: 'refused',
  login: 'shut',
  forbidden: 'shut',
  'no-model': 'shut',
  redirect: 'down',
  reset: 'down',
  cut: 'down',
  'cut-quietly': 'down',
  'held-open': 'none',
  'trouble-amid': 'down',
  'limit-amid': 'limit',
  html: 'down',
  'not-json': 'down',
  'wrong-schema': 'down',
}

/** Those that have to be waited for, or that send megabytes. */
export const slowFaults: Readonly<Partial<Record<FaultName, Kind>>> = {
  stall: 'down',
  'stall-after-headers': 'down',
  'stall-amid': 'down',
  trickle: 'down',
  endless: 'greedy',
  'endless-line': 'down',
}

/** Where something can go wrong at all: only `standard` measures its judge at once, only seed 000 ends with one plain answer. */
export const spotsOf = (preset: Preset): readonly Spot[] => [
  'planning',
  'writing',
  'judging',
  ...(preset === 'standard' ? (['calibrating'] as const) : []),
  ...(preset === 'sap-0020' ? (['single shot'] as const) : []),
]

export type Row = { readonly fault: FaultName; readonly kind: Kind; readonly spot: Spot; readonly when: When }
export type Expected = {
  readonly reason: RefineReason | readonly RefineReason[]
  /** Calls at the spot, at most. */
  readonly most: number
}

const rungs = 3
const triesOfOne = 3
const triesOfAll = rungs * triesOfOne
const anchors = 12
const interruptions = 20

/** From the rules alone: a phase a text, 3 phases; 2 more tries and then the next of 3 rungs; 2 retries; an unreadable judgement asked once more. */
export function expectedOf(preset: Preset, { kind, spot, when, fault }: Row): Expected {
  const usual = {
    planning: 1,
    writing: 3,
    judging: 3,
    calibrating: preset === 'standard' ? anchors : 0,
    'single shot': 1,
  }[spot]
  const good = spot === 'single shot' ? 'retries_exhausted' : 'threshold_met'
  // One that is never reached again strikes nobody.
  if (kind === 'none' && spot !== 'judging') return { reason: good, most: usual }
  if (when === 'third' && usual < 3) return { reason: good, most: usual }
  if (spot === 'single shot') return { reason: good, most: 1 }
  if (kind === 'greedy') return { reason: spent(preset, spot), most: usual + triesOfAll }
  switch (when) {
    case 'first':
    case 'third':
      return { reason: good, most: usual + 1 }
    case 'every second':
      return everySecond(preset, kind, spot, usual)
    case 'always':
      return always(fault, kind, spot, preset)
  }
}

const spent = (preset: Preset, spot: Spot): readonly RefineReason[] =>
  spot === 'writing'
    ? ['token_budget', 'escalation_failed', 'threshold_met']
    : preset === 'standard'
      ? ['token_budget', 'overhead_budget', 'threshold_met']
      : ['overhead_budget']

/** What counts as an answer burns an iteration: sap-0020 has 5, and 3 texts with a bad answer before each are 6. */
function everySecond(preset: Preset, kind: Kind, spot: Spot, usual: number): Expected {
  if (spot === 'writing' && kind === 'refused' && preset === 'sap-0020') return { reason: 'iteration_cap', most: 5 }
  // Anchors that cannot be read are left out, and six are enough; so are judges that are measured no more.
  return { reason: 'threshold_met', most: 2 * usual + (kind === 'shut' ? rungs : 0) }
}

/** Calls that were sent and whose answer was lost. Their tokens count as an estimate. */
const lostCalls: ReadonlySet<FaultName> = new Set([
  'redirect',
  'reset',
  'cut',
  'cut-quietly',
  'trouble-amid',
  'limit-amid',
  'html',
  'not-json',
  'wrong-schema',
])

function always(fault: FaultName, kind: Kind, spot: Spot, preset: Preset): Expected {
  switch (spot) {
    case 'planning':
      // Where nobody can plan, there are phases that always do; but who names a time is waited for.
      return kind === 'told'
        ? { reason: ['wait_budget', 'interrupted_too_often'], most: interruptions }
        : { reason: 'threshold_met', most: kind === 'shut' ? rungs : kind === 'refused' ? 1 : triesOfAll }
    case 'writing':
      if (kind === 'told') return { reason: ['wait_budget', 'interrupted_too_often'], most: interruptions }
      if (kind === 'shut') return { reason: fault === 'no-model' ? 'model_missing' : 'login_needed', most: rungs }
      if (kind === 'refused') return { reason: 'no_text', most: 3 }
      // 500 tokens hold fewer than six lost calls.
      if (preset === 'sap-0010' && lostCalls.has(fault)) return { reason: 'token_budget', most: triesOfAll }
      return { reason: 'provider_unavailable', most: triesOfAll }
    case 'judging':
      return { reason: 'judge_unavailable', most: triesOfAll }
    case 'calibrating':
      // Nobody could read what a judge says of texts of known worth: it is read as it speaks. Who cannot be reached cannot judge.
      return kind === 'refused'
        ? { reason: 'threshold_met', most: anchors }
        : { reason: 'judge_unavailable', most: triesOfAll }
    case 'single shot':
      return { reason: 'retries_exhausted', most: 1 }
  }
}
