import { steps } from './instant-model.ts'

export type LoopTime = { readonly usPerStep: number }

/** Times loops of five steps, `lanes` of them at a time, after a warm-up. */
export async function timeLanes(loop: () => Promise<void>, lanes: number, count: number): Promise<LoopTime> {
  await runLanes(loop, lanes, Math.max(20, lanes))
  const began = performance.now()
  await runLanes(loop, lanes, count)
  return { usPerStep: ((performance.now() - began) * 1000) / (count * steps) }
}

async function runLanes(loop: () => Promise<void>, lanes: number, count: number): Promise<void> {
  let begun = 0
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun++
      await loop()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
