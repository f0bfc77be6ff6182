// Reads a file in chunks of 1 MB: raw, or with every line parsed as JSON.
import { closeSync, openSync, readSync } from 'node:fs'

const [path, how] = process.argv.slice(2) as [string, 'raw' | 'parse']
const began = performance.now()
const file = openSync(path, 'r')
const chunk = Buffer.allocUnsafe(1 << 20)
const seq = how === 'raw' ? readRaw() : parseLines()
closeSync(file)
const ms = performance.now() - began
console.log(JSON.stringify({ ms, seq, peakMb: process.resourceUsage().maxRSS / 1024 }))

function readRaw(): number {
  for (;;) if (readSync(file, chunk, 0, chunk.length, null) === 0) return 0
}

function parseLines(): number {
  let rest = ''
  let last = 0
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, null)
    if (length === 0) return last
    const lines = (rest + chunk.toString('utf8', 0, length)).split('\n')
    rest = lines.pop()!
    for (const line of lines) last = (JSON.parse(line) as { seq: number }).seq
  }
}
