import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Every way in which `plan` and `execute` can leave an out-dir. docs/contract.md explains each one. */
export const outDirNames = [
  'success',
  'success-unproven',
  'success-tampering',
  'plan-generation-failed',
  'agent-exit-nonzero',
  'agent-timeout',
  'story-verification-failed',
  'run-verification-failed',
  'attempt-budget-exhausted',
  'run-timeout',
  'blocked-dependency',
  'agent-blocked',
  'asked',
  'interrupted',
  'cancelled',
  'killed',
  'invalid-input',
  'not-saved',
  'wait-exhausted',
] as const
export type OutDirName = (typeof outDirNames)[number]

export type OutDir = {
  /** The exit code; null if the program was killed. */
  readonly exit: number | null
  /** File contents by path. */
  readonly files: Readonly<Record<string, string>>
}

/** Loads an out-dir recorded with the scripted agent. Times, ids and paths are replaced. */
export function readOutDir(name: OutDirName): OutDir {
  const recorded = readFileSync(new URL(`./out-dirs/${name}.json`, import.meta.url), 'utf8')
  const { exit, files } = JSON.parse(recorded) as Pick<OutDir, 'exit'> & { files: Record<string, string[]> }
  return { exit, files: Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, lines.join('\n')])) }
}

/** Writes a recorded out-dir to a folder, to test programs that read out-dirs. Returns its exit code. */
export function writeOutDir(name: OutDirName, dir: string): number | null {
  const { exit, files } = readOutDir(name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return exit
}
