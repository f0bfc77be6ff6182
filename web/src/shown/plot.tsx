import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onThemeChange } from '../shell/theme.ts'
import { type ChartBlock, describeChart, layoutChart, type PlotPoint } from './chart-layout.ts'
import { createPainter, readColors } from './chart-paint.ts'

const smallWidth = 560

/** The drawing of a chart. */
export default function Plot({ block }: { readonly block: ChartBlock }) {
  const host = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState<{ point: PlotPoint; left: number; top: number } | null>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return
    let plot: uPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0) plot = createPlot(element, block, { width, height }, setNear)
    }
    const observer = new ResizeObserver(draw)
    observer.observe(element)
    const stop = onThemeChange(draw)
    // Canvas text needs the font; the browser does not draw again when it arrives.
    void document.fonts.ready.then(draw)
    return () => {
      observer.disconnect()
      stop()
      plot?.destroy()
      plot = undefined
    }
  }, [block])
  return (
    <div className="px-3 pb-2">
      <div ref={host} className="chart" role="img" aria-label={describeChart(block)}>
        {near && (
          <span className="chart-tip" style={{ left: near.left, top: near.top }}>
            {near.point.text} {near.point.label}
          </span>
        )}
      </div>
    </div>
  )
}

type Size = { readonly width: number; readonly height: number }
type Near = { point: PlotPoint; left: number; top: number } | null

function createPlot(host: HTMLElement, block: ChartBlock, size: Size, setNear: (near: Near) => void): uPlot {
  const layout = layoutChart(block)
  const colors = readColors(host)
  const isSmall = size.width < smallWidth
  const paint = createPainter(layout, colors, isSmall)
  const font = '11px Geist, system-ui, sans-serif'
  const axis = { stroke: colors.ink3, font, grid: { stroke: colors.line, width: 1 }, ticks: { show: false } }
  const hasNames = !layout.overlaps && layout.groups.length > 1
  return new uPlot(
    {
      ...size,
      padding: [16, isSmall ? 12 : 124, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: layout.x }, y: { range: layout.y } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: hasNames ? 48 : 28,
          splits: () => [...layout.steps],
          values: (_, splits) => splits.map(String),
        },
        { ...axis, size: 36, values: (_, splits) => splits.map(String) },
      ],
      series: [{}, ...layout.groups.map((_, index) => paint.series(index))],
      hooks: {
        drawClear: [paint.bands],
        draw: [paint.points],
        setCursor: [(plot) => setNear(findNear(plot, layout.points))],
      },
    },
    layout.data,
    host,
  )
}

const reach = 18

function findNear(plot: uPlot, points: readonly PlotPoint[]): Near {
  const { left = -1, top = -1 } = plot.cursor
  if (left < 0) return null
  const [ox, oy] = [plot.bbox.left / devicePixelRatio, plot.bbox.top / devicePixelRatio]
  for (const point of points) {
    const [x, y] = [plot.valToPos(point.x, 'x'), plot.valToPos(point.y, 'y')]
    if (Math.hypot(x - left, y - top) < reach) return { point, left: ox + x + 12, top: oy + y - 34 }
  }
  return null
}
