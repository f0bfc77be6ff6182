import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newPerson } from './person.ts'
import { honest } from './santiago.ts'

/** A check in an ignored folder, as runners in `node_modules/.bin` are. */
const check = 'test -s "$1"\n'

function newChecked(agent: readonly object[], env: Record<string, string> = {}) {
  const person = newPerson({ agent, verify: 'sh tools/check.sh {story_id}', ignore: 'tools/\n', env })
  fs.mkdirSync(join(person.workspace, 'tools'))
  fs.writeFileSync(join(person.workspace, 'tools', 'check.sh'), check)
  return person
}

const planter = ['S1', 'S2'].map((task) => ({
  when: { task },
  write: { 'tools/check.sh': 'exit 0\n', [`note-${task}`]: 'x\n' },
}))

describe.runIf(canMountHere).each([
  ['without a sandbox', {}],
  ['in the sandbox', { PAWL_SANDBOX: 'auto' }],
])('a clean room, %s', (_name, env) => {
  test('a check that the agent replaced in an ignored folder proves nothing', async () => {
    const words = ['--tampering', 'warn', '--red-baseline', 'accept', '--attempts', '1']
    const inPlace = newChecked(planter, env)
    expect((await inPlace.deliver(...words)).code).toBe(0)
    const inRoom = newChecked(planter, env)
    expect((await inRoom.deliver(...words, '--clean-room')).code).not.toBe(0)
    expect(inRoom.titles()).toEqual(['begin'])
  })

  test('honest work is proven and committed, and nothing of the room remains', async () => {
    const person = newChecked(honest, env)
    const { code } = await person.deliver('--clean-room', '--red-baseline', 'accept')
    expect(code).toBe(0)
    expect(person.result()).toMatchObject({ stories: [{ evidence: 'proven' }, { evidence: 'proven' }] })
    expect(person.titles()).toHaveLength(3)
    expect(fs.existsSync(join(person.dirOf(), 'room'))).toBe(false)
    expect(person.git('status', '--porcelain')).toBe('')
  })
})
