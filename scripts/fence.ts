// `node scripts/fence.ts [src]` prints each import that the architecture forbids as file:line: reason.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { checkFence, withoutExceptions } from './fence/check.ts'

const own = join(import.meta.dirname, '..', 'src')
const src = resolve(process.argv[2] ?? own)
const list = join(import.meta.dirname, 'fence', 'exceptions.txt')
const exceptions = src === own && existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
const violations = withoutExceptions(checkFence(src), exceptions)
for (const { file, line, reason } of violations) console.error(`${join(relative('.', src), file)}:${line}: ${reason}`)
if (violations.length > 0) process.exitCode = 1
