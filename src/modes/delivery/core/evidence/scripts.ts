import { parseObject } from './parts.ts'
import { isCalled } from './roles.ts'

/**
 * The scripts of the given package.json files that commands run, and those that these run: whose names they contain. Others, such as one that
 * starts the program, ask nothing.
 */
export function pickScripts(manifests: readonly string[], commands: readonly string[]): readonly string[] {
  const all = manifests.flatMap((text) => Object.entries(readScripts(text)))
  const picked = new Set<string>()
  const open = [...commands]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const words = new Set(
      text
        .slice(0, maxLength)
        .replace(/\bnpm (?:t|tst)\b/g, 'npm test')
        .match(word) ?? [],
    )
    const families = [...words].filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1))
    for (const [name, script] of all) {
      const names = [name, name.replace(/^(?:pre|post)/, '')]
      const isRun = names.some((one) => words.has(one) || families.some((family) => one.startsWith(family)))
      if (!isRun || picked.has(script)) continue
      picked.add(script)
      open.push(script)
    }
  }
  return [...picked]
}
const word = /(?<![^\s"'])[\w:.-]+\*?(?![^\s"';&|)])/g
const maxLength = 65_536

function readScripts(manifest: string): Readonly<Record<string, string>> {
  const { scripts } = (parseObject(manifest) ?? {}) as { readonly scripts?: unknown }
  const rows = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {})
  return Object.fromEntries(rows.flatMap(([name, script]) => (typeof script === 'string' ? [[name, script]] : [])))
}

/** Whether commands name a test by its path, a pattern or a folder. `scripts` are those that they run. */
export function isAskedFor(path: string, commands: readonly string[], scripts: readonly string[]): boolean {
  const texts = [...commands, ...scripts].map((text) => text.slice(0, maxLength).replace(scriptCall, ''))
  const folders = texts
    .flatMap((text) => text.match(/[\w@./+*?{}-]+/g) ?? [])
    .map((one) => one.replace(/^(?:\.\/)+|\/+$/g, ''))
  return isCalled(path, texts) || folders.some((folder) => folder !== '' && path.startsWith(`${folder}/`))
}
/** Names a script or a target, not a folder. */
const scriptCall = /\b(?:make|go|cargo|npm|pnpm|yarn|bun)\s+(?:run\s+|run-script\s+)?[\w:-]+/g
