import type uPlot from 'uplot'
import type { Block } from '../../../src/contract/show.ts'

export type ChartBlock = Extract<Block, { kind: 'chart' }>
/** Where a point lies among the marks: above all of them, between, or below all. */
export type Level = 'above' | 'between' | 'below'
export type PlotPoint = {
  readonly x: number
  readonly y: number
  readonly low: number | null
  readonly high: number | null
  /** "85 ± 4" */
  readonly text: string
  readonly label: string
  readonly level: Level
  readonly isBest: boolean
}
export type Group = { readonly name: string; readonly from: number; readonly to: number }
export type ChartLayout = {
  readonly data: uPlot.AlignedData
  readonly points: readonly PlotPoint[]
  readonly groups: readonly Group[]
  /** Series that share places on the x axis: lines to compare, not phases. */
  readonly overlaps: boolean
  readonly marks: ChartBlock['marks']
  readonly steps: readonly number[]
  readonly x: [number, number]
  readonly y: [number, number]
}

const maxSteps = 24

/** Computes what is drawn where. */
export function layoutChart({ series, marks }: ChartBlock): ChartLayout {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b)
  const groups = series
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => ({
      name,
      from: Math.min(...points.map(({ x }) => x)),
      to: Math.max(...points.map(({ x }) => x)),
    }))
  const columns = series
    .filter(({ points }) => points.length > 0)
    .map(({ points }) => {
      const byX = new Map(points.map(({ x, y }) => [x, y]))
      return xs.map((x) => byX.get(x) ?? null)
    })
  const all = series.flatMap(({ points }) => points)
  const best = Math.max(...all.map(({ y }) => y))
  const sorted = marks.toSorted((a, b) => b.y - a.y)
  const ordered = groups.toSorted((a, b) => a.from - b.from)
  const every = Math.ceil(xs.length / maxSteps)
  return {
    data: [xs, ...columns],
    points: all.map((point) => ({
      x: point.x,
      y: point.y,
      low: point.low ?? null,
      high: point.high ?? null,
      text: formatValue(point),
      label: point.label ?? '',
      level: findLevel(point.y, sorted),
      isBest: point.y === best,
    })),
    groups,
    overlaps: ordered.some((group, index) => index > 0 && group.from <= (ordered[index - 1]?.to ?? group.from - 1)),
    marks: sorted,
    steps: xs.filter((_, index) => index % every === 0),
    x: [(xs[0] ?? 0) - 0.5, (xs.at(-1) ?? 0) + 0.5],
    y: findRange(all, marks),
  }
}

type Point = ChartBlock['series'][number]['points'][number]

function formatValue({ y, low, high }: Point): string {
  if (low === undefined || high === undefined || high === low) return String(y)
  return `${y} ± ${Math.round((high - low) / 2)}`
}

const findLevel = (y: number, marks: ChartBlock['marks']): Level => {
  const [top] = marks
  const bottom = marks.at(-1)
  if (!top || !bottom || y >= top.y) return 'above'
  return marks.length > 1 && y < bottom.y ? 'below' : 'between'
}

/** Scores: from 45, or 5 below the lowest, to 100. Other values: what they span and some air. */
function findRange(points: readonly Point[], marks: ChartBlock['marks']): [number, number] {
  const values = [...points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]), ...marks.map(({ y }) => y)]
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  if (lowest >= 0 && highest <= 100 && highest > 1) return [Math.max(0, Math.min(45, lowest - 5)), 100]
  const air = (highest - lowest || 1) * 0.1
  return [lowest - air, highest + air]
}

/** The chart in one sentence, for people who do not see it. */
export function describeChart({ title, series, marks }: ChartBlock): string {
  const parts = series.map(
    ({ name, points }) =>
      `${name}: ${points.map((point) => `${formatValue(point)}${point.label ? ` (${point.label})` : ''}`).join(', ')}`,
  )
  const lines = marks.map(({ y, label }) => `${y}, ${label}`).join('; ')
  return `${title}. ${parts.join('. ')}.${lines ? ` Lines at ${lines}.` : ''}`
}
