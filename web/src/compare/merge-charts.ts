import type { RunPayload } from '../../../src/contract/web.ts'
import type { ChartBlock } from '../shown/chart-layout.ts'

const findChart = ({ sections }: RunPayload): ChartBlock | undefined =>
  sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'chart')

/** One chart with a line for each run, A solid and B dashed. Null unless both runs have a chart. */
export function mergeCharts([a, b]: readonly [RunPayload, RunPayload]): ChartBlock | null {
  const [left, right] = [findChart(a), findChart(b)]
  if (!left || !right) return null
  const toLine = (letter: string, { series }: ChartBlock) => ({
    name: letter,
    // Labels of two lines would cover each other.
    points: series
      .flatMap(({ points }) => points.map((point) => ({ ...point, label: '' })))
      .toSorted((one, other) => one.x - other.x),
  })
  const marks = left.marks.filter((mark) => right.marks.some(({ y }) => y === mark.y))
  return { kind: 'chart', title: left.title, series: [toLine('A', left), toLine('B', right)], marks }
}
