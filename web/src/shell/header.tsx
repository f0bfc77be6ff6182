import { Icon } from '../parts/icon.tsx'
import { useRuns } from '../queries.ts'
import { Link, paths, type Route } from '../router.tsx'
import { announce } from './announce.tsx'
import { LiveStatus } from './live-status.tsx'
import { switchTheme } from './theme.ts'

type Area = 'runs' | 'waiting' | 'compare' | 'sap' | null

const areas: Readonly<Record<Route['page'], Area>> = {
  runs: 'runs',
  run: 'runs',
  replay: 'runs',
  attempt: 'runs',
  waiting: 'waiting',
  compare: 'compare',
  sap: 'sap',
  start: 'runs',
  missing: null,
}

export const changeTheme = (): void => announce(`${switchTheme()} theme`)

type HeaderProps = { readonly page: Route['page']; readonly onGoTo: () => void; readonly onKeys: () => void }

export function Header({ page, onGoTo, onKeys }: HeaderProps) {
  const area = areas[page]
  const current = (one: Area) => (one === area ? ('page' as const) : undefined)
  return (
    <header className="sticky top-0 z-20 bg-surface border-b border-line">
      <div className="mx-auto max-w-[1400px] px-4 md:px-6 h-13 flex items-center gap-3">
        <Link
          href={paths.runs}
          className="flex items-center gap-2 font-semibold text-lg tracking-tight"
          aria-label="Pawl, all runs"
        >
          <Icon name="pawl" size={20} />
          Pawl
        </Link>
        <nav className="top hidden md:flex items-center gap-1 ml-3" aria-label="Main">
          <Link href={paths.runs} aria-current={current('runs')}>
            Runs
          </Link>
          <Link href={paths.waiting()} aria-current={current('waiting')}>
            Waiting for you <WaitingCount />
          </Link>
          <Link href={paths.compare()} aria-current={current('compare')}>
            Compare
          </Link>
          <Link href={paths.sap} aria-current={current('sap')}>
            SAP collaborate
          </Link>
        </nav>
        <div className="ml-auto flex items-center gap-1 lg:gap-2">
          <button
            type="button"
            className="hidden lg:flex input w-56 gap-2 text-sm text-ink-3 !cursor-pointer"
            onClick={onGoTo}
          >
            <Icon name="search" />
            <span>Go to…</span>
            <kbd className="kbd ml-auto">Ctrl K</kbd>
          </button>
          <LiveStatus />
          <button type="button" className="icon-btn" aria-label="Switch the theme" onClick={changeTheme}>
            <Icon name="sun" />
          </button>
          <button type="button" className="icon-btn max-md:hidden" aria-label="Keyboard shortcuts" onClick={onKeys}>
            <span className="font-medium" aria-hidden="true">
              ?
            </span>
          </button>
        </div>
      </div>
    </header>
  )
}

function WaitingCount() {
  const count = useRuns().data?.counts.needsYou ?? 0
  if (count === 0) return null
  return (
    <span className="st st-you rounded-full bg-you-soft text-you-ink px-1.5 text-xs">
      {count}
      <span className="sr-only"> items</span>
    </span>
  )
}

/** The navigation of small screens. */
export function TabBar({ page }: { readonly page: Route['page'] }) {
  const area = areas[page]
  const count = useRuns().data?.counts.needsYou ?? 0
  const current = (one: Area) => (one === area ? ('page' as const) : undefined)
  return (
    <nav className="botnav" aria-label="Main, small screens">
      <Link href={paths.runs} aria-current={current('runs')}>
        <Icon name="delivery" size={20} />
        Runs
      </Link>
      <Link href={paths.waiting()} aria-current={current('waiting')}>
        <span className={count > 0 ? 'st st-you fg' : ''}>
          <Icon name="you" size={20} />
        </span>
        <span>
          For you{count > 0 && <span className="text-you-ink"> {count}</span>}
          <span className="sr-only"> items</span>
        </span>
      </Link>
      <Link href={paths.compare()} aria-current={current('compare')}>
        <Icon name="compare" size={20} />
        Compare
      </Link>
      <Link href={paths.sap} aria-current={current('sap')}>
        <Icon name="chat" size={20} />
        SAP
      </Link>
    </nav>
  )
}
