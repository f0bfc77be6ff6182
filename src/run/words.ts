import type { Json, Ref } from '../contract/values.ts'
import type { RunContent } from './run.ts'

export type PreloadedContent = {
  get(ref: Ref): Json | undefined
  load(refs: readonly Ref[]): Promise<void>
}

/** Loads content for use in lines ahead of time. Content that cannot be read or may not be shown is left out. */
export function preloadContent(content: Pick<RunContent, 'get'>, mayShow: boolean): PreloadedContent {
  const known = new Map<string, Json | undefined>()
  return {
    get: ({ path }) => known.get(path),
    load: async (refs) => {
      if (!mayShow) return
      for (const ref of refs) {
        if (!known.has(ref.path)) known.set(ref.path, await readJson(content, ref))
      }
    },
  }
}

async function readJson(content: Pick<RunContent, 'get'>, ref: Ref): Promise<Json | undefined> {
  try {
    return JSON.parse(new TextDecoder().decode(await content.get(ref))) as Json
  } catch {
    return undefined
  }
}
