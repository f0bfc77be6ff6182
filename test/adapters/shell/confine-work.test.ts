import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { confines, confineTo, forbidden, git, makeWorld, runFree, runIn, type World } from './confine-helpers.ts'
import { commandOf, never, shellOf, until } from './helpers.ts'

const real = test.skipIf(!confines)

/** What agents and gates do all day. Each ends with 0 and leaves what is forbidden alone. */
const work: readonly (readonly [string, string])[] = [
  ['commits', 'echo x > new && git add -A && git commit -qm new && git log --oneline | grep -q new'],
  [
    'branches, stashes, merges',
    'git add . && git commit -qm a && git switch -qc b && echo y > y && git add y && git stash -q && git stash pop -q && git commit -qm b && git switch -q main && git merge -q b',
  ],
  [
    'clones of the repository',
    'git commit -q --allow-empty -m a && git clone -q . copy && git -C copy config user.name B',
  ],
  [
    'worktrees of its own',
    'git commit -q --allow-empty -m a && git worktree add -q wt && echo x > wt/x && git -C wt add x && git -C wt commit -qm x && git worktree remove wt',
  ],
  [
    'an installation',
    'mkdir -p node_modules/.tmp-a/lib && echo x > node_modules/.tmp-a/lib/x && mv node_modules/.tmp-a node_modules/a && ln -s ../a/lib/x node_modules/.bin && chmod +x node_modules/a/lib/x',
  ],
  ['hard links inside', 'echo x > a && ln a b && rm a'],
  [
    'temp files',
    'f=$(mktemp) && d=$(mktemp -d) && echo x > "$f" && echo x > "$d/x" && case $f in "$TMPDIR"/*) ;; *) exit 1 ;; esac',
  ],
  [
    'locks and renames',
    'exec 9> db.lock && flock -n 9 && echo 1 > db.tmp && mv db.tmp db && echo 2 > db-journal && rm db-journal',
  ],
  ['a file of 10 MB', 'head -c 10485760 /dev/zero > big && [ $(wc -c < big) = 10485760 ]'],
  ['a cache in the home', 'mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/x && mv ~/.cache/tool ~/.cache/tool2'],
  ['handing over a result', 'echo x > "$RUN/attempts/result"'],
  ['reading everything', 'cat ~/.bashrc "$OUT/file" "$RUN/request.json" .git/config .pawl/config.yml > all'],
  [
    'devices, pipes, shared memory',
    'echo x | tee /dev/null > /dev/shm/x && mkfifo p && (cat p & echo x > p) && head -c 8 /dev/urandom > r',
  ],
  [
    'a server on the loopback',
    `"$NODE" -e 'const s = require("http").createServer((q, r) => r.end("x")).listen(0, "127.0.0.1", () => fetch("http://127.0.0.1:" + s.address().port).then((r) => r.text()).then(() => s.close()))'`,
  ],
  ['many processes', 'for i in 1 2 3 4 5 6 7 8; do (echo $i > f$i) & done; wait; [ $(ls f? | wc -l) = 8 ]'],
  ['clearing up', 'rm -rf source.txt .cache; git status -s > /dev/null'],
]

real.each(work)('possible: %s (skipped where bwrap cannot confine)', async (_, script) => {
  const world = makeWorld()
  const before = forbidden(world)
  expect(await runIn(world, script)).toMatchObject({ code: 0, stderrTail: '' })
  expect(forbidden(world)).toEqual(before)
})

async function expectHeld(world: World): Promise<void> {
  const before = forbidden(world)
  const script =
    'echo x > new && git add new && git commit -qm new && git log --format=%s; echo x > "$OUT/x"; echo x > .git/hooks/x'
  expect((await runIn(world, script)).stdoutTail).toBe('new\n')
  expect(forbidden(world)).toEqual(before)
  expect(existsSync(join(world.workspace, 'new'))).toBe(true)
}

real('a path with spaces, quotes and letters of all kinds', async () => {
  await expectHeld(makeWorld({ workspace: 'my wörk \'n "play" 作業 \\ $HOME', home: 'my home' }))
})

