import type { CSSProperties } from 'react'

export const percent = (place: number): string => `${(place * 100).toFixed(3)}%`

/** The style of something between two places of the axis. */
export const span = (left: number, width: number): CSSProperties => ({ left: percent(left), width: percent(width) })
