import { useSyncExternalStore } from 'react'

const small = matchMedia('(max-width: 719.98px)')

const subscribe = (listener: () => void): (() => void) => {
  small.addEventListener('change', listener)
  return () => small.removeEventListener('change', listener)
}

/** Whether the screen is below 720 px, where tables and timelines turn into lists. */
export const useSmallScreen = (): boolean => useSyncExternalStore(subscribe, () => small.matches)
