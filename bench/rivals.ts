import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type Loop, promptText, type Workspace } from './workspace.ts'

/** Another project's loop, unchanged and without its pause after each iteration. */
export type Rival = {
  readonly name: string
  readonly rest: string
  readonly durability: string
  readonly resting: Loop
  readonly restless: Loop
}

/** Runs a copy of ralph.sh, because it reads its prompt from its own folder and writes there. */
export function ralph(path: string, { around, bin }: Workspace): Rival {
  const folder = join(around, 'ralph')
  const sleepless = join(around, 'sleepless')
  mkdirSync(folder)
  mkdirSync(sleepless)
  const script = join(folder, 'ralph.sh')
  copyFileSync(path, script)
  writeFileSync(join(folder, 'CLAUDE.md'), promptText)
  writeFileSync(join(sleepless, 'sleep'), '#!/bin/sh\n')
  chmodSync(join(sleepless, 'sleep'), 0o755)
  const argv: Loop['argv'] = (iterations) => ['bash', script, '--tool', 'claude', String(iterations)]
  return {
    name: 'ralph.sh',
    rest: 'sleep 2',
    durability: 'nothing kept',
    resting: { argv, env: { PATH: pathWith(bin) } },
    restless: { argv, env: { PATH: pathWith(sleepless, bin) } },
  }
}

/** `folder` is where `npm install ralph-tui bun` was run. */
export function ralphTui(folder: string, { bin }: Workspace): Rival {
  const manifest = readFileSync(join(folder, 'node_modules', 'ralph-tui', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const env = { PATH: pathWith(bin, resolve(folder, 'node_modules', '.bin')) }
  const quietly = ['--headless', '--no-setup', '--no-notify', '--force']
  const what = ['--prd', 'prd.json', '--agent', 'claude', '--iterations']
  const argv: Loop['argv'] = (iterations) => ['ralph-tui', 'run', ...quietly, ...what, String(iterations)]
  return {
    name: `ralph-tui ${version}`,
    rest: 'its delay of 1 s',
    durability: 'session file synced',
    resting: { argv, env },
    restless: { argv: (iterations) => [...argv(iterations), '--delay', '0'], env },
  }
}

const pathWith = (...folders: readonly string[]): string => [...folders, process.env.PATH].join(delimiter)
