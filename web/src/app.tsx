import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLiveUpdates } from './live.ts'
import { Boundary } from './parts/boundary.tsx'
import { EmptyCard, Skeleton } from './parts/states.tsx'
import { Toasts } from './parts/toasts.tsx'
import { Link, navigate, parseRoute, paths, type Route, usePathname } from './router.tsx'
import { LiveRegion } from './shell/announce.tsx'
import { GoTo } from './shell/go-to.tsx'
import { changeTheme, Header, TabBar } from './shell/header.tsx'
import { KeyList } from './shell/key-list.tsx'
import { useKeyboard, useKeys } from './shell/keyboard.ts'
import { useStandingAnnouncements } from './shell/use-standings.ts'

const RunsPage = lazy(() => import('./runs/runs-page.tsx'))
const RunPage = lazy(() => import('./run/run-page.tsx'))
const ReplayPage = lazy(() => import('./replay/replay-page.tsx'))
const AttemptPage = lazy(() => import('./attempt/attempt-page.tsx'))
const WaitingPage = lazy(() => import('./waiting/waiting-page.tsx'))
const ComparePage = lazy(() => import('./compare/compare-page.tsx'))
const StartPage = lazy(() => import('./start/start-page.tsx'))
const SapPage = lazy(() => import('./sap/sap-page.tsx'))

type Open = 'go-to' | 'keys' | null

export function App() {
  const pathname = usePathname()
  const route = parseRoute(pathname)
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  useLiveUpdates()
  useKeyboard()
  useStandingAnnouncements()
  const main = useFocusOnNavigation(pathname)
  useKeys({
    'Ctrl+k': () => setOpen(open === 'go-to' ? null : 'go-to'),
    '?': () => setOpen('keys'),
    t: changeTheme,
    'g r': () => navigate(paths.runs),
    'g w': () => navigate(paths.waiting()),
    'g c': () => navigate(paths.compare()),
    'g s': () => navigate(paths.start),
  })
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <Header page={route.page} onGoTo={() => setOpen('go-to')} onKeys={() => setOpen('keys')} />
      <main ref={main} id="main" tabIndex={-1} className="mx-auto max-w-[1400px] px-4 md:px-6">
        <Boundary key={pathname}>
          <Suspense fallback={<Skeleton heights={[96, 320]} />}>
            <Page route={route} />
          </Suspense>
        </Boundary>
      </main>
      <Toasts />
      <LiveRegion />
      <TabBar page={route.page} />
      {open === 'go-to' && <GoTo onClose={close} />}
      {open === 'keys' && <KeyList onClose={close} />}
    </>
  )
}

/** Moves the focus to the content of a new page, so that reading goes on there. */
function useFocusOnNavigation(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current !== pathname) main.current?.focus({ preventScroll: true })
    last.current = pathname
  }, [pathname])
  return main
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'runs':
      return <RunsPage />
    case 'run':
      return <RunPage key={route.id} id={route.id} />
    case 'replay':
      return <ReplayPage key={route.id} id={route.id} />
    case 'attempt':
      return <AttemptPage id={route.id} task={route.task} n={route.n} />
    case 'waiting':
      return <WaitingPage id={route.id} />
    case 'compare':
      return <ComparePage />
    case 'start':
      return <StartPage />
    case 'sap':
      return <SapPage />
    case 'missing':
      return (
        <div className="py-7">
          <h1 className="text-2xl mb-5">No such page</h1>
          <EmptyCard title="Nothing has this address.">
            <Link className="link" href={paths.runs}>
              All runs
            </Link>
          </EmptyCard>
        </div>
      )
  }
}
