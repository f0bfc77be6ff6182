import type { Clock } from '../../ports/clock.ts'

const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const due = performance.now() + ms
      let timer: NodeJS.Timeout
      const arm = (): void => {
        const left = Math.max(0, due - performance.now())
        // Node fires timers over 2^31 ms immediately, so a longer sleep uses several.
        timer = setTimeout(left > maxTimerMs ? arm : finish, Math.min(left, maxTimerMs))
      }
      const finish = (): void => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      const cancel = (): void => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      signal.addEventListener('abort', cancel, { once: true })
      arm()
    }),
}
