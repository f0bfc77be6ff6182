import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acquireLease } from '../../src/adapters/stores/files/lease.ts'
import { until } from '../surfaces/cli/pawl.ts'
import { problemsAtEnd, problemsOfExit } from '../torture/delivery-checks.ts'
import { type Child, exitOf, startPawl } from '../torture/kill.ts'
import { newThreeStories, stories, type ThreeStories, type Way, ways } from '../torture/three-stories.ts'

function newDelivery(way: Way, moreAgent = ''): ThreeStories {
  const delivery = newThreeStories(way, { moreAgent })
  onTestFinished(delivery.remove)
  return delivery
}

function start({ repo, root, words }: ThreeStories): Child {
  const child = startPawl({ cwd: repo, home: root }, words)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hangInSecond = '[ "$PAWL_STORY_ID-$PAWL_ATTEMPT" = S2-1 ] && sleep 300'

test.each(ways)(
  '%s, killed in the second story: the same words bring it to its end',
  async (way) => {
    const delivery = newDelivery(way, hangInSecond)
    const doomed = start(delivery)
    await until(() => delivery.callsOf('S2') === 1, 'the agent of S2 is at work', 50_000)
    doomed.kill('SIGKILL')
    expect(await exitOf(doomed)).toBe(null)
    const heir = start(delivery)
    expect([await exitOf(heir), heir.said()]).toEqual([0, expect.not.stringContaining('unfinished')])
    expect([...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery))]).toEqual([])
    expect(stories.map(delivery.callsOf)).toEqual([2, 2, 1])
  },
  120_000,
)

describe('an out-dir that somebody owns', () => {
  const resultOf = ({ root }: ThreeStories): string | undefined => {
    const path = join(root, 'out', 'result.json')
    return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined
  }

  test('before it has a run: whoever comes second exits 10 and writes no result', async () => {
    const delivery = newDelivery('execute')
    fs.mkdirSync(join(delivery.root, 'out'))
    acquireLease(join(delivery.root, 'out'))
    const second = start(delivery)
    expect([await exitOf(second), second.said()]).toEqual([10, expect.stringContaining(`pid ${process.pid} on `)])
    expect(resultOf(delivery)).toBe(undefined)
  })

  test('after its run has succeeded: the result stays, and is the answer again once nobody owns it', async () => {
    const delivery = newDelivery('execute')
    expect(await exitOf(start(delivery))).toBe(0)
    const result = resultOf(delivery)
    const lease = acquireLease(join(delivery.root, 'out'))
    expect([await exitOf(start(delivery)), resultOf(delivery)]).toEqual([10, result])
    lease.release()
    expect([await exitOf(start(delivery)), problemsOfExit(delivery, 0)]).toEqual([0, []])
  })

  test('beside it another out-dir is told by its own result that the repository is taken', async () => {
    const delivery = newDelivery('execute')
    fs.mkdirSync(delivery.at('.git/pawl'))
    acquireLease(delivery.at('.git/pawl'))
    expect(await exitOf(start(delivery))).toBe(10)
    expect(JSON.parse(resultOf(delivery)!)).toMatchObject({ status: 'blocked', reason: 'blocked_dependency', exit: 10 })
  })
})

test('resume of a delivery waits for the repository as everybody does, unless it is told to take over', async () => {
  const delivery = newDelivery('deliver', hangInSecond)
  const doomed = start(delivery)
  await until(() => delivery.callsOf('S2') === 1, 'the agent of S2 is at work', 50_000)
  doomed.kill('SIGKILL')
  await exitOf(doomed)
  acquireLease(delivery.at('.git/pawl'))
  const refused = start({ ...delivery, words: ['resume', 'prd'] })
  expect([await exitOf(refused), refused.said()]).toEqual([10, expect.stringContaining('another run is working in')])
  expect(await exitOf(start({ ...delivery, words: ['resume', 'prd', '--take-over'] }))).toBe(0)
  expect([...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery))]).toEqual([])
})
