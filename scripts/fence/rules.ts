// The table of rooms and what each may import. Changing it is a design decision: write a decision record.
import { isBuiltin } from 'node:module'

type Room = {
  /** Rooms that it may import; `own/` is the mode's own folder. */
  readonly rooms: readonly string[]
  readonly packages: readonly string[] | 'any'
  readonly builtins: readonly string[] | 'any'
}

/** Builtins of pure rooms, which only compute. They get everything else as arguments. */
const pure = ['path', 'path/posix']
const values = ['contract', 'kernel', 'judging', 'show']
const surfacePackages = ['commander', 'hono', '@hono/node-server', 'zod']

/** The longest matching path applies. `*` is one folder: `modes/*` is every mode. */
const table: Readonly<Record<string, Room>> = {
  contract: { rooms: [], packages: ['zod'], builtins: [] },
  ports: { rooms: ['contract'], packages: [], builtins: [] },
  kernel: { rooms: ['contract', 'ports'], packages: [], builtins: [] },
  show: { rooms: ['contract', 'kernel'], packages: ['zod'], builtins: [...pure, 'util'] },
  calls: { rooms: ['contract', 'ports', 'kernel'], packages: [], builtins: [] },
  judging: { rooms: ['contract', 'ports'], packages: ['diff', 'zod'], builtins: pure },
  run: { rooms: ['contract', 'ports', 'kernel', 'show'], packages: ['zod'], builtins: [...pure, 'crypto', 'os'] },
  'modes/*/contract': { rooms: ['contract'], packages: ['zod'], builtins: [] },
  'modes/*/core': {
    rooms: [...values, 'own/contract'],
    packages: ['zod', 'markdown-it', 'jsonc-parser'],
    builtins: pure,
  },
  'modes/*/show': { rooms: [...values, 'own/contract', 'own/core'], packages: ['zod'], builtins: pure },
  'modes/*/work': {
    rooms: [...values, 'ports', 'calls', 'own/contract', 'own/core'],
    packages: ['zod'],
    builtins: pure,
  },
  'modes/*/cli': {
    rooms: [...values, 'ports', 'run', 'config', 'surfaces/terminal', 'surfaces/repl', 'own'],
    packages: [],
    builtins: 'any',
  },
  /** The rest of a mode, such as `start` and `mode.ts`, which may do I/O. */
  'modes/*': {
    rooms: [...values, 'ports', 'calls', 'run', 'config', 'installation.ts', 'own'],
    packages: ['zod', 'jsonc-parser', 'yaml', 'liquidjs', 'docx', 'markdown-it'],
    builtins: 'any',
  },
  'adapters/stores/*': { rooms: ['contract', 'ports', 'adapters/stores/shared'], packages: 'any', builtins: 'any' },
  'adapters/postgres': {
    rooms: ['contract', 'ports', 'adapters/stores/shared'],
    packages: 'any',
    builtins: 'any',
  },
  'adapters/*': { rooms: ['contract', 'ports'], packages: 'any', builtins: 'any' },
  config: { rooms: ['contract', 'show'], packages: ['zod', 'yaml', 'jsonc-parser'], builtins: 'any' },
  machine: {
    rooms: ['contract', 'ports', 'kernel', 'run', 'config', 'adapters', 'installation.ts'],
    packages: ['zod'],
    builtins: 'any',
  },
  setup: {
    rooms: ['contract', 'ports', 'kernel', 'show', 'run', 'config', 'adapters', 'machine', 'installation.ts'],
    packages: ['zod'],
    builtins: 'any',
  },
  'surfaces/terminal': {
    rooms: ['contract', 'ports', 'kernel', 'show', 'run', 'config'],
    packages: ['string-width'],
    builtins: 'any',
  },
  'surfaces/*': {
    rooms: [
      'contract',
      'ports',
      'kernel',
      'show',
      'run',
      'config',
      'setup',
      'surfaces/terminal',
      'surfaces/web',
      'installation.ts',
    ],
    packages: surfacePackages,
    builtins: 'any',
  },
  testing: {
    rooms: ['contract', 'ports', 'kernel', 'judging', 'show', 'run', 'adapters', 'modes'],
    packages: [],
    builtins: 'any',
  },
  'installation.ts': { rooms: [], packages: [], builtins: 'any' },
  'main.ts': {
    rooms: ['contract', 'ports', 'run', 'machine', 'modes', 'config', 'adapters', 'surfaces'],
    packages: [],
    builtins: 'any',
  },
  'index.ts': {
    rooms: ['contract', 'ports', 'kernel', 'run', 'machine', 'modes', 'adapters'],
    packages: [],
    builtins: [],
  },
}

