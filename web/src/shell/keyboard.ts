import { useEffect, useRef } from 'react'

/** Keys and what they do: `j`, `Escape`, `g r` for one key after another, `Ctrl+k`. */
export type Bindings = Readonly<Record<string, () => void>>

const stack: { current: Bindings }[] = []
const sequenceMs = 1000
const storageKey = 'pawl_single_keys'

let prefix = ''
let prefixTimer: ReturnType<typeof setTimeout> | undefined

/** Binds keys while the component is on the page. The component that was added last wins. */
export function useKeys(bindings: Bindings): void {
  const ref = useRef(bindings)
  useEffect(() => {
    ref.current = bindings
  })
  useEffect(() => {
    stack.unshift(ref)
    return () => {
      stack.splice(stack.indexOf(ref), 1)
    }
  }, [])
}

export const areSingleKeysOn = (): boolean => localStorage.getItem(storageKey) !== 'off'
export const setSingleKeys = (on: boolean): void => localStorage.setItem(storageKey, on ? 'on' : 'off')

/** Listens to the keys of the whole page. */
export function useKeyboard(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    press(event, `Ctrl+${event.key.toLowerCase()}`)
    return
  }
  if (event.altKey || isField(event.target) || document.querySelector('dialog[open]')) return
  if (!areSingleKeysOn()) return
  const key = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
  const sequence = prefix === '' ? key : `${prefix} ${key}`
  setPrefix('')
  if (press(event, sequence)) return
  if (isPrefix(key)) setPrefix(key)
}

function press(event: KeyboardEvent, key: string): boolean {
  const action = stack.map(({ current }) => current[key]).find(Boolean)
  if (!action) return false
  event.preventDefault()
  action()
  return true
}

const isPrefix = (key: string): boolean =>
  stack.some(({ current }) => Object.keys(current).some((binding) => binding.startsWith(`${key} `)))

function setPrefix(key: string): void {
  clearTimeout(prefixTimer)
  prefix = key
  if (key !== '') prefixTimer = setTimeout(() => setPrefix(''), sequenceMs)
}

const textTypes = new Set(['checkbox', 'radio', 'button', 'submit', 'range'])

function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !textTypes.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
