// The agent of a case: node agent.ts case.json
import { readFileSync } from 'node:fs'
import type { Case } from './case.ts'
import { applyCase } from './lay-out.ts'

applyCase(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Omit<Case, 'in'>, process.cwd(), process.env)