real('a workspace inside the home', async () => {
  const world = makeWorld({ workspace: 'home/projects/work' })
  const exit = await runIn(world, 'echo x > new; echo x > ~/.bashrc; echo x > ~/projects/other')
  expect(readFileSync(join(world.home, '.bashrc'), 'utf8')).toBe('as it was\n')
  expect(existsSync(join(world.home, 'projects/other'))).toBe(false)
  expect(readFileSync(join(world.workspace, 'new'), 'utf8')).toBe('x\n')
  expect(exit.stderrTail).toMatch(/Read-only file system/)
})

real('a home inside the workspace is part of it', async () => {
  const world = makeWorld({ home: 'work/home' })
  await runIn(world, 'echo x > ~/.bashrc; echo x > "$OUT/x"; echo x > "$RUN/request.json"')
  expect(readFileSync(join(world.home, '.bashrc'), 'utf8')).toBe('x\n')
  expect(existsSync(join(world.outside, 'x'))).toBe(false)
  expect(readFileSync(join(world.run, 'request.json'), 'utf8')).toBe('{}\n')
})

real('a workspace inside a writable folder cannot be replaced as a whole', async () => {
  const world = makeWorld({ workspace: 'home/.cache/a/job' })
  await runIn(
    world,
    'cd ~/.cache; mv a b; mv a/job a/old; mkdir -p a/job/.git/hooks; echo x > a/job/.git/hooks/pre-commit',
  )
  expect(existsSync(join(world.workspace, '.git/hooks/pre-commit'))).toBe(false)
})

real('a linked worktree: commits work, and hooks and configuration of its repository are held', async () => {
  const main = makeWorld()
  git(main.workspace, 'commit', '-q', '--allow-empty', '-m', 'first')
  git(main.workspace, 'worktree', 'add', '-q', join(main.root, 'linked'))
  git(main.workspace, 'worktree', 'add', '-q', join(main.root, 'other'))
  const workspace = join(main.root, 'linked')
  const run = join(workspace, '.pawl/runs/r1')
  mkdirSync(join(run, 'attempts'), { recursive: true })
  const world = { ...main, workspace, run, confine: confineTo({ ...main, workspace, run }) }
  const shown = () =>
    [
      join(workspace, '.git'),
      ...['linked', 'other'].map((name) => join(main.workspace, '.git/worktrees', name, 'commondir')),
    ].map((path) => readFileSync(path, 'utf8'))
  const before = [shown(), forbidden(main)]
  const script = `echo x > new && git add new && git commit -qm new && git log -1 --format=%s
    G=${main.workspace}/.git; for f in .git $G/hooks/x $G/config $G/commondir $G/worktrees/*/commondir; do echo evil > $f; done
    mv $G/worktrees $G/old; echo x > ${main.workspace}/source.txt`
  const exit = await runIn(world, script)
  expect(exit.stdoutTail).toBe('new\n')
  expect([shown(), forbidden(main)]).toEqual(before)
  expect(readFileSync(join(main.workspace, 'source.txt'), 'utf8')).toBe('source\n')
})

real('a submodule has hooks and a configuration too', async () => {
  const world = makeWorld()
  const module = join(world.workspace, '.git/modules/libs/one')
  mkdirSync(join(world.workspace, '.git/modules/libs'), { recursive: true })
  git(world.workspace, 'init', '-q', '--bare', module)
  const held = { ...world, confine: confineTo(world) }
  const config = readFileSync(join(module, 'config'), 'utf8')
  await runIn(
    held,
    'cd .git/modules; echo x > libs/one/config; echo x > libs/one/hooks/post-checkout; mv libs l2; mv libs/one libs/two',
  )
  expect(readFileSync(join(module, 'config'), 'utf8')).toBe(config)
  expect(existsSync(join(module, 'hooks/post-checkout'))).toBe(false)
})

real('a folder that is no repository does not become one with hooks', async () => {
  const world = makeWorld()
  rmSync(join(world.workspace, '.git'), { recursive: true })
  const exit = await runIn({ ...world, confine: confineTo(world) }, 'git init -q .')
  expect(exit.code).not.toBe(0)
  await until(() => !existsSync(join(world.workspace, '.git')))
})

real('a link inside the workspace does not widen it, however it is named', async () => {
  const world = makeWorld()
  symlinkSync(world.outside, join(world.workspace, 'out'))
  const confine = { ...world.confine, writable: [...world.confine.writable, join(world.workspace, 'out/folder')] }
  await runIn({ ...world, confine }, 'echo x > out/folder/new')
  expect(existsSync(join(world.outside, 'folder/new'))).toBe(false)
})

