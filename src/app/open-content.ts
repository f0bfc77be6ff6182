import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contentFolder, type FileArtifacts, openArtifacts } from '../adapters/files/artifacts.ts'
import { sealArtifacts } from '../adapters/files/sealed-artifacts.ts'
import { openKeys } from './keys.ts'
import type { Place } from './paths.ts'

/** The content of a run: sealed where it is what people wrote, and plain where it is prompts and output of agents. */
export function openContent(
  place: Place,
  dir: string,
  { run, sealed }: { readonly run: string; readonly sealed: boolean },
): FileArtifacts {
  const artifacts = openArtifacts(dir)
  if (!sealed) return artifacts
  const make = !existsSync(join(dir, contentFolder))
  return sealArtifacts(artifacts, { run, key: openKeys(place, { make }).content })
}

/** Always, not only while it waits for somebody. */
export const sealsContent = ({ mode }: { readonly mode: string }): boolean => mode === 'refinement'
