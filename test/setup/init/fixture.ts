import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Place } from '../../../src/run/paths.ts'

export type Files = Readonly<Record<string, string>>

export type Scratch = {
  readonly root: string
  readonly repo: string
  readonly place: Place
  write(files: Files): void
  /** A program on this place's PATH: a few lines of shell. */
  program(name: string, script: string): void
}

/** A repository, a home and a PATH of their own. A path that ends in / is a folder. */
export function scratch(files: Files = {}, env: Record<string, string> = {}): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-init-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [repo, home, bin] = ['repo', 'home', 'bin'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [repo, home, bin]) mkdirSync(folder)
  const write = (more: Files): void => {
    for (const [path, text] of Object.entries(more)) {
      const full = join(repo, path)
      if (path.endsWith('/')) mkdirSync(full, { recursive: true })
      else {
        mkdirSync(dirname(full), { recursive: true })
        writeFileSync(full, text)
      }
    }
  }
  const program = (name: string, script: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  write(files)
  const place: Place = { name: 'pawl', cwd: repo, home, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home, ...env } }
  return { root, repo, place, write, program }
}
