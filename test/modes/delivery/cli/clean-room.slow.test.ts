import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { until } from '../../../surfaces/cli/pawl.ts'
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
    expect((await inPlace.deliver(...words, '--no-clean-room')).code).toBe(0)
    const inRoom = newChecked(planter, env)
    expect((await inRoom.deliver(...words, '--clean-room')).code).not.toBe(0)
    expect(inRoom.titles()).toEqual(['begin'])
  })

  test('honest work is proven and committed, and nothing of the room remains', async () => {
    const person = newChecked(honest, env)
    const { code, out, err } = await person.deliver('--clean-room', '--red-baseline', 'accept')
    expect(code).toBe(0)
    expect(out + err).toContain('They run in a clean room')
    expect(person.result()).toMatchObject({ stories: [{ evidence: 'proven' }, { evidence: 'proven' }] })
    expect(person.titles()).toHaveLength(3)
    expect(fs.existsSync(join(person.dirOf(), 'room'))).toBe(false)
    expect(person.git('status', '--porcelain')).toBe('')
  })
})

test.runIf(canMountHere)(
  'killed with -9 while it verifies in the room: the same command goes on, and nothing remains',
  async () => {
    const mark = `room-${process.pid}`
    const verify = `test -e ${join(tmpdir(), mark)} && { touch ${join(tmpdir(), `${mark}-seen`)}; sleep 300; }; test -s {story_id}`
    const person = newPerson({ verify })
    const files = [mark, `${mark}-seen`].map((name) => join(tmpdir(), name))
    onTestFinished(() => {
      for (const file of files) fs.rmSync(file, { force: true })
    })
    fs.writeFileSync(files[0]!, '')
    const first = person.deliver('--clean-room', '--red-baseline', 'accept')
    await until(() => fs.existsSync(files[1]!), 'the verification has begun')
    first.child.kill('SIGKILL')
    await first
    fs.rmSync(files[0]!)
    expect(fs.existsSync(join(person.dirOf(), 'room', 'made'))).toBe(true)
    expect((await person.deliver('--clean-room', '--red-baseline', 'accept')).code).toBe(0)
    expect(person.titles()).toHaveLength(3)
    expect(fs.existsSync(join(person.dirOf(), 'room'))).toBe(false)
  },
)

/** A product in shell with a test, in a repository that an agent works on. */
function newTested(agent: readonly object[], sum: string) {
  const person = newPerson({ agent, verify: 'sh test/sum.test.sh' })
  fs.mkdirSync(join(person.workspace, 'test'))
  fs.writeFileSync(join(person.workspace, 'sum.sh'), sum)
  fs.writeFileSync(join(person.workspace, 'test', 'sum.test.sh'), 'test "$(sh sum.sh 2 3)" = 5\n')
  person.git('add', '.')
  person.git('commit', '-qm', 'sum')
  return person
}
const [right, wrong] = ['echo $(($1 + $2))\n', 'echo $(($1 - $2))\n']
const both = (write: Record<string, string>): object[] =>
  ['S1', 'S2'].map((task) => ({ when: { task }, write: { ...write, [`note-${task}`]: 'x\n' } }))

describe.runIf(canMountHere)('what a story shows in a clean room', () => {
  const evidenceOf = async (person: ReturnType<typeof newTested>, tampering: string): Promise<unknown[]> => {
    await person.deliver('--clean-room', '--red-baseline', 'accept', '--tampering', tampering, '--attempts', '1')
    const { stories } = person.result() as { stories: { evidence: string | null; status: string }[] }
    return stories.map(({ evidence, status }) => evidence ?? status)
  }

  test('a test that was made to pass is refused, whatever the policy', async () => {
    for (const tampering of ['block', 'warn']) {
      const person = newTested(both({ 'test/sum.test.sh': 'exit 0\n' }), wrong)
      expect((await evidenceOf(person, tampering))[0]).toBe('failed')
      expect(person.titles()).toEqual(['sum', 'begin'])
    }
  })

  test('a test that now asks for something else is rewritten: refused by default, named with warn', async () => {
    const other = { 'sum.sh': 'echo $(($1 * $2))\n', 'test/sum.test.sh': 'test "$(sh sum.sh 2 3)" = 6\n' }
    expect((await evidenceOf(newTested(both(other), right), 'block'))[0]).toBe('failed')
    const warned = newTested(both(other), right)
    expect((await evidenceOf(warned, 'warn'))[0]).toBe('rewritten')
    expect((await warned.run('show')).out).toContain('passed only with tests or settings that the story itself changed')
  })

  test('a new test that fails on the old product proves the story', async () => {
    const more = {
      'sum.sh': 'third=$3; echo $(($1 + $2 + third))\n',
      'test/sum.test.sh': 'test "$(sh sum.sh 2 3)" = 5 && test "$(sh sum.sh 1 2 3)" = 6\n',
    }
    expect((await evidenceOf(newTested(both(more), right), 'block'))[0]).toBe('proven_by_new_tests')
    expect((await evidenceOf(newTested(both({ 'sum.sh': right }), wrong), 'block'))[0]).toBe('proven')
  })
})
