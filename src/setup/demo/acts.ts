import { join } from 'node:path'
import { crashInStory3 } from './crash.ts'
import { askGit } from './git.ts'
import { storyCheck, wholeCheck } from './project.ts'
import type { Misbehaviour, Seen } from './seen.ts'
import type { Stage } from './stage.ts'

type Begun = Pick<Seen, 'repository' | 'plans' | 'first'>

/** The repository is made, and its PRD planned twice. */
export async function planTwice({ run, dir, repository }: Stage): Promise<Begun> {
  await run(['git', '-c', 'init.defaultBranch=main', 'init', '--quiet'])
  await run(['git', 'config', 'user.name', 'Demo'])
  await run(['git', 'config', 'user.email', 'demo@example.org'])
  await run(['git', 'add', '.'])
  await run(['git', 'commit', '--quiet', '-m', 'A PRD and its tests'])
  const plan = (folder: string) => ['pawl', 'plan', 'PRD.md', '--verify', storyCheck, '--out-dir', folder] as const
  await run(plan('../plan-1'), { variables: { LC_ALL: 'C', TZ: 'America/St_Johns' } })
  await run(plan('../plan-2'), { variables: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' }, lastLineOnly: true })
  const plans = [join(dir, 'plan-1', 'plan.json'), join(dir, 'plan-2', 'plan.json')] as const
  return { repository, plans, first: await askGit(repository, 'rev-parse', 'HEAD') }
}

const checks = ['--verify', storyCheck, '--verify-run', wholeCheck] as const

export async function deliver({ run }: Stage, agent: string): Promise<void> {
  await run(['pawl', 'deliver', 'PRD.md', '-v', '--agent', agent, ...checks, '--attempts', '3', '--max-time', '30m'])
}

/** The delivery is killed in the middle of its third story. */
export async function deliverAndCrash(stage: Stage, beforeKill: () => void): Promise<Misbehaviour> {
  return crashInStory3(stage, {
    start: () => stage.run(['pawl', 'deliver', 'PRD.md', '-v', '--agent', 'scripted', ...checks]),
    kill: async (pid) => {
      beforeKill()
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
  const newest = await newestRun()
  const found = newest && { id: newest.entry.id, dir: newest.entry.address }
  return { run: found, exits: { tests: tests.code, fsck: fsck.code } }
}
