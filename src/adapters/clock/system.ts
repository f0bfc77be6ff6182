import type { Clock } from '../../ports/clock.ts'

const longestTimer = 2 ** 31 - 1

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
        // Timers over 2^31 ms fire at once, so a longer sleep is made of several.
        timer = setTimeout(left > longestTimer ? arm : finish, Math.min(left, longestTimer))
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
