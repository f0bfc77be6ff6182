import type { Block, Line, UnderWay } from '../contract/show.ts'
import { type CapName, capNames } from '../contract/values.ts'
import { formatOutputLine, formatSpend } from './format.ts'
import { formatReason } from './reasons.ts'
import type { LastAttempt, Reasons, Report, Rule } from './show.ts'

export type WhyWords<Memo> = {
  readonly reasons: Reasons<Memo>
  setting(cap: CapName): string
  /** See `Show.doing`. */
  doing(underWay: UnderWay): string
  /** The mode's own lines about the end of the run, besides its reason. */
  readonly advice?: readonly Line[]
}

/** Explains the status of a run: its current activity, the rule that decided, the last attempt, its spend, the next action. */
export function explainWork<Facts, Memo>(report: Report<Facts>, words: WhyWords<Memo>): readonly Block[] {
  const { underWay, rule, last, spend, next } = report
  const row = (name: string, line: Line | null): { name: string; lines: readonly Line[] }[] =>
    line ? [{ name, lines: [line] }] : []
  return [
    {
      kind: 'facts',
      rows: [
        ...(underWay ? [{ name: 'now', lines: nowLines(report, words.doing(underWay), underWay) }] : []),
        ...row('rule', rule && [ruleText(rule, words)]),
        ...(last ? [{ name: 'last', lines: [[lastText(last)], ...deniedLines(last)] }] : []),
        ...(words.advice?.length ? [{ name: 'note', lines: words.advice }] : []),
        ...row('spent', [formatSpend(spend)]),
        ...row('next', next && [{ is: 'action', action: next }]),
      ],
    },
  ]
}

const nowLines = ({ problem }: Pick<Report<unknown>, 'problem'>, doing: string, { since }: UnderWay): Line[] => [
  [`${doing} since `, { is: 'since', at: since }],
  ...(problem === null ? [] : [[{ is: 'bad', text: formatOutputLine(problem) } as const]]),
]

const isCap = (by: string): by is CapName => (capNames as readonly string[]).includes(by)

/** "max_iterations: reached max iterations (bound 3), set by flag --max-iterations (event 21)" */
function ruleText<Memo>(
  { by, decision, reason, bound, setBy, seq }: Rule,
  { reasons, setting }: Pick<WhyWords<Memo>, 'reasons' | 'setting'>,
): string {
  const says = reason ? formatReason(reasons, reason, setting) : decision
  const limit = bound === null ? '' : ` (bound ${bound})`
  return `${isCap(by) ? setting(by) : by}: ${says}${limit}${setBy ? `, set by ${setBy}` : ''} (event ${seq})`
}

const lastText = ({ task, attempt, outcome, verdict }: LastAttempt): string =>
  `${task} attempt ${attempt}: ${outcome}${verdict ? `; verdict ${verdict}` : ''}`

const deniedLines = ({ denials = [] }: LastAttempt): Line[] =>
  denials.map((says) => [`denied: ${formatOutputLine(says)}`])
