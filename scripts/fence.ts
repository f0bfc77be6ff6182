// `node scripts/fence.ts [src]` prints each import that the architecture forbids as file:line: reason.
import { join, relative, resolve } from 'node:path'
import { checkFence } from './fence/check.ts'

const src = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'src'))
const violations = checkFence(src)
for (const { file, line, reason } of violations) console.error(`${join(relative('.', src), file)}:${line}: ${reason}`)
if (violations.length > 0) process.exitCode = 1
