import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Tests of the program run what is built, so it is built from what stands here; not again when nothing changed. */
export default function setup(): void {
  const help = join(root, 'dist', 'help.txt')
  const sources = ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  )
  const newest = Math.max(...sources.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
  if (existsSync(help) && statSync(help).mtimeMs > newest) return
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' })
}
