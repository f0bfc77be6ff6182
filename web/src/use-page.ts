import { useEffect } from 'react'

/** Sets the title of the browser's window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Pawl' : `${title} · Pawl`
  }, [title])
}
