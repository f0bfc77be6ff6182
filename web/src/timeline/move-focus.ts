/** Moves the focus along a row of bars, or to the nearest bar of another row. Returns whether it moved. */
export function moveBetweenBars(root: HTMLElement, key: string): boolean {
  const current = document.activeElement
  if (!(current instanceof HTMLElement) || current.dataset.bar === undefined) return false
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')]
    .map((row) => [...row.querySelectorAll<HTMLElement>('[data-bar]')])
    .filter((bars) => bars.length > 0)
  const row = rows.findIndex((bars) => bars.includes(current))
  const bars = rows[row] ?? []
  const at = bars.indexOf(current)
  const target = {
    ArrowLeft: () => bars[at - 1],
    ArrowRight: () => bars[at + 1],
    ArrowUp: () => findNearest(rows[row - 1], current),
    ArrowDown: () => findNearest(rows[row + 1], current),
    Home: () => bars[0],
    End: () => bars.at(-1),
  }[key]
  if (!target) return false
  target()?.focus()
  return true
}

function findNearest(bars: readonly HTMLElement[] | undefined, current: HTMLElement): HTMLElement | undefined {
  const left = (element: HTMLElement): number => element.getBoundingClientRect().left
  const from = left(current)
  return bars?.toSorted((a, b) => Math.abs(left(a) - from) - Math.abs(left(b) - from))[0]
}
