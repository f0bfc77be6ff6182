import { became, wasAdded } from './text/finding.ts'
import { shown } from './text/lines.ts'
import type { Line, Read } from './text/read.ts'

/** Tests that still stand there and do not run or do not count any more. `tests`: how many became comments. */
export function switchedOff(read: Read): { readonly says: readonly string[]; readonly tests: number } {
  const { language, before, after, comparison } = read
  const says: string[] = []
  const removed = new Map(comparison.hunks.flatMap((hunk) => hunk.removed.map((i) => [before[i]!.bare, before[i]!])))
  let tests = 0
  for (const { removed: gone, added } of comparison.hunks) {
    let known = gone.filter((i) => language.skip.test(before[i]!.code)).length
    for (const [n, j] of added.entries()) {
      const line = after[j]!
      if (language.comment.test(line.raw)) {
        const was = removed.get(uncommented(line.bare))
        if (!was || !/\w/.test(was.bare)) continue
        if (language.opener.test(was.code)) tests++
        says.push(`\`${shown(was.raw)}\` was commented out`)
      } else if (language.skip.test(line.code)) {
        if (known-- > 0) continue
        const was = gone[n] === undefined ? undefined : before[gone[n]]
        says.push(was && /\w/.test(was.bare) ? became(was.raw, line.raw) : wasAdded(line.raw))
      } else if (isAhead(read, j)) says.push(`${wasAdded(line.raw)} ahead of \`${shown(next(read, j)!.raw, 60)}\``)
    }
  }
  return { says: [...says, ...movedMarks(read), ...blockComments(read)], tests }
}

const uncommented = (bare: string): string =>
  bare
    .replace(/^(?:\/\/+|#+|\/\*+|--|\*|<!--)/, '')
    .replace(/\*\/$/, '')
    .replace(/[,;]$/, '')

/** Something that was there comes after it only by chance or not at all: a condition, a catch, a return. */
function isAhead(read: Read, j: number): boolean {
  const { code } = read.after[j]!
  const isBlock = opensBlock.test(code)
  const isWrap = isBlock && wraps.test(code)
  if (!(isWrap || leaves.test(code) || (isBlock && holds.test(code)))) return false
  const following = next(read, j)
  if (following === undefined || !/\w/.test(following.bare)) return false
  return isWrap ? read.language.opener.test(following.code) : !branch.test(following.code)
}
const branch = /^(?:end|else|elif|except|catch|finally)\b/
const wraps =
  /^(?:export )?(?:async )?(?:function\b|(?:const|let|var) \w+ ?= ?(?:async )?(?:\(|function\b|\w+ ?=>)|def (?!test))/
const leaves =
  /^(?:return|return nil|return None|return true|return Ok\(\(\)\)|done\(\)|done\(\);? return|t\.pass\(\)|t\.end\(\))[;.]?$/
const holds =
  /^(?:\} )?(?:if|unless|while|for|try|switch|with (?:pytest\.raises|contextlib\.suppress|suppress)|begin|guard)\b/
const opensBlock = /[{:]$|^(?:begin|unless|if)\b[^{]*$|then$| do$/

/** The line below, where it stood there before. */
function next({ after, comparison }: Read, j: number): Line | undefined {
  let below = j + 1
  while (below < after.length && after[below]!.bare === '') below++
  return below < after.length && comparison.origin[below] !== -1 ? after[below] : undefined
}

/** A mark that stands above something else now. */
function movedMarks(read: Read): string[] {
  const { language, before, after, comparison } = read
  const below = (lines: readonly Line[], from: number) =>
    lines.slice(from + 1, from + 4).find(({ bare }) => bare !== '')
  return after.flatMap((line, j) => {
    const from = comparison.origin[j]!
    if (from === -1 || !/^[@#[]/.test(line.raw) || !language.skip.test(line.code)) return []
    const [was, now] = [below(before, from), below(after, j)]
    return now && was?.bare !== now.bare ? [`${wasAdded(line.raw)} above \`${shown(now.raw, 60)}\``] : []
  })
}

/** Lines that stand unchanged, but inside of a comment now. */
function blockComments({ language, before, after, comparison }: Read): string[] {
  const then = insideComment(before)
  const now = insideComment(after)
  const hidden = after.find(({ code }, j) => {
    const from = comparison.origin[j]!
    return from !== -1 && now[j] && !then[from] && (language.opener.test(code) || language.assertion.test(code))
  })
  return hidden ? [`\`${shown(hidden.raw)}\` and what follows was commented out`] : []
}

function insideComment(lines: readonly Line[]): boolean[] {
  let end: string | undefined
  return lines.map(({ code, raw }) => {
    if (end !== undefined) {
      if (raw.includes(end)) end = undefined
      return true
    }
    const [opener, closer] = blocks.find(([start]) => code.startsWith(start)) ?? []
    // Triple quotes: nothing is left between them once they close on the same line.
    if (opener && closer && !raw.slice(opener.length).includes(closer)) end = closer
    return false
  })
}
const blocks = [
  ['/*', '*/'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['=begin', '=end'],
  ['#if 0', '#endif'],
  ['#if false', '#endif'],
  ['<!--', '-->'],
] as const
