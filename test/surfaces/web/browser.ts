import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { launchChromium } from '../../support/chromium.ts'
import { cleanups } from '../../support/cleanups.ts'
import type { Serving } from './serve.ts'

let browser: Promise<Browser> | undefined

/** One browser for all tests of a file. */
function openBrowser(): Promise<Browser> {
  if (browser) return browser
  browser = launchChromium()
  cleanups.push(async () => {
    const opened = browser
    browser = undefined
    await (await opened)?.close()
  })
  return browser
}

export type Visit = {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong in the page: errors in its console and exceptions. */
  readonly problems: readonly string[]
  open(path: string): Promise<void>
}

/** A browser that has followed the link of the server. */
export async function visit(
  { url, host }: Pick<Serving, 'url' | 'host'>,
  options: { readonly width?: number; readonly theme?: 'light' | 'dark' } = {},
): Promise<Visit> {
  const context = await (await openBrowser()).newContext({
    viewport: { width: options.width ?? 1440, height: 1000 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(url)
  return { page, context, problems, open: async (path) => void (await page.goto(`http://${host}${path}`)) }
}

const shots = join(import.meta.dirname, '..', '..', '..', '.screenshots')

/** Keeps a picture of the page, for people who want to look at what the tests saw. */
export async function keepPicture({ page }: Pick<Visit, 'page'>, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Violations of WCAG A and AA, and whether anything sticks out on the right. */
export async function findFaults({ page }: Pick<Visit, 'page'>): Promise<readonly string[]> {
  // The page's policy forbids foreign scripts, so this one is evaluated from outside.
  await page.evaluate(readFileSync(axe, 'utf8'))
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })",
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  const wide = (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number
  return [
    ...found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`),
    ...(wide > 0 ? [`scrolls sideways by ${wide} px`] : []),
  ]
}
