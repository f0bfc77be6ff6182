import { type AnchorHTMLAttributes, type MouseEvent, type Ref, useSyncExternalStore } from 'react'

export type Route =
  | { readonly page: 'runs' }
  | { readonly page: 'run' | 'replay'; readonly id: string }
  | { readonly page: 'attempt'; readonly id: string; readonly task: string; readonly n: number }
  | { readonly page: 'waiting'; readonly id: string | null }
  | { readonly page: 'compare' }
  | { readonly page: 'sap' }
  | { readonly page: 'start' }
  | { readonly page: 'missing' }

export function parseRoute(pathname: string): Route {
  const parts = pathname.split('/').filter(Boolean).map(decode)
  const [first, id, third, task, n] = parts
  if (first === undefined) return { page: 'runs' }
  if (first === 'runs' && id !== undefined) {
    if (parts.length === 2) return { page: 'run', id }
    if (third === 'replay' && parts.length === 3) return { page: 'replay', id }
    if (third === 'attempts' && task !== undefined && parts.length === 5) {
      return { page: 'attempt', id, task, n: Number(n) }
    }
  }
  if (first === 'waiting' && parts.length <= 2) return { page: 'waiting', id: id ?? null }
  if (first === 'compare' && parts.length === 1) return { page: 'compare' }
  if (first === 'start' && parts.length === 1) return { page: 'start' }
  if (first === 'admin' && id === 'sap-collaborate' && parts.length === 2) return { page: 'sap' }
  return { page: 'missing' }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const paths = {
  runs: '/',
  run: (id: string): string => `/runs/${encodeURIComponent(id)}`,
  replay: (id: string): string => `/runs/${encodeURIComponent(id)}/replay`,
  attempt: (id: string, task: string, n: number): string =>
    `/runs/${encodeURIComponent(id)}/attempts/${encodeURIComponent(task)}/${n}`,
  waiting: (id?: string): string => (id === undefined ? '/waiting' : `/waiting/${encodeURIComponent(id)}`),
  compare: (a?: string): string => (a === undefined ? '/compare' : `/compare?${new URLSearchParams({ a })}`),
  sap: '/admin/sap-collaborate',
  start: '/start',
}

const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}
window.addEventListener('popstate', changed)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Goes to another address of this page. `replace`: without an entry in the history, for filters. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  if (!replace) window.scrollTo(0, 0)
  changed()
}

export const usePathname = (): string => useSyncExternalStore(subscribe, () => location.pathname)
const useSearch = (): string => useSyncExternalStore(subscribe, () => location.search)

/** The query of the address and a function that changes it. An empty value removes its key. */
export function useQueryParams(): readonly [URLSearchParams, (changes: Readonly<Record<string, string>>) => void] {
  const params = new URLSearchParams(useSearch())
  const change = (changes: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(location.search)
    for (const [key, value] of Object.entries(changes)) {
      if (value === '') next.delete(key)
      else next.set(key, value)
    }
    const query = next.toString()
    navigate(query === '' ? location.pathname : `${location.pathname}?${query}`, { replace: true })
  }
  return [params, change]
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  readonly href: string
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A link to another address of this page. New tabs and windows work as usual. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} {...rest} onClick={follow} />
}
