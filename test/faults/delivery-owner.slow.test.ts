import { expect, onTestFinished, test } from 'vitest'
import { until } from '../cli/pawl.ts'
import { problemsAtEnd, problemsOfExit } from '../torture/delivery-checks.ts'
import { type Child, exitOf, startPawl } from '../torture/kill.ts'
import { newThreeStories, stories, type ThreeStories, type Way, ways } from '../torture/three-stories.ts'

function newDelivery(way: Way, moreAgent = ''): ThreeStories {
  const delivery = newThreeStories(way, moreAgent)
  onTestFinished(delivery.remove)
  return delivery
}

function start({ repo, root, words }: ThreeStories): Child {
  const child = startPawl({ cwd: repo, home: root }, words)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hangInSecond = '[ "$PAWL_STORY_ID-$PAWL_ATTEMPT" = S2-1 ] && sleep 300\ntrue\n'

test.each(ways)('%s, killed in the second story: the same words bring it to its end', async (way) => {
  const delivery = newDelivery(way, hangInSecond)
  const doomed = start(delivery)
  await until(() => delivery.callsOf('S2') === 1, 'the agent of S2 is at work')
  doomed.kill('SIGKILL')
  expect(await exitOf(doomed)).toBe(null)
  const heir = start(delivery)
  expect([await exitOf(heir), heir.said()]).toEqual([0, expect.not.stringContaining('unfinished')])
  expect([...problemsOfExit(delivery, 0), ...problemsAtEnd(delivery)]).toEqual([])
  expect(stories.map(delivery.callsOf)).toEqual([2, 2, 1])
})
