import { useState } from 'react'
import type { RunPayload, Steering } from '../../../src/contract/web.ts'
import { Bounds } from '../parts/bounds.tsx'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { RaiseDialog } from './dialogs.tsx'

type BoundsCardProps = Pick<RunPayload, 'bounds' | 'forecast'> & {
  readonly id: string
  readonly isOver: boolean
  readonly raise: Steering['raise']
}

export function BoundsCard({ id, isOver, bounds, forecast, raise }: BoundsCardProps) {
  const [isOpen, setOpen] = useState(false)
  const button = raise.length > 0 && (
    <button type="button" className="btn btn-sm btn-quiet !h-7" onClick={() => setOpen(true)}>
      <Icon name="plus" />
      Raise one
    </button>
  )
  return (
    <Card title="Bounds" actions={button}>
      <Bounds bounds={bounds} first={forecast?.cap ?? null} isOver={isOver} />
      {isOpen && <RaiseDialog id={id} bounds={raise} onClose={() => setOpen(false)} />}
    </Card>
  )
}
