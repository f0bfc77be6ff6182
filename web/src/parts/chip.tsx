import type { ReactNode } from 'react'
import type { RunRow } from '../../../src/contract/web.ts'
import { lookOf, type Tone } from '../standing.ts'
import { Icon, type IconName } from './icon.tsx'

type ChipProps = {
  readonly tone: Tone
  readonly icon?: IconName
  readonly plain?: boolean
  readonly className?: string
  readonly children: ReactNode
}

export function Chip({ tone, icon, plain = false, className = '', children }: ChipProps) {
  return (
    <span className={`chip st st-${tone}${plain ? ' chip-plain' : ''} ${className}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}

type StandingProps = Pick<ChipProps, 'plain' | 'className'> & {
  readonly run: Pick<RunRow, 'standing' | 'needsYou' | 'waits'>
}

export function StandingChip({ run, ...rest }: StandingProps) {
  const { word, icon, tone } = lookOf(run)
  return (
    <Chip tone={tone} icon={icon} {...rest}>
      {word}
    </Chip>
  )
}
