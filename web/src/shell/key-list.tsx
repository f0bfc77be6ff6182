import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { areSingleKeysOn, setSingleKeys } from './keyboard.ts'

const groups: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'go to a run or a page'],
      ['g r', 'runs'],
      ['g w', 'waiting for you'],
      ['g c', 'compare'],
      ['g s', 'start'],
      ['/', 'filter or search'],
      ['j  k', 'next, previous'],
      ['Enter', 'open'],
      ['Esc', 'back'],
      ['t', 'theme'],
      ['?', 'this list'],
    ],
  },
  {
    title: 'A run',
    keys: [
      ['p', 'pause or resume'],
      ['c', 'copy the command'],
      ['e', 'first error'],
      ['f', 'follow the log'],
      ['.', 'raw JSON'],
      ['[  ]', 'previous, next attempt'],
    ],
  },
  {
    title: 'Replay',
    keys: [
      ['Space', 'play or pause'],
      ['←  →', 'previous, next event'],
      ['⇧ ←  ⇧ →', 'previous, next mark'],
    ],
  },
  {
    title: 'Approval',
    keys: [
      ['a', 'accept'],
      ['r', 'reject'],
      ['d', 'whole diff'],
      ['Ctrl Enter', 'finish'],
    ],
  },
]

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(areSingleKeysOn)
  const toggle = (): void => {
    setSingleKeys(!on)
    setOn(!on)
  }
  return (
    <Dialog label="Keyboard" onClose={onClose}>
      <div className="p-5">
        <div className="flex items-center">
          <h2 className="text-lg">Keyboard</h2>
          <button type="button" className="btn btn-sm btn-line ml-auto" onClick={onClose}>
            Close
          </button>
        </div>
        {groups.map(({ title, keys }) => (
          <section key={title} className="mt-4" aria-label={title}>
            <h3 className="text-sm text-ink-2">{title}</h3>
            <dl className="grid grid-cols-2 gap-x-6 mt-1">
              {keys.map(([key, does]) => (
                <div key={key} className="flex items-center gap-3 py-1">
                  <dt className="w-18 flex-none">
                    <kbd className="kbd !inline-grid">{key}</kbd>
                  </dt>
                  <dd className="text-sm">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label className="flex items-center gap-2 mt-5 pt-4 border-t border-line text-sm">
          <input type="checkbox" className="toggle" checked={on} onChange={toggle} />
          Single keys are on
        </label>
      </div>
    </Dialog>
  )
}
