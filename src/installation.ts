import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder that this program is installed in. Found by walking up to `bin/pawl.cjs`, because a bundler decides where this code ends up:
 * no fixed number of `..` is right in `src`, in a plain build and in a bundle.
 */
const root = findRoot(import.meta.dirname)
const isSource = import.meta.filename.endsWith('.ts')

/** The path of a file of the package, such as `bin/pawl.cjs`. */
export const packageFile = (path: string): string => join(root, path)

/** The path of a program of ours that is started as a process of its own: `.ts` in a checkout that is not built, `.js` once built. */
export const ownProgram = (path: string): string => join(root, isSource ? `src/${path}.ts` : `dist/${path}.js`)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'bin', 'pawl.cjs')) || folder === dirname(folder)) return folder
  return findRoot(dirname(folder))
}
