// The table itself. A wish to change it is a design question: write the decision record.
import { isBuiltin } from 'node:module'

type Layer = {
  readonly layers: readonly string[]
  /** Packages by name, or by name to the one folder that may have it; 'any' but for those of the surfaces. */
  readonly packages: Readonly<Record<string, string>> | 'any'
  readonly builtins: readonly string[] | 'any'
}

const anywhere = ''
const surfacePackages = { commander: anywhere, hono: anywhere, '@hono/node-server': anywhere, picocolors: anywhere }
// node:path only computes. Everything else that a pure layer needs from outside comes through a port.
const pure = ['path', 'path/posix']
const belowSurfaces = ['contract', 'ports', 'kernel', 'prompts', 'evaluators', 'modes', 'adapters', 'app']

const table: Readonly<Record<string, Layer>> = {
  contract: { layers: [], packages: { zod: anywhere }, builtins: [] },
  ports: { layers: ['contract'], packages: {}, builtins: [] },
  kernel: { layers: ['contract', 'ports'], packages: {}, builtins: [] },
  prompts: { layers: ['contract'], packages: { liquidjs: anywhere }, builtins: pure },
  evaluators: { layers: ['contract', 'ports', 'prompts'], packages: {}, builtins: pure },
  modes: {
    layers: ['contract', 'ports', 'kernel', 'evaluators', 'prompts'],
    packages: { 'markdown-it': 'modes/delivery', diff: 'modes/writing' },
    builtins: pure,
  },
  adapters: { layers: ['contract', 'ports'], packages: 'any', builtins: 'any' },
  app: { layers: belowSurfaces, packages: 'any', builtins: 'any' },
  surfaces: { layers: ['contract', 'app'], packages: surfacePackages, builtins: 'any' },
  testing: { layers: [...belowSurfaces, 'surfaces'], packages: {}, builtins: 'any' },
  'main.ts': { layers: ['surfaces', 'app'], packages: {}, builtins: 'any' },
  'index.ts': { layers: belowSurfaces, packages: {}, builtins: [] },
}
const withSeparateFolders = ['modes', 'adapters', 'surfaces']

/** Why the file may not exist, or null. */
export function refuseFile(file: string): string | null {
  if (!table[layerOf(file)]) return `${layerOf(file)} is no layer of the table`
  if (/\/index\.[^/]*$/.test(file)) return 'a barrel: only src/index.ts may be an index'
  return null
}

/** Why `file` may not import this, or null. `target` is the file inside src that a relative path names. */
export function refuseImport(file: string, specifier: string | null, target: string | null): string | null {
  const name = layerOf(file)
  const layer = table[name]
  if (!layer) return null
  if (specifier === null) return layer.packages === 'any' ? null : `${name} may not import a computed path`
  if (target !== null) return refuseTarget(file, target, layer)
  if (isBuiltin(specifier)) return refuseBuiltin(file, specifier.replace(/^node:/, ''), layer)
  return refusePackage(file, specifier, layer)
}

function refuseTarget(file: string, target: string, layer: Layer): string | null {
  const [from, to] = [layerOf(file), layerOf(target)]
  if (to === '..' || to === '.') return `${target} is outside src`
  if (from !== to) return layer.layers.includes(to) ? null : `${from} may not import ${to}`
  const [folder, other] = [file.split('/')[1], target.split('/')[1]]
  if (withSeparateFolders.includes(from) && folder !== other) return `${from}/${folder} may not import ${from}/${other}`
  return null
}

/**
 * Besides the shell, two programs that run under it, whose children are therefore supervised like any agent's: the
 * scripted agent, which misbehaves on purpose, stray children included, and the bridge, which talks with its child.
 */
const mayStartProcesses = (file: string): boolean =>
  file.startsWith('adapters/shell/') || ['adapters/scripted/fork.ts', 'adapters/acp/bridge.ts'].includes(file)

/** A hash only computes; the rest of node:crypto brings chance, so it is one file that may have it. */
const mayHash = (file: string): boolean => file === 'evaluators/sha256.ts'

function refuseBuiltin(file: string, name: string, { builtins }: Layer): string | null {
  if (name === 'child_process' && !mayStartProcesses(file)) return 'child_process only in adapters/shell'
  if (name === 'crypto' && mayHash(file)) return null
  return builtins === 'any' || builtins.includes(name) ? null : `${layerOf(file)} may not import node:${name}`
}

function refusePackage(file: string, specifier: string, { packages }: Layer): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (/^(pawl$|#|\/|\w+:)/.test(name)) return `${specifier}: import the file by its relative path`
  const allowed = packages === 'any' ? !(name in surfacePackages) || file.startsWith('adapters/') : name in packages
  if (!allowed) return `${layerOf(file)} may not import the package ${name}`
  const folder = packages === 'any' ? anywhere : packages[name]!
  return folder === anywhere || file.startsWith(`${folder}/`) ? null : `the package ${name} only in ${folder}`
}

function layerOf(file: string): string {
  return file.split('/')[0]!
}
