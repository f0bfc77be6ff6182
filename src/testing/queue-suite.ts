import assert from 'node:assert/strict'
import type { AfterTurn, NewTurn, Queue, Turn, WorkOptions } from '../ports/queue.ts'
import type { Case } from './journal-suite.ts'

export type QueueUnderTest = {
  /** Opens the same queue again, like another process. */
  open(): Promise<Queue>
  /** Prepares what a queue needs to know of a run before it is added, such as its row in a database. */
  prepare(turns: readonly NewTurn[]): Promise<void>
}

type Worker = { readonly taken: Turn[]; stop(): Promise<void> }

/** The contract of every queue. Each case gets an empty queue. Run each case with any test function. */
export function queueSuite(make: () => Promise<QueueUnderTest>): Case[] {
  const suite: [string, (subject: QueueUnderTest) => Promise<void>][] = [
    ['a run that was added gets one turn, and is gone when it has ended', oneTurn],
    ['turns are given by priority, then by age', byPriority],
    ['a worker takes no more at once than it may, in total and per mode', limited],
    ['a run gets another turn at the time that it asks for', again],
    ['a sleeping run gets no turn until it is added again', asleep],
    ['a run that is added during its turn gets another one', addedMeanwhile],
    ['caps to reopen a run with reach its next turn only', reopened],
    ['a turn that fails is tried again', failed],
    ['a worker that is told to stop ends its turns and takes no more', drained],
    ['several workers share the runs: each run gets one turn', shared],
    ['a worker takes only runs of its modes', onlyModes],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await make()) }))
}

let made = 0
const newTurn = (more: Partial<NewTurn> = {}): NewTurn => ({ run: `q${++made}`, mode: 'any', ...more })

async function add(subject: QueueUnderTest, queue: Queue, turns: readonly NewTurn[]): Promise<void> {
  await subject.prepare(turns)
  await queue.add(turns)
}

const ended: AfterTurn = { is: 'ended' }

function startWorker(
  queue: Queue,
  take: (turn: Turn, count: number) => AfterTurn | Promise<AfterTurn> = () => ended,
  options: Partial<WorkOptions> = {},
): Worker {
  const stopping = new AbortController()
  const taken: Turn[] = []
  const work = queue.work(
    { concurrency: 1, onProblem: () => {}, ...options, signal: stopping.signal },
    async (turn) => {
      taken.push(turn)
      return take(turn, taken.length)
    },
  )
  return {
    taken,
    async stop() {
      stopping.abort()
      await work
    },
  }
}

async function until(over: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await over()); await new Promise((resolve) => setTimeout(resolve, 10))) {
    assert.ok(Date.now() < end, 'timed out')
  }
}

const runs = (turns: readonly { readonly run: string }[]): string[] => turns.map(({ run }) => run)

async function oneTurn(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turn = newTurn({ priority: 3 })
  await add(subject, queue, [turn])
  await queue.add([{ run: turn.run, mode: turn.mode }])
  const [listed] = await queue.list()
  assert.deepEqual([listed?.run, listed?.mode, listed?.priority, listed?.problem], [turn.run, 'any', 3, undefined])
  const worker = startWorker(queue)
  await until(async () => (await queue.list()).length === 0)
  await worker.stop()
  assert.deepEqual(runs(worker.taken), [turn.run])
  assert.ok(worker.taken[0]!.job.length > 0)
}

async function byPriority(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const [first, second, urgent] = [newTurn(), newTurn(), newTurn({ priority: 5 })]
  for (const turn of [first, second, urgent]) await add(subject, queue, [turn])
  const worker = startWorker(queue)
  await until(() => worker.taken.length === 3)
  await worker.stop()
  assert.deepEqual(runs(worker.taken), runs([urgent, first, second]))
}

async function limited(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turns = [...Array.from({ length: 6 }, () => newTurn({ mode: 'a' })), newTurn({ mode: 'b' })]
  await add(subject, queue, turns)
  const active = { a: 0, b: 0 } as Record<string, number>
  const most = { a: 0, b: 0, all: 0 }
  const worker = startWorker(
    queue,
    async ({ mode }) => {
      active[mode]!++
      most.a = Math.max(most.a, active.a!)
      most.b = Math.max(most.b, active.b!)
      most.all = Math.max(most.all, active.a! + active.b!)
      await new Promise((resolve) => setTimeout(resolve, 50))
      active[mode]!--
      return ended
    },
    { concurrency: 3, perMode: { a: 2 } },
  )
  await until(() => worker.taken.length === 7)
  await worker.stop()
  assert.ok(most.a <= 2 && most.all <= 3, JSON.stringify(most))
}

