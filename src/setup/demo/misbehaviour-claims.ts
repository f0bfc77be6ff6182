import { isSame } from '../../adapters/shell/processes.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import type { Check, Crash, Evidence, Misbehaviour } from './evidence.ts'
import {
  askGit,
  hasProcessTable,
  listCommits,
  openEvidence,
  readAttempt,
  readEvents,
  readResult,
  readText,
} from './evidence.ts'
import { lie } from './script.ts'

type Misbehaved = Evidence & { readonly misbehaviour: Misbehaviour }

/** Claims about the lie, the cheat, the straggler, the crash and the limit, in order of time. */
export function misbehaviourClaims(seen: Misbehaved, store: Pick<RunStore, 'open'>): Check[] {
  const { straggler } = seen.misbehaviour
  const open = (): Promise<StoredRun> => openEvidence(store, seen)
  return [
    ...liarClaims(open),
    ...cheatClaims(seen, open),
    ...(hasProcessTable() ? [stragglerClaim(straggler)] : []),
    ...crashClaims(seen, open),
    limitClaim(open),
  ]
}

type Open = () => Promise<StoredRun>

const liarClaims = (open: Open): Check[] => [
  {
    says: 'S1: the tests rejected the lie',
    check: async () => {
      const { agentSaid, exitCode, verdict } = await readAttempt(await open(), 'S1', 1)
      const holds = agentSaid.includes(lie) && exitCode === 0 && verdict?.status === 'failed'
      return [
        holds,
        `the agent said "${agentSaid.trim()}" (exit ${String(exitCode)}); verdict: ${verdict?.detail ?? verdict?.status}`,
      ]
    },
  },
  {
    says: 'S1: the next attempt was told why',
    check: async () => {
      const run = await open()
      const { verdict } = await readAttempt(run, 'S1', 1)
      const next = await readAttempt(run, 'S1', 2)
      const [title = ''] = (await readText(run, verdict?.evidence)).split('\n', 1)
      const told = title !== '' && next.prompt.includes(title.replace(/^#+ /, ''))
      const holds = told && next.verdict?.status === 'passed'
      return [holds, `the critique is ${told ? '' : 'not '}in the prompt of attempt 2, which ${next.verdict?.status}`]
    },
  },
]

const cheatClaims = ({ repository }: Evidence, open: Open): Check[] => [
  {
    says: 'S2: the skipped test was reported',
    check: async () => {
      const { stories } = await readResult(await open())
      const named = stories.find(({ id }) => id === 'S2')?.tampering ?? []
      const found = named.map(({ kind, path, attempt }) => `${kind} in ${path}, attempt ${attempt}`)
      return [named.some(({ kind }) => kind === 'test-skipped'), `result.json: ${found.join('; ') || 'no tampering'}`]
    },
  },
  {
    says: 'S2: the skipped test was restored before the next attempt',
    check: async () => {
      const run = await open()
      const { tree } = await readAttempt(run, 'S2', 1)
      const { before } = await readAttempt(run, 'S2', 2)
      const skips = async (of: unknown): Promise<boolean> =>
        (await askGit(repository, 'show', `${String(of)}:test/S2.test.js`)).includes('test.skip')
      const [then, later] = [await skips(tree), await skips(before)]
      const words = (skipped: boolean): string => (skipped ? 'a skipped test' : 'no skipped test')
      return [then && !later, `test/S2.test.js: ${words(then)} after attempt 1, ${words(later)} before attempt 2`]
    },
  },
]

const stragglerClaim = (straggler: Misbehaviour['straggler']): Check => ({
  says: 'S2: the process that the agent left running was ended',
  check: () =>
    straggler
      ? [
          straggler.ended,
          `pid ${straggler.process.pid} ${straggler.ended ? 'had ended' : 'was running'} when S3 was at work`,
        ]
      : [false, 'no such process was seen'],
})

function crashClaims({ repository, misbehaviour: { crash } }: Misbehaved, open: Open): Check[] {
  const known = (then: (crash: Crash) => ReturnType<Check['check']>) => (): ReturnType<Check['check']> =>
    crash ? then(crash) : [false, 'the delivery ended before S3 was at work']
  const killed: Check = {
    says: 'S3: kill -9 hit pawl while its agent was at work',
    check: known(({ pid, signal, running }) => [
      signal === 'SIGKILL' && (running.length > 1 || !hasProcessTable()),
      `pid ${pid} was killed by ${signal}, with ${running.length} child processes`,
    ]),
  }
  const orphans: Check = {
    says: 'S3: its child processes are ended',
    check: known(({ running, survivors }) => {
      const left = running.filter(isSame).length
      return [left === 0, `${survivors} of ${running.length} survived the kill, ${left} are running now`]
    }),
  }
  const commits: Check = {
    says: 'S1 and S2 kept their commits',
    check: known(async ({ commits }) => {
      const now = await listCommits(repository)
      const holds = commits.length === 3 && commits.every((commit, index) => now[index] === commit)
      return [holds, now.map((commit) => commit.slice(0, 10)).join(', ')]
    }),
  }
  const attempts: Check = {
    says: 'S1 and S2 were not tried again',
    check: known(async ({ seq }) => {
      const events = await readEvents(await open())
      const later = events.filter((event) => event.seq > seq && event.type === 'attempt-started')
      const tried = later.map(({ task }) => task ?? '')
      return [later.length > 0 && !tried.some((task) => /S[12]$/.test(task)), `after event ${seq}: ${tried.join(', ')}`]
    }),
  }
  return [killed, ...(hasProcessTable() ? [orphans] : []), commits, attempts]
}

const limitClaim = (open: Open): Check => ({
  says: 'S3: the usage limit was waited out',
  check: async () => {
    const events = await readEvents(await open())
    const wait = events.find((event) => event.type === 'decision-made' && event.decision.do === 'wait')
    if (wait?.type !== 'decision-made' || wait.decision.do !== 'wait') return [false, 'there was no wait']
    const { until } = wait.decision
    const next = events.find((event) => event.seq > wait.seq && event.type === 'attempt-started')
    const holds = next?.task === 'S3' && next.at >= until
    return [holds, `the limit ended at ${formatTime(until)}, attempt ${next?.attempt} began at ${formatTime(next?.at)}`]
  },
})

const formatTime = (at: number | undefined): string =>
  at === undefined ? '-' : new Date(at).toISOString().slice(11, 23)
