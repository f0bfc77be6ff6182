// npm's hooks around packing: `node scripts/pack.ts prepack | postpack | prepublishOnly`.
import { join } from 'node:path'
import { restore, strip } from './manifest.ts'

const root = join(import.meta.dirname, '..')
const hook = process.argv[2]

if (hook === 'prepack') {
  strip(root)
  // The small package.json has no scripts, so npm runs no hook after a kill. This command restores it.
  console.error(
    'package.json is the published one until packing ends; if it is cut short: node scripts/pack.ts postpack',
  )
} else if (hook === 'postpack') restore(root)
else {
  // npm sends the registry the manifest it reads after postpack, which is the full one.
  console.error('publish the tarball, not the folder: npm pack, then npm publish <the .tgz>')
  process.exitCode = 1
}
