import { importsOf } from '../fence/imports.ts'
import { resolveImport } from '../fence/sources.ts'
import { tokensOf } from '../fence/tokens.ts'

export type ModeName = { readonly mode: string; readonly line: number }

/** In the configuration, `procedure` is also the name of a tier. */
const isTier = (file: string, word: string): boolean => file.startsWith('config/') && word === 'procedure'

/** Finds where a file imports from a mode's folder or contains a mode's name as a string. */
export function findModeNames(file: string, source: string, modes: readonly string[]): ModeName[] {
  const imported = importsOf(source).map((one) => {
    const [folder, mode] = resolveImport(file, one)?.split('/') ?? []
    return { mode: folder === 'modes' ? mode : undefined, line: one.line }
  })
  const quoted = tokensOf(source)
    .filter(({ kind, text }) => kind === 'string' && !isTier(file, text))
    .map(({ text, line }) => ({ mode: text, line }))
  return [...imported, ...quoted].flatMap(({ mode, line }) =>
    mode !== undefined && modes.includes(mode) ? [{ mode, line }] : [],
  )
}
