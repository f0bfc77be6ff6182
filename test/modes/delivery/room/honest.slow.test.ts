import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import type { HonestCase } from './case.ts'
import { cases as compiled } from './honest/compiled.ts'
import { cases as javascript } from './honest/javascript.ts'
import { cases as python } from './honest/python.ts'
import { cases as repositories } from './honest/repositories.ts'
import { judgeCase } from './judge-case.ts'
import { caseEnvironment, isInstalled, layOut } from './lay-out.ts'

const kinds: Readonly<Record<string, Readonly<Record<string, HonestCase>>>> = {
  javascript,
  python,
  compiled,
  repositories,
}

describe.runIf(canMountHere).each(Object.entries(kinds))('honest work: %s', (_kind, cases) => {
  const here = Object.entries(cases).filter(([, { in: project }]) => project.needs.every(isInstalled))
  test.skipIf(here.length > 0)('what it needs is not installed', ({ skip }) => skip())
  test.for(here)('%s', async ([name, one]) => {
    const { evidence, because, runs, said, commit, workspace } = await judgeCase(one)
    const how = `${evidence}: ${because} [${runs.join(', ')}]`
    if (process.env.PAWL_SHOW)
      appendFileSync(
        process.env.PAWL_SHOW,
        `${one.shows.includes(evidence) ? 'ok ' : 'BAD'} ${name} (${one.shows.join(', ')}) -> ${how}\n`,
      )
    expect(one.shows, `${how}\n${said}`).toContain(evidence)
    if (commit !== null) expect(verifyElsewhere(one, workspace, commit)).toBe(0)
  })
})

/** Checks the commit out in another folder, beside the ignored files of the start, and verifies it again. */
function verifyElsewhere({ in: project }: HonestCase, workspace: string, commit: string): number | null {
  const all = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-elsewhere-')))
  const [folder, home] = [join(all, 'work'), join(all, 'home')]
  const env = { ...process.env, ...caseEnvironment, HOME: home }
  try {
    for (const path of [folder, home]) mkdirSync(path)
    layOut(project, folder, env)
    const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: folder, env, stdio: 'pipe' })
    git('fetch', '--quiet', '--tags', '--force', '--recurse-submodules=no', workspace, commit)
    const stored = join(workspace, '.git', 'lfs')
    if (existsSync(stored)) cpSync(stored, join(folder, '.git', 'lfs'), { recursive: true })
    git('checkout', '--quiet', '--force', commit)
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update')
    return spawnSync('/bin/sh', ['-c', project.verify], { cwd: folder, env, stdio: 'ignore' }).status
  } finally {
    rmSync(all, { recursive: true, force: true })
  }
}
