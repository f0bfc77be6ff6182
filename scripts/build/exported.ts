import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

type Target = string | { readonly default: string }

/** Lists the modules that package.json exports, as paths in src without extension: `index`, `contract/line`. */
export function listExported(root: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, Target>
  }
  const targets = Object.values(exports).map((target) => (typeof target === 'string' ? target : target.default))
  return targets.flatMap((target) => {
    const name = /^\.\/dist\/(.*)\.js$/.exec(target)?.[1]
    if (name === undefined) return []
    return name.endsWith('/*') ? listModules(join(root, 'src'), name.slice(0, -2)) : [name]
  })
}

function listModules(src: string, folder: string): string[] {
  return readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.slice(0, -'.ts'.length).split(sep).join('/')}`)
    .sort()
}
