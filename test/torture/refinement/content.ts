import type { Ref } from '../../../src/contract/values.ts'
import type { RunEntry } from '../../../src/run/index-of-runs.ts'
import { openContent } from '../../../src/run/open-content.ts'
import type { Stage } from './stage.ts'

export function contentOf({ place }: Stage, { id, dir }: RunEntry): (ref: Ref) => string {
  const content = openContent(place, dir, { run: id, sealed: true, isNew: false })
  return (ref) => new TextDecoder().decode(content.getNow(ref))
}

/** Every answer of the server carries its number. */
export const numberIn = (text: string): number => Number(/reply"?:? ?(\d+)/i.exec(text)?.[1])
