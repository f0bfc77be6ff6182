import { type Id, parseId } from './read/ids.ts'

/** The known id that somebody most likely meant: the same prefix and the closest number. */
export function nearestId(id: Id, known: readonly string[]): string | undefined {
  let best: { readonly shown: string; readonly far: number } | undefined
  for (const shown of known) {
    const other = parseId(shown)
    if (!other || other.prefix !== id.prefix) continue
    const far = distance(id.numbers, other.numbers)
    if (!best || far < best.far) best = { shown, far }
  }
  return best?.shown ?? known[0]
}

/** Earlier numbers weigh more: 1.9 is nearer to 1.2 than to 2.9. */
function distance(a: readonly number[], b: readonly number[]): number {
  let far = 0
  for (let i = 0; i < Math.max(a.length, b.length); i++)
    far = far * 1000 + Math.min(999, Math.abs((a[i] ?? 0) - (b[i] ?? 0)))
  return far
}
