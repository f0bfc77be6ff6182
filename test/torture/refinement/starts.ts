import { setTimeout as delay } from 'node:timers/promises'
import type { RunFolder } from '../../support/runs.ts'
import { exitOf, killAfter, killLater } from '../kill.ts'
import { type Case, isDoomed } from './case.ts'
import { problemsOfResult } from './check-end.ts'
import { postTwo, type Say } from './posts.ts'
import { eventsIn } from './stage.ts'

/** One process or two at once, nearly always killed, while people have their say. How the one that was to be killed ended. */
export async function startOnce(c: Case, run: RunFolder | undefined, words: readonly string[]): Promise<number | null> {
  const { random, tally, problems } = c
  const isTwice = run !== undefined && random() < 0.12
  const posting = random() < 0.3 ? postWhenever(c, run) : undefined
  const dies = isDoomed(c) && (c.atEveryEvent || random() < 0.95)
  const first = dies ? startDoomed(c, run, words) : startSpared(c, words)
  const exits = await Promise.all(isTwice ? [first, startSpared(c, words)] : [first])
  await posting
  for (const { code, said } of exits) {
    if (code === null) tally.kills++
    else if (code === 10 && /\(pid \d+ on /.test(said)) tally.refused++
    else if (![0, 10, 20, 30, 130].includes(code)) problems.push(`exit ${code} of ${words.join(' ')}: ${said}`)
    else if (run && !isTwice && !posting) problems.push(...problemsOfResult(run, code))
  }
  return exits.some(({ code }) => code === null) ? null : exits.at(-1)!.code
}

type Exit = { readonly code: number | null; readonly said: string }

async function startSpared({ stage }: Case, words: readonly string[]): Promise<Exit> {
  const child = stage.start(words)
  return { code: await exitOf(child), said: child.said() }
}

/** At a line of the journal; before a call that changes something on disk; amid a call of a model; or at any time. */
async function startDoomed(c: Case, run: RunFolder | undefined, words: readonly string[]): Promise<Exit> {
  const { stage, random } = c
  const [how, which, when] = [random(), random(), random()]
  // The third line is one step further than going on alone, whatever that step is.
  const line = c.atEveryEvent ? 3 : 1 + Math.floor(which * which * 14)
  const atLine = `journal ${line} ${['before', 'after', 'torn'][Math.floor(when * 3)]}`
  const atCall = `disk ${1 + Math.floor(which * (run ? 90 : 140))}`
  const fatal = c.atEveryEvent || how < 0.45 ? atLine : how < 0.7 ? atCall : undefined
  const calls = stage.served().length + 1 + Math.floor(which * 4)
  const child = stage.start(words, fatal)
  const isCalling = (): boolean => stage.served().length >= calls
  const code = fatal
    ? await exitOf(child)
    : how < 0.92
      ? await killAfter(child, isCalling, when * 60)
      : await killLater(child, when * 900)
  return { code, said: child.said() }
}

/** Wherever the run is by then, and whether or not anybody is at work on it. */
async function postWhenever(c: Case, run: RunFolder | undefined): Promise<void> {
  const { stage, random } = c
  const wanted = eventsIn(run) + Math.floor(random() * 12)
  const deadline = Date.now() + random() * 1200
  const found = async (): Promise<RunFolder | undefined> => run ?? (await stage.runs())[0]
  while (eventsIn(await found()) < wanted && Date.now() < deadline) await delay(5)
  const known = await found()
  if (!known) return
  const stops = c.stops < 2 && random() < 0.12
  if (stops) c.stops++
  const say = (): Say => (random() < 0.6 && c.marks < 16 ? 'feedback' : 'pause')
  await postTwo(c, known, stops ? ['stop', random() < 0.5 ? 'stop' : say()] : [say(), say()])
}
