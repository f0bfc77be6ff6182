import { z } from 'zod'
import type { Rung } from '../../../contract/models.ts'
import type { Ref } from '../../../contract/values.ts'
import { formatOutputLine } from '../../../show/format.ts'
import type { About } from '../../../show/show.ts'
import type { RefineConfig } from '../contract/config.ts'
import type { RefinementRequest } from '../contract/request.ts'

export type RefinementAbout = About<RefinementRequest, null>

/** Names and texts for lines and reports, as far as this person can decrypt them. */
export type RunLabels = {
  readonly name: string
  readonly rules: RefineConfig
  readonly rungs: ReadonlyMap<string, Pick<Rung, 'label' | 'provider'>>
  readonly failover: readonly string[]
  readonly rubric: string
  /** Titles of the phases. Empty before planning. */
  readonly titles: readonly string[]
  /** The judge's descriptions of the issues, by id. */
  readonly issueTexts: (ledger: Ref) => ReadonlyMap<string, string>
}

const Named = z.object({ id: z.string() })
const Titled = z.array(z.object({ title: z.string() }))
const Ledger = z.array(z.object({ id: z.string(), problem: z.string() }))

/** `titles` refers to the stored phases. Texts that cannot be decrypted are left out. */
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

/** Returns number and title of a task such as `phase-2`. */
export function findPhase(task: string | null, { titles }: Pick<RunLabels, 'titles'>) {
  const number = Number(/(\d+)$/.exec(task ?? '')?.[1] ?? 1)
  return { number, title: short(titles[number - 1] ?? `Phase ${number}`) }
}

export const findLabel = (via: string, { rungs }: Pick<RunLabels, 'rungs'>): string =>
  short(rungs.get(via)?.label ?? via)

/** Shortens a text to one line. */
export function short(text: string, maxLength = 80): string {
  const line = formatOutputLine(text)
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
