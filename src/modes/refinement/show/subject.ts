import type { Ref } from '../../../contract/values.ts'
import type { RefineConfig } from '../contract/config.ts'
import type { RefinementRequest, Rung } from '../contract/request.ts'

/** What a refinement is about, for whoever tells of it. */
export type RefineSubject = {
  readonly rules: RefineConfig
  readonly rungs: ReadonlyMap<string, Pick<Rung, 'label' | 'provider'>>
  readonly failover: readonly string[]
  readonly rubric: string
  /** Known once they were found; none before. */
  readonly phaseTitles: () => readonly string[]
  /** What the judge says of its issues, by their ids; none where it cannot be read. */
  readonly issueTexts: (ledger: Ref) => ReadonlyMap<string, string>
  /** How many words of people the last attempt was told, so that those that come later are told of once. */
  readonly heard: { feedback: number }
}

type Content = Pick<RefineSubject, 'rubric' | 'phaseTitles' | 'issueTexts'>

/** What people and models wrote lies sealed beside the journal: whoever can read it brings it along. */
export const refineSubject = (
  { rules, ladder, failover }: Pick<RefinementRequest, 'rules' | 'ladder' | 'failover'>,
  content: Content,
): RefineSubject => ({
  rules,
  rungs: new Map(ladder.map((rung) => [rung.id, rung])),
  failover,
  heard: { feedback: 0 },
  ...content,
})
