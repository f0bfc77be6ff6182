/** The server reads this cookie and writes `data-theme` on `<html>`, so that a page never appears in the wrong theme. */
const cookie = 'pawl_theme'
const yearSeconds = 31_536_000

export type Theme = 'light' | 'dark'

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function switchTheme(): Theme {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  // biome-ignore lint/suspicious/noDocumentCookie: the server needs the cookie, and the Cookie Store API is not everywhere
  document.cookie = `${cookie}=${theme}; Path=/; Max-Age=${yearSeconds}; SameSite=Strict`
  return theme
}

/** Calls back when the colours change, by the button or by the system. */
export function onThemeChange(callback: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(callback)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  media.addEventListener('change', callback)
  return () => {
    observer.disconnect()
    media.removeEventListener('change', callback)
  }
}
