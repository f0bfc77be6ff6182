import { Icon, type IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'
import type { Change, Decision } from './changes.ts'
import type { ApprovalState } from './use-approval.ts'

const looks: Readonly<Record<Decision | 'open', { tone: Tone; icon: IconName; word: string }>> = {
  accepted: { tone: 'ok', icon: 'ok', word: 'accepted' },
  rejected: { tone: 'bad', icon: 'bad', word: 'rejected' },
  open: { tone: 'off', icon: 'todo', word: 'open' },
}

type NavProps = { readonly changes: readonly Change[]; readonly approval: ApprovalState }

/** All changes at a glance, with what was decided. */
export function ChangeNav({ changes, approval: { decisions, current, setCurrent } }: NavProps) {
  return (
    <nav className="sticky top-20 max-lg:hidden" aria-label="Changes">
      <ul className="changes-nav">
        {changes.map(({ id, title }) => {
          const { tone, icon, word } = looks[decisions[id] ?? 'open']
          return (
            <li key={id}>
              <a
                href={`#change-${id}`}
                title={title}
                onClick={() => setCurrent(id)}
                {...(id === current && { 'aria-current': true })}
              >
                <span className={`st st-${tone} fg`}>
                  <Icon name={icon} />
                  <span className="sr-only">{word}</span>
                </span>
                <span className="truncate">
                  <span className="text-ink-2 font-normal">{id}</span> {title}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
      <p className="text-xs text-ink-3 px-2.5 pt-4 leading-6">
        <kbd className="kbd">j</kbd> <kbd className="kbd">k</kbd> next, previous
        <br />
        <kbd className="kbd">a</kbd> accept <kbd className="kbd">r</kbd> reject
        <br />
        <kbd className="kbd">d</kbd> whole text
      </p>
    </nav>
  )
}

const stars: Readonly<Record<string, number>> = { major: 3, moderate: 2, minor: 1 }

/** How much a change weighs. Magnitudes without stars are only named. */
export function Stars({ magnitude }: { readonly magnitude: string }) {
  const count = stars[magnitude]
  if (count === undefined) return null
  return (
    <span className="text-ink-2 whitespace-nowrap ml-auto flex-none" role="img" aria-label={`${magnitude} change`}>
      {Array.from({ length: count }, (_, star) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a star is its place in the row
        <Icon key={star} name="star" size={12} />
      ))}
    </span>
  )
}
