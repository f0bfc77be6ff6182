import { expect, test } from 'vitest'
import { type ChaosOptions, type ChaosReport, runChaos } from './chaos.ts'

async function check(options: ChaosOptions): Promise<ChaosReport> {
  const report = await runChaos(options)
  const { problems, takeovers, ...rest } = report
  const slowest = takeovers.toSorted((a, b) => b - a).slice(0, 5)
  console.log(JSON.stringify({ ...rest, takeovers: takeovers.length, slowest }))
  expect(problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(options.runs * 20)
  return report
}

test('workers are killed: nothing is lost or doubled, and their runs are taken over within 20 s', async () => {
  const { takeovers } = await check({ runs: 30, workers: 3, seed: 1, ms: 6000, onlyKills: true })
  expect(takeovers.length).toBeGreaterThan(0)
  expect(Math.max(...takeovers)).toBeLessThan(20_000)
})

test('400 runs on 8 workers: nothing is lost or doubled while workers, connections and the server die', async () => {
  const { takeovers, faults, refused } = await check({ runs: 400, workers: 8, seed: 2, ms: 90_000 })
  // A worker that takes a run over may be the next to die, so a few take longer.
  expect(takeovers.filter((ms) => ms < 20_000).length).toBeGreaterThan(takeovers.length * 0.8)
  for (const kind of ['kill', 'stop', 'cut', 'lost acknowledgement']) expect(faults[kind], kind).toBeGreaterThan(3)
  expect(faults.restart! + faults.crash!).toBeGreaterThan(2)
  expect(refused).toBeGreaterThan(0)
})
