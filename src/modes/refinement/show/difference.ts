import type { Block } from '../../../contract/show.ts'
import type { Difference } from '../../../judging/text/difference.ts'

/** Returns the diff of a file. Without lines nothing changed, unless the entire text was `replaced`. */
export function differenceBlock(path: string, found: Difference): Extract<Block, { kind: 'diff' }> {
  const none = { kind: 'diff', path, lines: [], hunks: 0, added: 0, removed: 0 } as const
  switch (found.status) {
    case 'same':
      return none
    case 'replaced':
      return { ...none, added: found.added, removed: found.removed, replaced: true }
    case 'changed': {
      const { lines, hunks, added, removed } = found
      return { kind: 'diff', path, lines, hunks, added, removed }
    }
  }
}