real("a person's own link to a folder elsewhere is followed", async () => {
  const world = makeWorld()
  mkdirSync(join(world.root, 'dotfiles'))
  symlinkSync(join(world.root, 'dotfiles'), join(world.home, '.codex'))
  expect(await runIn({ ...world, confine: confineTo(world) }, 'echo x > ~/.codex/auth.json')).toMatchObject({ code: 0 })
  expect(existsSync(join(world.root, 'dotfiles/auth.json'))).toBe(true)
})

real('a protected link is put back, and what it leads to is held', async () => {
  const world = makeWorld()
  mkdirSync(join(world.workspace, 'shared'))
  writeFileSync(join(world.workspace, 'shared/settings.json'), '{}')
  symlinkSync('shared', join(world.workspace, '.claude'))
  const held = { ...world, confine: confineTo(world) }
  await runIn(
    held,
    'echo evil > shared/settings.json; mv shared s2; rm .claude; mkdir .claude; echo evil > .claude/settings.json',
  )
  expect(readFileSync(join(world.workspace, '.claude/settings.json'), 'utf8')).toBe('{}')
  expect(readFileSync(join(world.workspace, 'shared/settings.json'), 'utf8')).toBe('{}')
})

real("an agent's login can be renewed, its settings for this person cannot be changed", async () => {
  const world = makeWorld()
  mkdirSync(join(world.home, '.claude'))
  writeFileSync(join(world.home, '.claude/settings.json'), '{}')
  const script = 'cd ~; echo 1 > .claude/t && mv .claude/t .claude/.credentials.json; echo 1 > .claude/settings.json'
  await runIn({ ...world, confine: confineTo(world) }, script)
  expect(readFileSync(join(world.home, '.claude/.credentials.json'), 'utf8')).toBe('1\n')
  expect(readFileSync(join(world.home, '.claude/settings.json'), 'utf8')).toBe('{}')
})

real('a file that is writable by itself can be rewritten but not replaced', async () => {
  const world = makeWorld()
  const file = join(world.home, '.cargo/.package-cache')
  mkdirSync(join(world.home, '.cargo'))
  writeFileSync(file, '{}')
  const inode = statSync(file).ino
  const script = 'echo 1 > ~/.cargo/.package-cache; echo 2 > "$TMPDIR/n"; mv -f "$TMPDIR/n" ~/.cargo/.package-cache'
  const exit = await runIn({ ...world, confine: confineTo(world) }, script)
  expect(exit.stderrTail).toMatch(/busy|Read-only/i)
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['1\n', inode])
})

real('the level is told: with bubblewrap, without being asked, and where it is switched off', async () => {
  const { confine } = makeWorld()
  expect(await shellOf('bubblewrap', { confine }).confinement()).toBe('bubblewrap')
  expect(await shellOf('bubblewrap').confinement()).toBe('none')
  expect(await shellOf('marker', { confine }).confinement()).toBe('none')
})

real('what cannot be done as asked is not begun', async () => {
  const world = makeWorld()
  const confine = { ...world.confine, writable: ['/'] }
  const exit = await runIn({ ...world, confine }, 'echo x > new')
  expect(exit).toMatchObject({ status: 'not-started', detail: expect.stringContaining('cannot confine') })
  expect(existsSync(join(world.workspace, 'new'))).toBe(false)
})

real('a command that does not exist, and one that is stopped, leave no stand-in either', async () => {
  const world = makeWorld()
  const missing = await runIn(world, '', { argv: ['/no/such-program'] })
  expect(missing).toMatchObject({ status: 'not-started', detail: 'no such program: /no/such-program' })
  expect(await runIn(world, 'sleep 60', { wallMs: 50 })).toMatchObject({ status: 'timed-out' })
  await until(() => !existsSync(join(world.workspace, '.codex')))
})

test('without confinement a command gets the temp folder of its environment', async () => {
  const world = makeWorld()
  const show = await runFree(world, 'printenv TMPDIR')
  expect(show).toMatchObject({ code: 1, stdoutTail: '' })
  const shell = shellOf('marker', { confine: world.confine })
  const env = { PATH: process.env.PATH!, TMPDIR: '/given' }
  expect((await shell.run(commandOf('printenv TMPDIR', { env }), never)).stdoutTail).toBe('/given\n')
})
