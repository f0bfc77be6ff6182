import { useEffect, useState } from 'react'

const everyMs = 150

/** Follows a number that changes fast, at most every 150 ms, so that playing does not flood the server. */
export function useDeferredSeq(seq: number): number {
  const [shown, setShown] = useState(seq)
  useEffect(() => {
    if (shown === seq) return
    const timer = setTimeout(() => setShown(seq), everyMs)
    return () => clearTimeout(timer)
  }, [seq, shown])
  return shown
}
