import type { Level } from '../../contract/project-type.ts'
import { findHeadings, type Heading } from './headings.ts'

/** A section of a draft, from its heading to the next heading of any level. */
export type DraftSection = {
  readonly start: number
  readonly level: string
  /** The heading that decided, or null if none did and the section is in the first level. */
  readonly by: string | null
  readonly heading: string | null
}

/** Gives each section of a draft to a level by its heading, or by the heading that it is below. */
export function findSections(draft: string, levels: readonly Level[]): readonly DraftSection[] {
  const first = levels[0]!.id
  const headings = findHeadings(draft, { isPlainHeading: () => false, hasTildeFences: true })
  const title = findTitle(headings)
  const open: { readonly depth: number; readonly level: string; readonly by: string }[] = []
  const sections = headings.map((heading): DraftSection => {
    while (open.length > 0 && open.at(-1)!.depth >= heading.depth) open.pop()
    const inherited = open.at(-1)
    const level = inherited || heading === title ? undefined : matchLevel(heading.text, levels)
    if (level !== undefined) open.push({ depth: heading.depth, level, by: heading.text })
    const decided = open.at(-1)
    return { start: heading.start, level: decided?.level ?? first, by: decided?.by ?? null, heading: heading.text }
  })
  const hasBeginning = draft.slice(0, sections[0]?.start).trim() !== ''
  if (hasBeginning) return [{ start: 0, level: first, by: null, heading: null }, ...sections]
  return sections.map((section, at) => (at === 0 ? { ...section, start: 0 } : section))
}

/** The first heading is the title of the document if no other has its level or a higher one. */
function findTitle([first, ...more]: readonly Heading[]): Heading | undefined {
  return first && more.length > 0 && more.every(({ depth }) => depth > first.depth) ? first : undefined
}

/** Returns the level with the longest matching words: "implementation plan" before "implementation". */
function matchLevel(heading: string, levels: readonly Level[]): string | undefined {
  const text = `${normalize(heading).replace(/^(?:\d+ )+/, '')} `
  const matches = levels.flatMap(({ id, headings }) =>
    headings.map(normalize).flatMap((words) => (words !== '' && text.startsWith(`${words} `) ? [{ id, words }] : [])),
  )
  return matches.sort((a, b) => b.words.length - a.words.length)[0]?.id
}

/** Words only: "3.2 ✅ Non-Goals" becomes "3 2 non goals". */
const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
