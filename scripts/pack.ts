// npm's hooks around packing: `node scripts/pack.ts prepack | postpack | prepublishOnly`.
import { join } from 'node:path'
import { restore, strip } from './manifest.ts'

const root = join(import.meta.dirname, '..')
const hook = process.argv[2]

if (hook === 'prepack') {
  strip(root)
  // With no scripts in package.json npm runs no hook, so after a kill this is the way back.
  console.error(
    'package.json is the published one until packing ends; if it is cut short: node scripts/pack.ts postpack',
  )
} else if (hook === 'postpack') restore(root)
else {
  // npm tells the registry the manifest that it reads after postpack, which is the one with everything in it.
  console.error('publish the tarball, not the folder: npm pack, then npm publish <the .tgz>')
  process.exitCode = 1
}
