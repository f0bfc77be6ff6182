import { magnitudes, type SemanticDiff } from '../../contract/semantic-diff.ts'

const mostCharacters = 600

/** Summarizes a diff in whole sentences of at most 600 characters, for the history and for prompts. The largest changes come first. */
export function summarizeDiff({ changes, stats }: SemanticDiff): string {
  const sorted = magnitudes.flatMap((magnitude) => changes.filter((change) => change.magnitude === magnitude))
  const sentences = sorted.map(({ title }) => endSentence(title)).filter((sentence) => sentence !== '')
  let text = ''
  let used = 0
  for (const sentence of sentences) {
    const rest = formatRest(sentences.length - used - 1)
    if (text.length + sentence.length + rest.length + 2 > mostCharacters) break
    text = text === '' ? sentence : `${text} ${sentence}`
    used += 1
  }
  // Not even one title fits: the numbers do.
  if (used === 0) return `${changes.length} changes in ${stats.files_changed} of ${stats.files_total} files.`
  return `${text} ${formatRest(sentences.length - used)}`.trim()
}

/** A title on one line, with a mark at its end. */
function endSentence(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line === '' || /[.!?…。！？]["'”’»)]*$/u.test(line) ? line : `${line}.`
}

const formatRest = (count: number): string =>
  count <= 0 ? '' : count === 1 ? 'And one more change.' : `And ${count} more changes.`
