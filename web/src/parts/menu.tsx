import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

type MenuProps = { readonly label: string; readonly children: (close: () => void) => ReactNode }

/** A button that opens a list of further actions. Closes on Escape, on a choice and on a click elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    list.current?.querySelector<HTMLElement>('a, button')?.focus()
    const onPointer = ({ target }: PointerEvent): void => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPointer)
    return () => document.removeEventListener('pointerdown', onPointer)
  }, [open])
  const close = (): void => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open) return
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event.key === 'ArrowDown' ? 1 : -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const moveFocus = (by: number): void => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('a, button') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    items.at((at + by + items.length) % items.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the list inside
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <button
        type="button"
        className="icon-btn icon-btn-line"
        aria-label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      {open && (
        <div ref={list} className="menu-list right-0 top-full mt-1">
          {children(close)}
        </div>
      )}
    </div>
  )
}
