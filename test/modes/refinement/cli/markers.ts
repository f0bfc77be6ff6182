import * as fs from 'node:fs'
import { join, relative } from 'node:path'

/** A word that nothing else holds: short enough to be missed by whoever looks for long stretches. */
export const markerOf = (what: string): string => `Qz7${what}Vx`

/** Every place under the folder that holds one of the markers, in whatever spelling; names of files count as well. */
export function placesOf(folder: string, markers: readonly string[], except: readonly string[] = []): string[] {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  const spelt = markers.flatMap((marker) =>
    spellingsOf(marker).map(([spelling, bytes]) => ({ marker, spelling, bytes })),
  )
  return files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const shown = relative(folder, path)
    const named = markers.filter((marker) => entry.name.includes(marker)).map((marker) => `${marker} names ${shown}`)
    if (!entry.isFile() || except.includes(shown)) return named
    const content = readIfThere(path)
    const held = spelt.filter(({ bytes }) => content.includes(bytes))
    return [...named, ...held.map(({ marker, spelling }) => `${marker} as ${spelling} in ${shown}`)]
  })
}

function spellingsOf(marker: string): [string, Buffer][] {
  const bytes = Buffer.from(marker)
  return [
    ['text', bytes],
    ['lower case', Buffer.from(marker.toLowerCase())],
    ['UTF-16', Buffer.from(marker, 'utf16le')],
    ['hex', Buffer.from(bytes.toString('hex'))],
    ['escapes', Buffer.from([...marker].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''))],
    ...[0, 1, 2].map((before): [string, Buffer] => ['base64', inBase64(bytes, before)]),
  ]
}

/** What of it shows however many bytes stand before and behind it. */
function inBase64(bytes: Buffer, before: number): Buffer {
  const start = Math.ceil((before * 4) / 3) + (before === 0 ? 0 : 1)
  const whole = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  return Buffer.from(whole.slice(start, -1))
}

/** A file of a process that is ending may be gone meanwhile. */
function readIfThere(path: string): Buffer {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
