import type { Watched } from '../../../show/show.ts'
import { expectWords } from '../core/estimate.ts'
import { callData } from '../core/event-data.ts'
import { findLevel, parsePartNumber } from '../core/level/levels.ts'
import { findScope } from '../core/level/scope.ts'
import type { WritingMemo } from '../core/memo.ts'
import { isInScope } from '../core/pieces.ts'
import type { WritingAbout } from './lines.ts'

const cells = 24
const bytesPerWord = 6
const bytesPerToken = 4

/** `[████████░░░░░░░░░░░░░░░░] 33%` */
export function drawBar(share: number): string {
  const filled = Math.floor(share * cells)
  return `[${'█'.repeat(filled)}${'░'.repeat(cells - filled)}] ${Math.floor(share * 100)}%`
}

/** How much of the expected text has arrived, from 0 to 0.99: the end is known only when it is there. */
export function estimateShare({ view, usage }: Watched<WritingMemo>, about: WritingAbout): number {
  const written = Object.values(view.state.calls)
    .filter((call) => callData(call)?.role === 'write')
    .reduce((sum, { output }) => sum + (output?.bytes ?? 0), 0)
  const arriving = (usage?.tokens ?? 0) * bytesPerToken
  return Math.min(0.99, (written + arriving) / Math.max(1, expectBytes(about)))
}

/** The files that the feedback names, or the whole level; for a new level its usual length. */
function expectBytes({ request, inputs }: WritingAbout): number {
  const { base, brief } = inputs
  const level = findLevel(base.type, request.target)!
  const { series } = level
  if (request.kind !== 'iterate') return expectWords(base, level) * bytesPerWord
  const numberOf = (name: string): number | undefined => series && parsePartNumber(series, name)
  const names = base.files.map(({ path }) => path.slice(level.folder.length + 1))
  const scope = findScope(
    brief.feedback,
    level,
    names.flatMap((name) => numberOf(name) ?? []),
  )
  const files = base.files.filter(
    ({ path }) => !scope || isInScope(path.slice(level.folder.length + 1), level, scope, { numberOf }),
  )
  return files.reduce((sum, { text }) => sum + text.length, 0)
}
