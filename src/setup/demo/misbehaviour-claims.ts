import { isSame } from '../../adapters/shell/processes.ts'
import { eventsOf } from '../../run/read-run.ts'
import type { Check } from './check.ts'
import { askGit, commitsOf } from './git.ts'
import { hasProcessTable } from './process-table.ts'
import { attemptIn, readResult, textOf } from './read-attempt.ts'
import { lie } from './script.ts'
import type { Crash, Misbehaviour, Seen } from './seen.ts'

type Misbehaved = Seen & { readonly misbehaviour: Misbehaviour }

/** The lie, the cheat, the straggler, the crash, the limit, in the order in which they happened. */
export function misbehaviourClaims(seen: Misbehaved): Check[] {
  const { straggler } = seen.misbehaviour
  return [
    ...liarClaims(seen),
    ...cheatClaims(seen),
    ...(hasProcessTable() ? [stragglerClaim(straggler)] : []),
    ...crashClaims(seen),
    limitClaim(seen),
  ]
}

const liarClaims = ({ run }: Seen): Check[] => [
  {
    says: 'S1: the liar was rejected by the tests, whatever it said',
    check: () => {
      const { agentSaid, exitCode, verdict } = attemptIn(run!.dir, 'S1', 1)
      const holds = agentSaid.includes(lie) && exitCode === 0 && verdict?.status === 'failed'
      return [
        holds,
        `it said "${agentSaid.trim()}", exit ${String(exitCode)}; verdict: ${verdict?.detail ?? verdict?.status}`,
      ]
    },
  },
  {
    says: 'S1: the next attempt was told why',
    check: () => {
      const { verdict } = attemptIn(run!.dir, 'S1', 1)
      const next = attemptIn(run!.dir, 'S1', 2)
      const [title = ''] = textOf(run!.dir, verdict?.evidence).split('\n', 1)
      const told = title !== '' && next.prompt.includes(title.replace(/^#+ /, ''))
      const holds = told && next.verdict?.status === 'passed'
      return [holds, `its critique is ${told ? '' : 'not '}in the prompt of attempt 2, which ${next.verdict?.status}`]
    },
  },
]

const cheatClaims = ({ repository, run }: Seen): Check[] => [
  {
    says: 'S2: the cheat is named',
    check: () => {
      const named = readResult(run!.dir).stories.find(({ id }) => id === 'S2')?.tampering ?? []
      const found = named.map(({ kind, path, attempt }) => `${kind} in ${path}, attempt ${attempt}`)
      return [named.some(({ kind }) => kind === 'test-skipped'), `result.json: ${found.join('; ') || 'nothing'}`]
    },
  },
  {
    says: 'S2: the test that it skipped was put back before the next attempt',
    check: async () => {
      const { tree } = attemptIn(run!.dir, 'S2', 1)
      const { before } = attemptIn(run!.dir, 'S2', 2)
      const skips = async (of: unknown): Promise<boolean> =>
        (await askGit(repository, 'show', `${String(of)}:test/S2.test.js`)).includes('test.skip')
      const [then, later] = [await skips(tree), await skips(before)]
      const words = (skipped: boolean): string => (skipped ? 'skips a test' : 'skips none')
      return [then && !later, `test/S2.test.js after attempt 1 ${words(then)}, before attempt 2 it ${words(later)}`]
    },
  },
]

const stragglerClaim = (straggler: Misbehaviour['straggler']): Check => ({
  says: 'S2: the process that its agent left behind was ended',
  check: () =>
    straggler
      ? [straggler.ended, `pid ${straggler.process.pid} was ${straggler.ended ? 'gone' : 'there'} when S3 was at work`]
      : [false, 'none was seen'],
})

function crashClaims({ repository, run, misbehaviour: { crash } }: Misbehaved): Check[] {
  const known = (then: (crash: Crash) => ReturnType<Check['check']>) => (): ReturnType<Check['check']> =>
    crash ? then(crash) : [false, 'the delivery was over before S3 was at work']
  const killed: Check = {
    says: 'S3: kill -9 hit pawl while its agent was at work',
    check: known(({ pid, signal, running }) => [
      signal === 'SIGKILL' && (running.length > 1 || !hasProcessTable()),
      `pid ${pid} ended by ${signal}, with ${running.length} processes below it`,
    ]),
  }
  const orphans: Check = {
    says: 'S3: what it left behind is ended',
    check: known(({ running, survivors }) => {
      const left = running.filter(isSame).length
      return [left === 0, `${survivors} of ${running.length} outlived it, ${left} are there now`]
    }),
  }
  const commits: Check = {
    says: 'S1 and S2 kept their commits',
    check: known(async ({ commits }) => {
      const now = await commitsOf(repository)
      const holds = commits.length === 3 && commits.every((commit, index) => now[index] === commit)
      return [holds, now.map((commit) => commit.slice(0, 10)).join(', ')]
    }),
  }
  const attempts: Check = {
    says: 'S1 and S2 were not tried again',
    check: known(({ seq }) => {
      const later = [...eventsOf(run!.dir)].filter((event) => event.seq > seq && event.type === 'attempt-started')
      const tried = later.map(({ task }) => task ?? '')
      return [later.length > 0 && !tried.some((task) => /S[12]$/.test(task)), `after event ${seq}: ${tried.join(', ')}`]
    }),
  }
  return [killed, ...(hasProcessTable() ? [orphans] : []), commits, attempts]
}

const limitClaim = ({ run }: Seen): Check => ({
  says: 'S3: the usage limit was waited out',
  check: () => {
    const events = [...eventsOf(run!.dir)]
    const wait = events.find((event) => event.type === 'decision-made' && event.decision.do === 'wait')
    if (wait?.type !== 'decision-made' || wait.decision.do !== 'wait') return [false, 'nobody waited']
    const { until } = wait.decision
    const next = events.find((event) => event.seq > wait.seq && event.type === 'attempt-started')
    const holds = next?.task === 'S3' && next.at >= until
    return [holds, `it ended at ${timeOf(until)}, attempt ${next?.attempt} began at ${timeOf(next?.at)}`]
  },
})

const timeOf = (at: number | undefined): string => (at === undefined ? '-' : new Date(at).toISOString().slice(11, 23))
