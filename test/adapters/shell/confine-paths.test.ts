import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspacePaths } from '../../../src/adapters/shell/confine-run.ts'
import { agentPaths, cachePaths } from '../../../src/adapters/shell/home-paths.ts'
import { type Confine, planMounts } from '../../../src/adapters/shell/mounts.ts'
import { folder } from './helpers.ts'

let count = 0
function makeRoot(...folders: string[]): string {
  count += 1
  const root = join(folder, `plan-${count}`)
  for (const name of folders) mkdirSync(join(root, name), { recursive: true })
  return root
}

function plan(root: string, confine: Partial<Confine>) {
  const under = (paths: readonly string[] = []) => paths.map((path) => (path === '' ? root : join(root, path)))
  const { mounts, loose } = planMounts({
    writable: under(confine.writable),
    protectedFolders: under(confine.protectedFolders),
    protectedFiles: under(confine.protectedFiles),
  })
  const short = (path: string) => path.slice(root.length + 1)
  return {
    mounts: mounts.map(({ path, as }) => `${as} ${short(path)}`.trim()),
    loose: loose.map(({ path, target }) => `${short(path)} ${target}`),
  }
}

test('the deeper of two rules counts, and a redundant rule needs no mount', () => {
  const root = makeRoot('w/a/b/c', 'w/x')
  const rules = { writable: ['w', 'w/x', 'w/a/b/c'], protectedFolders: ['w/a', 'w/a/b', 'elsewhere'] }
  expect(plan(root, rules).mounts).toEqual(['writable w', 'read-only w/a', 'writable w/a/b/c'])
})

test('of two equal paths the protected one counts', () => {
  expect(plan(makeRoot('w'), { writable: ['w'], protectedFolders: ['w'] }).mounts).toEqual([])
})

test('every writable folder above a protected path is held in its place', () => {
  const root = makeRoot('w/a/b/c')
  const { mounts } = plan(root, { writable: ['w'], protectedFolders: ['w/a/b/c'] })
  expect(mounts).toEqual(['writable w', 'writable w/a', 'writable w/a/b', 'read-only w/a/b/c'])
})

test('a missing folder gets a stand-in at its first missing part, a missing file is watched', () => {
  const root = makeRoot('w/a')
  const { mounts, loose } = plan(root, {
    writable: ['w', 'missing'],
    protectedFolders: ['w/b/c/d'],
    protectedFiles: ['w/a/file', 'w/b/file'],
  })
  expect(mounts).toEqual(['writable w', 'stand-in w/b', 'writable w/a'])
  expect(loose).toEqual(['w/a/file null'])
})

test('links: a person’s is followed, one in a writable folder is not, a protected one is remembered', () => {
  const root = makeRoot('w/real', 'elsewhere', 'home')
  symlinkSync('../elsewhere', join(root, 'home/link'))
  symlinkSync('../elsewhere', join(root, 'w/link'))
  symlinkSync('real', join(root, 'w/inside'))
  symlinkSync('loop', join(root, 'w/loop'))
  expect(plan(root, { writable: ['w', 'home/link'] }).mounts).toEqual(['writable w', 'writable elsewhere'])
  expect(plan(root, { writable: ['w', 'w/link'] }).mounts).toEqual(['writable w'])
  const guarded = plan(root, { writable: ['w'], protectedFolders: ['w/inside', 'w/link', 'w/loop/x'] })
  expect(guarded.mounts).toEqual(['writable w', 'read-only w/real'])
  expect(guarded.loose.sort()).toEqual(['w/inside real', 'w/link ../elsewhere', 'w/loop loop'])
})

test('a file in the place of a protected folder is protected itself', () => {
  const root = makeRoot('w')
  writeFileSync(join(root, 'w/.git'), 'gitdir: elsewhere')
  expect(plan(root, { writable: ['w'], protectedFolders: ['w/.git/hooks'] }).mounts).toEqual([
    'writable w',
    'read-only w/.git',
  ])
})

test('all of the system cannot be writable', () => {
  expect(() => planMounts({ writable: ['/'], protectedFolders: [], protectedFiles: [] })).toThrow('/')
})

test('a workspace: what speaks for the run, runs unasked or steers agents is protected, the rest is not', () => {
  const git = {
    repositories: ['/w/.git', '/w/.git/modules/m'],
    worktree: null,
    otherWorktrees: ['/w/.git/worktrees/o'],
  }
  const paths = workspacePaths({ workspace: '/w', stateFolders: ['.pawl'], git })
  expect(paths.writable).toEqual(expect.arrayContaining(['/w', '/w/.pawl/prompts']))
  expect(paths.protectedFolders).toEqual(
    expect.arrayContaining(['/w/.pawl', '/w/.git/hooks', '/w/.git/modules/m/hooks', '/w/.git/worktrees/o']),
  )
  expect(paths.protectedFolders).toEqual(expect.arrayContaining(['/w/.claude/hooks', '/w/.codex']))
  expect(paths.protectedFiles).toEqual(
    expect.arrayContaining(['/w/.mcp.json', '/w/opencode.json', '/w/.git/config', '/w/.git/modules/m/config']),
  )
})

test('a home: state and downloads are writable, programs and start files are not', () => {
  const writable = [...agentPaths('/h', {}).writable, ...cachePaths('/h', {})]
  for (const path of ['/h/.claude', '/h/.codex', '/h/.local/share/opencode', '/h/.npm', '/h/.cache']) {
    expect(writable).toContain(path)
  }
  for (const path of ['/h', '/h/.cargo', '/h/.cargo/bin', '/h/go', '/h/.local', '/h/.config', '/h/.ssh']) {
    expect(writable).not.toContain(path)
  }
  const moved = { CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/d', XDG_CACHE_HOME: '/e', CARGO_HOME: 'relative' }
  expect(agentPaths('/h', moved).writable).toEqual(expect.arrayContaining(['/c', '/d', '/e/opencode']))
  const { protectedFiles, copiedFiles } = agentPaths('/h', moved)
  expect(protectedFiles).toEqual(expect.arrayContaining(['/c/config.toml', '/d/settings.json']))
  expect(copiedFiles).toContain('/d/.claude.json')
  expect(agentPaths('/h', {}).copiedFiles).toContain('/h/.claude.json')
  expect(cachePaths('/h', moved)).toEqual(expect.arrayContaining(['/e', '/h/.cargo/registry']))
})
