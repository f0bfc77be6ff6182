import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contentFolder, type FileArtifacts, openArtifacts } from '../adapters/stores/files/artifacts.ts'
import { sealArtifacts } from '../adapters/stores/files/sealed-artifacts.ts'
import type { RunRequest } from '../contract/request.ts'
import { openKeys } from '../machine/keys.ts'
import { bindMode } from './modes.ts'
import type { Place } from './paths.ts'

/** The content of a run: sealed where it is what people wrote, and plain where it is prompts and output of agents. */
export function openContent(
  place: Place,
  dir: string,
  { run, sealed, isNew }: { readonly run: string; readonly sealed: boolean; readonly isNew: boolean },
): FileArtifacts {
  const artifacts = openArtifacts(dir)
  if (!sealed) return artifacts
  const make = isNew && !existsSync(join(dir, contentFolder))
  return sealArtifacts(artifacts, { run, key: openKeys(place, { make }).content })
}

/**
 * The content of a run that is gone on with. Its key is the one that its brief was sealed with: what another one would seal now, nobody
 * could read together with the rest.
 */
export function openRunContent(place: Place, dir: string, request: RunRequest): FileArtifacts {
  const proof = bindMode(request).use((mode, own) => mode.sealedBy(own))
  const content = openContent(place, dir, { run: request.run_id, sealed: proof !== undefined, isNew: false })
  if (proof) content.getNow(proof)
  return content
}

/** The same for whoever only ends it, which needs no key: what cannot be opened stays closed. */
export function openContentToEnd(place: Place, dir: string, request: RunRequest): FileArtifacts {
  try {
    return openRunContent(place, dir, request)
  } catch (error) {
    const refuse = (): never => {
      throw error
    }
    return { ...openArtifacts(dir), put: async () => refuse(), get: async () => refuse(), getNow: refuse }
  }
}
