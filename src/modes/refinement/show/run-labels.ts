import { z } from 'zod'
import type { Rung } from '../../../contract/models.ts'
import type { Ref } from '../../../contract/values.ts'
import { formatOutputLine } from '../../../show/format.ts'
import type { About } from '../../../show/show.ts'
import type { RefineConfig } from '../contract/config.ts'
import type { RefinementRequest } from '../contract/request.ts'

export type RefinementAbout = About<RefinementRequest, null>

/** What a refinement is about, as far as this person may read it: lines and reports are made from it. */
export type RunLabels = {
  readonly name: string
  readonly rules: RefineConfig
  readonly rungs: ReadonlyMap<string, Pick<Rung, 'label' | 'provider'>>
  readonly failover: readonly string[]
  readonly rubric: string
  /** What its phases are called. None before they were found. */
  readonly titles: readonly string[]
  /** What the judge says of its issues, by their ids. */
  readonly issueTexts: (ledger: Ref) => ReadonlyMap<string, string>
}

const Named = z.object({ id: z.string() })
const Titled = z.array(z.object({ title: z.string() }))
const Ledger = z.array(z.object({ id: z.string(), problem: z.string() }))

/** `titles` is where the phases lie. Words that may not be read are left out. */
export function readLabels({ name, request, words }: RefinementAbout, titles: Ref | null | undefined): RunLabels {
  const { rules, ladder, failover, rubric } = request
  const read = <T>(ref: Ref, schema: z.ZodType<T>): T | undefined => schema.safeParse(words(ref)).data
  return {
    name,
    rules,
    rungs: new Map(ladder.map((rung) => [rung.id, rung])),
    failover,
    rubric: read(rubric, Named)?.id ?? 'a rubric',
    titles: (titles && read(titles, Titled)?.map(({ title }) => title)) ?? [],
    issueTexts: (ledger) => new Map(read(ledger, Ledger)?.map(({ id, problem }) => [id, problem])),
  }
}

/** `phase-2` and what it is called. */
export function findPhase(task: string | null, { titles }: Pick<RunLabels, 'titles'>) {
  const number = Number(/(\d+)$/.exec(task ?? '')?.[1] ?? 1)
  return { number, title: short(titles[number - 1] ?? `Phase ${number}`) }
}

/** What a model is called. */
export const findLabel = (via: string, { rungs }: Pick<RunLabels, 'rungs'>): string =>
  short(rungs.get(via)?.label ?? via)

/** One line, of a length that a person reads. */
export function short(text: string, longest = 80): string {
  const line = formatOutputLine(text)
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
