import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openMachine } from '../../../src/machine/open-machine.ts'
import type { Environment, Machine } from '../../../src/run/machine.ts'
import { modes } from '../../support/runs.ts'

export type Files = Readonly<Record<string, string>>

export type Scratch = {
  readonly root: string
  readonly repo: string
  readonly environment: Environment
  readonly machine: Machine
  write(files: Files): void
  /** A program on this machine's PATH: a few lines of shell. */
  program(name: string, script: string): void
}

/** A repository, a home and a PATH of their own. A path that ends in / is a folder. */
export function scratch(files: Files = {}, env: Record<string, string> = {}): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-init-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [repo, home, bin, temp] = ['repo', 'home', 'bin', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [repo, home, bin, temp]) mkdirSync(folder)
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
  const environment: Environment = {
    program: 'pawl',
    cwd: repo,
    home,
    // The programs are in the system's temporary folder, where none would be trusted.
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home, TMPDIR: temp, ...env },
    folder: '.pawl',
    stateFolder: join(home, '.local', 'state', 'pawl'),
  }
  return { root, repo, environment, machine: openMachine(environment, { modes }), write, program }
}
