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

/** A text that is no JSON is returned as it is. */
async function readJson(content: Pick<RunContent, 'get'>, ref: Ref): Promise<Json | undefined> {
  try {
    const text = new TextDecoder().decode(await content.get(ref))
    return parseJson(text) ?? text
  } catch {
    return undefined
  }
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
