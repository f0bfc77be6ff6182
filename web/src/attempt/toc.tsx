import { useEffect, useState } from 'react'

/** `isBeside`: it stands in the right column, so that scrolling never reaches it. */
export type TocEntry = {
  readonly id: string
  readonly label: string
  readonly count?: number
  readonly isBeside?: boolean
}

/** The parts of the page, with how many things each holds. */
export function Toc({ entries }: { readonly entries: readonly TocEntry[] }) {
  const current = useCurrentSection(entries.filter(({ isBeside }) => !isBeside).map(({ id }) => id))
  return (
    <nav className="toc sticky top-20 max-lg:hidden" aria-label="On this page">
      {entries.map(({ id, label, count }) => (
        <a key={id} href={`#${id}`} {...(id === current && { 'aria-current': true })}>
          {label}
          {count !== undefined && <span className="count ml-auto">{count}</span>}
        </a>
      ))}
    </nav>
  )
}

/** Below this line a part has not been reached yet. */
const readingPx = 140

/** The part that is being read. */
function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0])
  const all = ids.join(' ')
  useEffect(() => {
    const sections = all.split(' ')
    let frame = 0
    const find = (): void => {
      frame = 0
      const isEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const reached = sections.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top
        return top !== undefined && top <= readingPx
      })
      setCurrent(isEnd && window.scrollY > 0 ? sections.at(-1) : (reached.at(-1) ?? sections[0]))
    }
    const onScroll = (): void => {
      frame ||= requestAnimationFrame(find)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [all])
  return current
}
