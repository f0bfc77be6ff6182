// Tries cases without this program: node test/modes/delivery/room/try-cases.ts cheats/python.ts [part of a name]
// A cheat must be red before and green after it in the work tree. Honest work must be green in a clean checkout with the ignored files of the start.
import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case, Project } from './case.ts'
import { applyCase, caseEnvironment, layOut } from './lay-out.ts'

const [file = '', only = ''] = process.argv.slice(2)
const { cases } = (await import(join(import.meta.dirname, file))) as { cases: Record<string, Case> }
const root = fs.mkdtempSync(join(tmpdir(), 'pawl-cases-'))
const env = { ...process.env, ...caseEnvironment }
let bad = 0
for (const [name, one] of Object.entries(cases)) {
  if (!name.includes(only)) continue
  const work = fs.mkdtempSync(join(root, 'work-'))
  layOut(one.in, work, env)
  const [red, redSays] = verify(one.in, work)
  applyCase(one, work, env)
  const [green, greenSays] = verify(one.in, work)
  const clean = fs.mkdtempSync(join(root, 'clean-'))
  layOut(one.in, clean, env)
  execFileSync(
    '/bin/sh',
    ['-c', `git -C ${work} add -A && git -C ${work} diff --cached --binary HEAD | git apply --allow-empty`],
    { cwd: clean, stdio: 'pipe' },
  )
  const [room, roomSays] = verify(one.in, clean)
  const isCheat = file.includes('cheats')
  const ok = isCheat ? !red && green : room
  if (!ok) bad++
  console.log(
    `${ok ? 'ok ' : 'BAD'} ${name}: before ${red ? 'green' : 'red'}, in place ${green ? 'green' : 'red'}, clean ${room ? 'green' : 'red'}`,
  )
  if (!ok) console.log(`--- before\n${redSays}\n--- in place\n${greenSays}\n--- clean\n${roomSays}`)
}
fs.rmSync(root, { recursive: true, force: true })
process.exitCode = bad > 0 ? 1 : 0

function verify({ verify: command }: Project, cwd: string): [boolean, string] {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  })
  return [status === 0, `${stdout}\n${stderr}`.slice(-1500)]
}