async function again(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  await add(subject, queue, [newTurn()])
  const at = Date.now() + 1500
  const times: number[] = []
  const worker = startWorker(queue, () => {
    times.push(Date.now())
    return times.length === 1 ? { is: 'again', at } : ended
  })
  await until(() => times.length === 1)
  await until(async () => (await queue.list())[0]?.due === at)
  await until(() => times.length === 2)
  await worker.stop()
  // Two clocks may differ by a moment.
  assert.ok(times[1]! >= at - 50)
}

async function asleep(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const [sleeper, other] = [newTurn({ priority: 1 }), newTurn()]
  await add(subject, queue, [sleeper, other])
  let naps = 0
  const worker = startWorker(queue, ({ run }) => (run === sleeper.run && naps++ === 0 ? { is: 'asleep' } : ended))
  await until(async () => (await queue.list()).length === 1)
  await until(async () => (await queue.list())[0]!.due === undefined)
  await queue.add([sleeper])
  await until(async () => (await queue.list()).length === 0)
  await worker.stop()
  assert.deepEqual(runs(worker.taken), runs([sleeper, other, sleeper]))
}

async function addedMeanwhile(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turn = newTurn()
  await add(subject, queue, [turn])
  for (const after of [ended, { is: 'asleep' } as const]) {
    const worker = startWorker(queue, async (_turn, count) => {
      if (count > 1) return ended
      await queue.add([turn])
      return after
    })
    await until(async () => worker.taken.length === 2 && (await queue.list()).length === 0)
    await worker.stop()
    if (after === ended) await queue.add([turn])
  }
}

async function reopened(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turn = newTurn({ reopen: { caps: { tasks: 9 } } })
  await add(subject, queue, [turn])
  const worker = startWorker(queue, (_turn, count) => (count === 1 ? { is: 'again', at: Date.now() } : ended))
  await until(async () => (await queue.list()).length === 0)
  await worker.stop()
  assert.deepEqual(
    worker.taken.map(({ reopen }) => reopen),
    [{ caps: { tasks: 9 } }, undefined],
  )
}

async function failed(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  await add(subject, queue, [newTurn()])
  const problems: string[] = []
  const worker = startWorker(
    queue,
    (_turn, count) => {
      if (count === 1) throw new Error('no agent here')
      return ended
    },
    { onProblem: (text) => problems.push(text) },
  )
  await until(async () => (await queue.list()).length === 0)
  await worker.stop()
  assert.equal(worker.taken.length, 2)
  assert.match(problems[0]!, /no agent here/)
}

async function drained(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turns = [newTurn({ priority: 1 }), newTurn()]
  await add(subject, queue, turns)
  const gate = Promise.withResolvers<void>()
  const worker = startWorker(queue, async () => {
    await gate.promise
    return ended
  })
  await until(() => worker.taken.length === 1)
  assert.equal((await queue.workers()).length, 1)
  const stopped = worker.stop()
  gate.resolve()
  await stopped
  assert.deepEqual(runs(await queue.list()), [turns[1]!.run])
  assert.deepEqual([worker.taken.length, await queue.workers()], [1, []])
}

async function shared(subject: QueueUnderTest): Promise<void> {
  const queues = [await subject.open(), await subject.open()]
  const turns = Array.from({ length: 30 }, () => newTurn())
  await add(subject, queues[0]!, turns)
  const workers = queues.map((queue) => startWorker(queue, () => ended, { concurrency: 3 }))
  await until(async () => (await queues[0]!.list()).length === 0)
  for (const worker of workers) await worker.stop()
  const taken = runs(workers.flatMap((worker) => worker.taken))
  assert.deepEqual(taken.toSorted(), runs(turns).toSorted())
}

async function onlyModes(subject: QueueUnderTest): Promise<void> {
  const queue = await subject.open()
  const turns = [newTurn({ mode: 'a', priority: 1 }), newTurn({ mode: 'b' })]
  await add(subject, queue, turns)
  const worker = startWorker(queue, () => ended, { modes: ['b'], concurrency: 2 })
  await until(async () => (await queue.list()).length === 1)
  await worker.stop()
  assert.deepEqual(runs(worker.taken), [turns[1]!.run])
}
