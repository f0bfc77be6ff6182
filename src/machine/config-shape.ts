import type { ConfigShape } from '../contract/config/shape.ts'
import type { ModeEntry } from '../run/mode.ts'

/** The keys that a configuration may have. Loaded when they are first asked for, since most commands read no configuration. */
export function openConfigShape(modes: readonly ModeEntry[]): () => Promise<ConfigShape> {
  let shape: Promise<ConfigShape> | undefined
  return () => (shape ??= loadConfigShape(modes))
}

async function loadConfigShape(modes: readonly ModeEntry[]): Promise<ConfigShape> {
  const { createConfigShape } = await import('../contract/config/shape.ts')
  return createConfigShape(await Promise.all(modes.map(async ({ settings }) => (await settings?.()) ?? {})))
}
