// Records the demo as an animated picture for the README: `npm run recording`. It runs the real demo, notes when each line came, and
// writes an SVG that plays them in a window of a terminal, in the colours of the reader's system.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..')
const [rows, lineHeight, width, left, top] = [30, 19, 860, 22, 52]
/** Nobody reads faster, and nobody waits longer. */
const [leastMs, mostMs] = [45, 900]
const endMs = 6000

type Line = { readonly at: number; readonly text: string }

const lines = await runDemo()
writeFileSync(join(root, 'docs', 'pictures', 'demo.svg'), draw(pace(lines)))

async function runDemo(): Promise<readonly Line[]> {
  const child = spawn(join(root, 'bin', 'pawl'), ['demo'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const start = performance.now()
  const seen: Line[] = []
  for await (const text of createInterface({ input: child.stdout })) seen.push({ at: performance.now() - start, text })
  return seen
}

/** Shortens what takes long and lengthens what comes at once. Paths of the temporary folder mean nothing to a reader. */
function pace(given: readonly Line[]): readonly Line[] {
  let at = 0
  let before = 0
  return given.map(({ at: real, text }) => {
    at += Math.min(mostMs, Math.max(leastMs, real - before))
    before = real
    return { at, text: text.replaceAll(/\/tmp\/[^\s/]+/g, '…').slice(0, 104) }
  })
}

/** Every line is drawn once. The whole moves up by a line when one more has come than the window holds. */
function draw(all: readonly Line[]): string {
  const total = all.at(-1)!.at + endMs
  const percent = (at: number): string => `${((100 * at) / total).toFixed(3)}%`
  const moves = all.flatMap(({ at }, index) => {
    const up = Math.max(0, index + 1 - rows)
    return up === 0 ? [] : [`${percent(at)}{transform:translateY(${-up * lineHeight}px)}`]
  })
  const texts = all.map(({ at, text }, index) => {
    const y = top + 16 + index * lineHeight
    return `<text x="${left}" y="${y}" class="${findLook(text)}" style="animation-delay:${Math.round(at)}ms">${escapeText(text)}</text>`
  })
  const height = top + rows * lineHeight + 16
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The demo: a PRD becomes three verified commits, although the agent lies and Pawl is killed">
<style>
.page{fill:#fff;stroke:#cfd4dc}.dot{fill:#cfd4dc}text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#15181e;opacity:0;animation:come 1ms forwards}
.title{fill:#646c7a;opacity:1;animation:none}.head{font-weight:600}.call{fill:#1c4dc2}.good{fill:#07685d}.bad{fill:#a8182f}.dim{fill:#646c7a}
.all{animation:scroll ${Math.round(total)}ms step-end forwards}
@keyframes come{to{opacity:1}}@keyframes scroll{${moves.join('')}}
@media(prefers-color-scheme:dark){.page{fill:#121418;stroke:#363c46}.dot{fill:#363c46}text{fill:#e8eaee}.title,.dim{fill:#8b93a1}.call{fill:#8db4ff}.good{fill:#6ed6c3}.bad{fill:#ff949a}}
@media(prefers-reduced-motion:reduce){text{opacity:1;animation:none}.all{animation:none;transform:translateY(${-Math.max(0, all.length - rows) * lineHeight}px)}}
</style>
<defs><clipPath id="window"><rect x="0" y="${top - 4}" width="${width}" height="${rows * lineHeight + 12}"/></clipPath></defs>
<rect class="page" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>
<circle class="dot" cx="24" cy="24" r="5"/><circle class="dot" cx="42" cy="24" r="5"/><circle class="dot" cx="60" cy="24" r="5"/><text class="title" x="84" y="29">npm start</text>
<g clip-path="url(#window)"><g class="all">
${texts.join('\n')}
</g></g>
</svg>
`
}

function findLook(text: string): string {
  if (text.startsWith('──')) return 'head'
  if (text.startsWith('$')) return 'call'
  if (/rejected|killed|failed|touched|not true/i.test(text)) return 'bad'
  if (/\bdone \(|saved as|✓|Delivered|ok$|true$/.test(text)) return 'good'
  return text.startsWith('  ') ? 'plain' : 'dim'
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\p{Cc}/gu, '')
}
