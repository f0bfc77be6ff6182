// Takes the pictures of the README: `npm run pictures`. Runs the demo and some scripted refinements in a home of their own, opens the page in a
// browser, and writes docs/pictures/*.png in both themes.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from '../test/support/chromium.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'pawl-pictures-'))
/** The demo has a home of its own, which knows its runs. With this one, paths on the page begin with ~. */
const home = join(folder, 'keep')
const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'home', '.local', 'state') }

try {
  await end(spawn(join(root, 'bin', 'pawl'), ['demo', '--keep', home], { stdio: 'ignore' }))
  const cwd = join(home, 'repository')
  const server = spawn(join(root, 'bin', 'pawl'), ['serve', '--port', '0', '--demo', '--json'], { cwd, env })
  const { url, port, token } = await readLine(server)
  await takePictures({ url, port, token })
  server.kill('SIGTERM')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function end(child: ReturnType<typeof spawn>): Promise<unknown> {
  return new Promise((resolve) => child.on('close', resolve))
}

type Link = { readonly url: string; readonly port: number; readonly token: string }

function readLine(child: ReturnType<typeof spawn>): Promise<Link> {
  return new Promise((resolve) => {
    child.stdout!.once('data', (data: Buffer) => resolve(JSON.parse(String(data).split('\n')[0]!) as Link))
  })
}

async function takePictures({ url, port, token }: Link): Promise<void> {
  const api = async (path: string, body?: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Pawl': '1', 'Content-Type': 'application/json' }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return (await fetch(`http://127.0.0.1:${port}/api/v1${path}`, init)).json()
  }
  const start = (scenario: string) =>
    api('/sap/start', { task: 'Refine PRD', text: '', flow: 'adaptive', scenario }) as Promise<{ run: string }>
  await start('always-low')
  const { run: refined } = await start('escalate-late')
  await new Promise((resolve) => setTimeout(resolve, 4000))
  const { runs } = (await api('/runs')) as { runs: readonly { id: string; mode: string }[] }
  const delivery = runs.find(({ mode }) => mode === 'delivery')!.id
  const pages = { runs: '/', run: `/runs/${delivery}`, refinement: `/runs/${refined}` }
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(url)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`http://127.0.0.1:${port}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(1500)
      await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}-${colorScheme}.png`) })
    }
  }
  await browser.close()
}
