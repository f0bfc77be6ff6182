import { join } from 'node:path'
import { crashInStory3 } from './crash.ts'
import { askGit } from './git.ts'
import { storyCheck, wholeCheck } from './project.ts'
import type { Misbehaviour, Seen } from './seen.ts'
import type { Audience, Stage } from './stage.ts'

/** The repository is made, and its PRD planned twice. */
export async function planTwice({
  run,
  dir,
  repository,
}: Stage): Promise<Pick<Seen, 'repository' | 'plans' | 'first'>> {
  await run(['git', '-c', 'init.defaultBranch=main', 'init', '--quiet'])
  await run(['git', 'config', 'user.name', 'Demo'])
  await run(['git', 'config', 'user.email', 'demo@example.org'])
  await run(['git', 'add', '.'])
  await run(['git', '-c', 'commit.gpgSign=false', 'commit', '--quiet', '-m', 'A PRD and its tests'])
  const plan = (folder: string) => ['pawl', 'plan', 'PRD.md', '--verify', storyCheck, '--out-dir', folder] as const
  await run(plan('../plan-1'), { variables: { LC_ALL: 'C', TZ: 'America/St_Johns' } })
  await run(plan('../plan-2'), { variables: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' }, lastLineOnly: true })
  const plans = [join(dir, 'plan-1', 'plan.json'), join(dir, 'plan-2', 'plan.json')] as const
  return { repository, plans, first: await askGit(repository, 'rev-parse', 'HEAD') }
}

const deliverBy = (agent: string, ...more: string[]) =>
  [
    'pawl',
    'deliver',
    'PRD.md',
    '-v',
    '--agent',
    agent,
    '--verify',
    storyCheck,
    '--verify-run',
    wholeCheck,
    ...more,
  ] as const

export async function deliver({ run }: Stage, agent: string): Promise<void> {
  await run(deliverBy(agent, '--attempts', '3', '--max-time', '30m'))
}

/** The delivery is killed in the middle of its third story. */
export async function deliverAndCrash(stage: Stage, audience: Audience): Promise<Misbehaviour> {
  const about = 'S3 is at work: its agent hangs and has started a daemon. Pawl is killed as no program can prevent.'
  return crashInStory3(stage, {
    start: () => stage.run(deliverBy('scripted')),
    kill: async (pid) => {
      audience.act('3 of 5: kill -9', about)
      await stage.run(['kill', '-9', String(pid)])
    },
  })
}

export async function goOn({ run }: Stage): Promise<void> {
  await run(['pawl', 'why'])
  await run(['pawl', 'resume', '-v'])
}

export async function lookAtIt({ run, newestRun }: Stage): Promise<Pick<Seen, 'run' | 'exits'>> {
  const tests = await run(['node', '--test'])
  await run(['git', 'log', '--oneline'])
  await run(['git', 'log', '-1', '--format=%B'])
  await run(['git', 'status', '--short', '--branch'])
  await run(['pawl', 'show'])
  await run(['pawl', 'why'])
  const fsck = await run(['pawl', 'fsck'])
  return { run: newestRun(), exits: { tests: tests.code, fsck: fsck.code } }
}
