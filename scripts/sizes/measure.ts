// Limits for file sizes. The kernel stays small enough to be read in one sitting.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export type SourceFile = { readonly file: string; readonly lines: number; readonly widest: number }

const driver = 'kernel/run.ts'
const columns = 120

/** Returns one sentence for each limit that these files exceed. */
export function brokenBounds(files: readonly SourceFile[]): string[] {
  const sizes = files.map((one) => one.lines).sort((a, b) => a - b)
  const kernel = files.filter(({ file }) => file.startsWith('kernel/'))
  const pure = sum(kernel.filter(({ file }) => file !== driver))
  const longest = files.filter(({ lines }) => lines > 300)
  return [
    ...above(`the median file`, quantile(sizes, 0.5), 80),
    ...above(`the ninth file in ten`, quantile(sizes, 0.9), 200),
    ...longest.flatMap(({ file, lines }) => above(file, lines, 300)),
    ...above(`the kernel's pure part`, pure, 400),
    ...above(driver, sum(kernel) - pure, 280),
    // Very long lines, which the formatter cannot break, would hide the size.
    ...kernel.filter(({ widest }) => widest > columns).map(({ file }) => `${file} has a line over ${columns} columns`),
  ]
}

export function measure(src: string): SourceFile[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const lines = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n')
      const widest = Math.max(...lines.map((line) => line.length))
      return { file: relative(src, path).split(sep).join('/'), lines: lines.length, widest }
    })
}

function above(what: string, lines: number, bound: number): string[] {
  return lines > bound ? [`${what} has ${lines} lines; the bound is ${bound}`] : []
}

/** Returns the size at this percentile of the files; 0 if there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}

function sum(files: readonly SourceFile[]): number {
  return files.reduce((total, { lines }) => total + lines, 0)
}
