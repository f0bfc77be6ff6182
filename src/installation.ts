import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The installation folder, found by walking up to `bin/pawl.cjs`. The bundler decides where this code ends up, so no fixed
 * number of `..` works.
 */
const root = findRoot(import.meta.dirname)
const isSource = import.meta.filename.endsWith('.ts')

/** Returns the path of a file of the package, such as `bin/pawl.cjs`. */
export const packageFile = (path: string): string => join(root, path)

/** Returns the path of our own program to start as a process: `.js` if built, else `.ts`. */
export const ownProgram = (path: string): string => join(root, isSource ? `src/${path}.ts` : `dist/${path}.js`)

/** Returns the path of a folder of data, which the build copies: `built` in dist, `source` in src. */
export const dataFolder = (built: string, source: string): string =>
  join(root, ...(isSource ? ['src', source] : ['dist', built]))

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'bin', 'pawl.cjs')) || folder === dirname(folder)) return folder
  return findRoot(dirname(folder))
}
