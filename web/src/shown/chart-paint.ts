import type uPlot from 'uplot'
import type { ChartLayout, Level, PlotPoint } from './chart-layout.ts'

export type Colors = Readonly<
  Record<'surface' | 'line' | 'line2' | 'ink' | 'ink2' | 'ink3' | 'ok' | 'okInk' | 'okSoft', string>
> &
  Readonly<Record<'you' | 'bad' | 'badInk' | 'badSoft', string>>

const tokens: Readonly<Record<keyof Colors, string>> = {
  surface: '--t-surface',
  line: '--t-line',
  line2: '--t-line-2',
  ink: '--t-ink',
  ink2: '--t-ink-2',
  ink3: '--t-ink-3',
  ok: '--t-ok',
  okInk: '--t-ok-ink',
  okSoft: '--t-ok-soft',
  you: '--t-you',
  bad: '--t-bad',
  badInk: '--t-bad-ink',
  badSoft: '--t-bad-soft',
}

/** Reads the tokens in the present theme. A canvas cannot use `light-dark()`. */
export function readColors(host: HTMLElement): Colors {
  const probe = document.createElement('span')
  host.append(probe)
  const entries = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as Colors
}

/** Draws the parts of the chart that uPlot does not know. Sizes are in CSS pixels times the pixel ratio. */
export function createPainter(layout: ChartLayout, colors: Colors, isSmall: boolean) {
  const { marks, points, groups, overlaps } = layout
  const [top, bottom] = [marks[0], marks.length > 1 ? marks.at(-1) : undefined]
  const fills: Readonly<Record<Level, string>> = { above: colors.ok, between: colors.you, below: colors.bad }
  const showTexts = points.length <= (isSmall ? 10 : 16)

  function bands(plot: uPlot): void {
    const { ctx, bbox } = plot
    const ratio = devicePixelRatio
    ctx.save()
    ctx.globalAlpha = 0.55
    if (top) fillBand(plot, bbox.top, plot.valToPos(top.y, 'y', true), colors.okSoft)
    if (bottom) fillBand(plot, plot.valToPos(bottom.y, 'y', true), bbox.top + bbox.height, colors.badSoft)
    ctx.globalAlpha = 1
    for (const mark of marks) {
      const y = plot.valToPos(mark.y, 'y', true)
      const isBottom = mark === bottom
      ctx.strokeStyle = isBottom ? colors.bad : colors.ok
      ctx.lineWidth = ratio
      ctx.setLineDash(isBottom ? [5 * ratio, 4 * ratio] : [])
      strokeLine(ctx, bbox.left, y, bbox.left + bbox.width, y)
      if (!isSmall) {
        write(ctx, mark.label, bbox.left + bbox.width + 8 * ratio, y, isBottom ? colors.badInk : colors.okInk, 'left')
      }
    }
    ctx.restore()
  }

  function fillBand({ ctx, bbox }: uPlot, from: number, to: number, color: string): void {
    ctx.fillStyle = color
    ctx.fillRect(bbox.left, from, bbox.width, to - from)
  }

  function drawPoints(plot: uPlot): void {
    const { ctx } = plot
    ctx.save()
    ctx.setLineDash([])
    if (!overlaps) drawGroups(plot)
    for (const point of points) drawPoint(plot, point)
    ctx.restore()
  }

  function drawGroups(plot: uPlot): void {
    if (groups.length < 2) return
    const { ctx, bbox } = plot
    const ratio = devicePixelRatio
    const bottomEdge = bbox.top + bbox.height
    for (const [index, { name, from, to }] of groups.entries()) {
      const x = plot.valToPos((from + to) / 2, 'x', true)
      write(ctx, name, x, bottomEdge + 36 * ratio, colors.ink, 'center', 500)
      const next = groups[index + 1]
      if (!next) continue
      const edge = plot.valToPos((to + next.from) / 2, 'x', true)
      ctx.strokeStyle = colors.line2
      ctx.lineWidth = ratio
      strokeLine(ctx, edge, bbox.top, edge, bottomEdge + 44 * ratio)
    }
  }

  function drawPoint(plot: uPlot, point: PlotPoint): void {
    const { ctx } = plot
    const ratio = devicePixelRatio
    const [x, y] = [plot.valToPos(point.x, 'x', true), plot.valToPos(point.y, 'y', true)]
    ctx.strokeStyle = fills[point.level]
    ctx.lineWidth = 1.75 * ratio
    if (point.low !== null && point.high !== null) {
      const [low, high] = [plot.valToPos(point.low, 'y', true), plot.valToPos(point.high, 'y', true)]
      strokeLine(ctx, x, low, x, high)
      for (const end of [low, high]) strokeLine(ctx, x - 5 * ratio, end, x + 5 * ratio, end)
    }
    ctx.beginPath()
    tracePoint(ctx, point.level, x, y, ratio)
    ctx.fillStyle = fills[point.level]
    ctx.fill()
    ctx.strokeStyle = colors.surface
    ctx.lineWidth = 1.5 * ratio
    ctx.stroke()
    if (point.isBest) {
      ctx.beginPath()
      ctx.arc(x, y, 10 * ratio, 0, 2 * Math.PI)
      ctx.strokeStyle = fills[point.level]
      ctx.stroke()
    }
    if (showTexts) writeTexts(plot, point, x, y)
  }

  function writeTexts({ ctx, bbox }: uPlot, { text, label, low, y: value }: PlotPoint, x: number, y: number): void {
    const ratio = devicePixelRatio
    if (isSmall) {
      write(ctx, String(value), x, y - 24 * ratio, colors.ink, 'center', 600)
      return
    }
    const isLast = x > bbox.left + bbox.width - 80 * ratio
    write(ctx, text, x + (isLast ? -14 : 14) * ratio, y, colors.ink, isLast ? 'right' : 'left', 600)
    const reach = low === null ? 16 : ((value - low) / (layout.y[1] - layout.y[0])) * (bbox.height / ratio) + 12
    if (label) write(ctx, label, x, y + Math.max(20, reach) * ratio, colors.ink2, 'center')
  }

  function write(
    ctx: CanvasRenderingContext2D,
    text: string,
    x: number,
    y: number,
    color: string,
    align: CanvasTextAlign,
    weight = 400,
  ): void {
    ctx.font = `${weight} ${12 * devicePixelRatio}px Geist, system-ui, sans-serif`
    ctx.textAlign = align
    ctx.textBaseline = 'middle'
    ctx.lineJoin = 'round'
    ctx.lineWidth = 3 * devicePixelRatio
    ctx.strokeStyle = colors.surface
    ctx.setLineDash([])
    ctx.strokeText(text, x, y)
    ctx.fillStyle = color
    ctx.fillText(text, x, y)
  }

  const series = (index: number): uPlot.Series => ({
    stroke: colors.ink3,
    width: 1.5,
    spanGaps: true,
    points: { show: false },
    ...(overlaps && index % 2 === 1 && { dash: [6, 4] }),
  })
  return { bands, points: drawPoints, series }
}

function strokeLine(ctx: CanvasRenderingContext2D, fromX: number, fromY: number, toX: number, toY: number): void {
  ctx.beginPath()
  ctx.moveTo(fromX, fromY)
  ctx.lineTo(toX, toY)
  ctx.stroke()
}

/** A disc above all marks, a diamond between them, a triangle below. */
function tracePoint(ctx: CanvasRenderingContext2D, level: Level, x: number, y: number, ratio: number): void {
  const corners = {
    above: [],
    between: [0, -7, 7, 0, 0, 7, -7, 0],
    below: [0, 6.5, -6.5, -4.5, 6.5, -4.5],
  }[level]
  if (corners.length === 0) ctx.arc(x, y, 5.5 * ratio, 0, 2 * Math.PI)
  for (let at = 0; at < corners.length; at += 2) {
    ctx.lineTo(x + (corners[at] ?? 0) * ratio, y + (corners[at + 1] ?? 0) * ratio)
  }
  ctx.closePath()
}
