// `node scripts/sizes.ts` prints the sizes of the source files and the limits they exceed.
import { join } from 'node:path'
import { brokenBounds, measure } from './sizes/measure.ts'

const files = measure(join(import.meta.dirname, '..', 'src'))
for (const { file, lines } of [...files].sort((a, b) => b.lines - a.lines).slice(0, 10))
  console.log(`${lines}\t${file}`)
const broken = brokenBounds(files)
for (const reason of broken) console.error(reason)
if (broken.length > 0) process.exitCode = 1