export const roomNames: readonly string[] = Object.keys(table)

/** Finds the table entry for a file: its key, and the folder that matches the key. */
export function findRoom(file: string): { readonly key: string; readonly folder: string } | undefined {
  const parts = file.split('/')
  for (let length = parts.length; length > 0; length--) {
    const path = parts.slice(0, length)
    for (const key of [path.join('/'), starred(path)]) if (table[key]) return { key, folder: path.join('/') }
  }
  return undefined
}

// `modes/delivery/core` becomes `modes/*/core`, `adapters/stores/files` becomes `adapters/stores/*`.
function starred(path: readonly string[]): string {
  if (path[0] === 'modes') return ['modes', '*', ...path.slice(2)].slice(0, path.length).join('/')
  return path.length < 2 ? path.join('/') : [...path.slice(0, -1), '*'].join('/')
}

/** Returns why the file may not exist, or null. */
export function refuseFile(file: string): string | null {
  if (!findRoom(file)) return `${file.split('/')[0]} is not a room of the table`
  if (/\/index\.[^/]*$/.test(file)) return 'a barrel: only src/index.ts may be an index'
  return null
}

/** Returns why `file` may not import this, or null. `target` is the file in src that a relative path names. */
export function refuseImport(file: string, specifier: string | null, target: string | null): string | null {
  const found = findRoom(file)
  if (!found) return null
  const room = table[found.key]!
  if (specifier === null) return room.packages === 'any' ? null : `${found.folder} may not import a computed path`
  if (target !== null) return refuseTarget(file, target)
  if (isBuiltin(specifier)) return refuseBuiltin(file, specifier.replace(/^node:/, ''))
  return refusePackage(file, specifier)
}

function refuseTarget(file: string, target: string): string | null {
  if (target.startsWith('../')) return `${target} is outside src`
  const { key, folder } = findRoom(file)!
  const [from, to] = [folder, findRoom(target)?.folder ?? target]
  if (isInside(target, from)) return null
  const own = from.startsWith('modes/') ? from.split('/').slice(0, 2).join('/') : from
  const allowed = table[key]!.rooms.map((room) => room.replace(/^own/, own))
  return allowed.some((room) => isInside(target, room)) ? null : `${from} may not import ${to}`
}

const isInside = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`)

/**
 * The shell, and two programs that run under its supervision: the scripted agent, which leaves stray children on purpose,
 * and the bridge, which talks with its child process.
 */
const mayStartProcesses = (file: string): boolean =>
  file.startsWith('adapters/shell/') || ['adapters/scripted/fork.ts', 'adapters/acp/bridge.ts'].includes(file)

/** A hash is pure, but the rest of node:crypto is random, so only one file of a pure room may import it. */
const mayHash = (file: string): boolean => file === 'judging/sha256.ts'

function refuseBuiltin(file: string, name: string): string | null {
  const { key, folder } = findRoom(file)!
  const { builtins } = table[key]!
  if (name === 'child_process' && !mayStartProcesses(file)) return 'child_process only in adapters/shell'
  if (name === 'crypto' && mayHash(file)) return null
  return builtins === 'any' || builtins.includes(name) ? null : `${folder} may not import node:${name}`
}

/** Packages that only these folders may import. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  'markdown-it': ['modes/delivery/core', 'modes/writing/export'],
  diff: ['judging/text'],
  docx: ['modes/writing/export'],
  liquidjs: ['modes/writing'],
  commander: ['surfaces/cli'],
  'string-width': ['surfaces/terminal'],
  yaml: ['config', 'modes/writing/project'],
}

function refusePackage(file: string, specifier: string): string | null {
  const { key, folder } = findRoom(file)!
  const { packages } = table[key]!
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (/^(pawl$|#|\/|\w+:)/.test(name)) return `${specifier}: import the file by its relative path`
  if (packages !== 'any' && !packages.includes(name)) return `${folder} may not import the package ${name}`
  const only = onlyIn[name]
  if (only === undefined || packages === 'any' || only.some((room) => isInside(file, room))) return null
  return `the package ${name} only in ${only.join(', ')}`
}
