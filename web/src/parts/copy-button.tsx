import { useEffect, useState } from 'react'
import { announce } from '../shell/announce.tsx'
import { Icon } from './icon.tsx'
import { showToast } from './toasts.tsx'

const shownMs = 2000

/** Copies a text and says so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce('Copied')
    return true
  } catch {
    showToast({ tone: 'bad', title: 'The browser did not allow copying', text: 'Select the text and copy it by hand.' })
    return false
  }
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className="icon-btn"
      aria-label={label}
      title={label}
      onClick={() => void copyText(text).then(setCopied)}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  )
}
