import type { Change, Hunk, SemanticDiff, Unit } from '../contract/semantic-diff.ts'
import { askChoice } from './ask-choice.ts'
import type { Session } from './state.ts'

type Viewer = Pick<Session, 'reader' | 'page'>

/** A short name to type: `chapter-3`, `foundation`. */
const formatHandle = ({ label }: Pick<Unit, 'label'>): string => label.toLowerCase().replace(/\s+/g, '-')

const maxOffered = 6

/** Offers the text diffs of single files until the person skips. False if the person left. */
export async function viewDetails(viewer: Viewer, diff: SemanticDiff): Promise<boolean> {
  const changed = diff.units.filter(({ status }) => status !== 'unchanged')
  if (changed.length === 0) return true
  const handles = changed.map(formatHandle)
  const offered = handles.length > maxOffered ? [...handles.slice(0, maxOffered), '...'] : handles
  for (;;) {
    const prompt = `View detailed text diff? (${[...offered, 'all', 'skip'].join('/')})`
    const choice = await askChoice(viewer, prompt, [...handles, 'all', 'skip'], { no: 'skip', n: 'skip', q: 'skip' })
    if (choice === undefined) return false
    if (choice === 'skip') return true
    const units = choice === 'all' ? changed : changed.filter((unit) => formatHandle(unit) === choice)
    for (const unit of units) {
      const seen = await viewUnit(viewer, diff, unit)
      if (seen === 'left') return false
      if (seen === 'quit') break
    }
  }
}

/** Shows the changes of one file, section by section. */
export async function viewUnit(viewer: Viewer, diff: SemanticDiff, unit: Unit): Promise<'seen' | 'quit' | 'left'> {
  const { page, reader } = viewer
  const hunks = diff.hunks.filter((hunk) => hunk.unit === unit.id)
  page.lines(['', `━━━ ${unit.label}: Detailed Changes ━━━`, ''])
  if (hunks.length === 0) page.line(unit.status === 'removed' ? 'The file is removed.' : 'The file is the same.')
  for (const [at, hunk] of hunks.entries()) {
    page.lines(formatHunk(hunk, diff.changes))
    if (at === hunks.length - 1) break
    const input = await reader.read("Press Enter for next section, 'q' to return to summary: ", { keep: false })
    if (input.is !== 'text') return 'left'
    if (input.text.trim().toLowerCase() === 'q') return 'quit'
    page.line()
  }
  return 'seen'
}

/** One passage: where it is, its old text and its new one. */
function formatHunk(hunk: Hunk, changes: readonly Change[]): string[] {
  const change = changes.find(({ hunks }) => hunks.includes(hunk.id))
  const title = change?.locator || hunk.heading || hunk.field || 'Passage'
  const block = (name: string, text: string): string[] => {
    const lines = text.replace(/\n+$/, '').split('\n')
    return [`  ${name}:`, ...(text === '' ? ['    (nothing)'] : lines.map((line) => `    ${line}`)), '']
  }
  return [`${title} (${formatLines(hunk)}):`, '', ...block('OLD', hunk.before.text), ...block('NEW', hunk.after.text)]
}

function formatLines({ before, after, field }: Hunk): string {
  if (field !== null) return field
  const { start, lines } = after.lines > 0 ? after : before
  const which = after.lines > 0 ? '' : ', removed'
  return lines > 1 ? `Lines ${start}-${start + lines - 1}${which}` : `Line ${start}${which}`
}
