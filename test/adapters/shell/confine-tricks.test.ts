import { expect, test } from 'vitest'
import { confines, forbidden, makeWorld, runFree, runIn } from './confine-helpers.ts'

/** Each of these changes something outside when nothing holds it, which is tried first. */
const tricks: readonly (readonly [string, string])[] = [
  ['a plain write', 'echo x > "$OUT/new"'],
  ['a write through ..', 'echo x > "$WORK/../outside/new"'],
  ['appending to a file', 'echo x >> "$OUT/file"'],
  ['deleting a file', 'rm -f "$OUT/file"'],
  ['changing a mode', 'chmod 777 "$OUT/file"'],
  ['a link out of the workspace', 'ln -s "$OUT" out; echo x > out/new'],
  ['a link to a file outside', 'ln -s "$OUT/file" out; echo x >> out'],
  ['a hard link to a file outside', 'ln "$OUT/file" mine && echo x >> mine'],
  ['a move out', 'mv source.txt "$OUT/"'],
  ['a move in', 'mv "$OUT/file" .'],
  ['the way round through /proc/self/root', 'echo x > "/proc/self/root$OUT/new"'],
  ['the way round through /proc/1/root', 'echo x > "/proc/1/root$OUT/new"'],
  ['the way round through the working folder', 'cd /; echo x > "/proc/self/cwd$OUT/new"'],
  ['a start file of the shell', 'echo x >> ~/.bashrc'],
  ['a new start file of the shell', 'echo x > ~/.profile'],
  ['a key to log in with', 'echo x > ~/.ssh/authorized_keys'],
  ['a configuration of git for this person', 'echo x > ~/.gitconfig'],
  ['moving a folder of the home away', 'mv ~/.ssh ~/.ssh2'],
  ['growing the journal', 'echo x >> "$RUN/progress.ndjson"'],
  ['another request', 'echo x > "$RUN/request.json"'],
  ['another request, by a move', 'echo x > r && mv -f r "$RUN/request.json"'],
  ['a note to oneself', 'mkdir -p "$RUN/inbox" && echo {} > "$RUN/inbox/1.json"'],
  ["the next owner's lease", 'echo {} > "$RUN/lease-2"'],
  ['moving the run away', 'mv "$RUN" elsewhere'],
  ['moving all runs away', 'mv .pawl/runs elsewhere'],
  ['moving the folder of all that', 'mv .pawl elsewhere'],
  ['other commands in the configuration', 'echo x > .pawl/config.yml'],
  ['a hook that did not exist', 'echo x > .git/hooks/pre-commit'],
  ['other hooks, by a move', 'mv .git/hooks .git/old; mkdir .git/hooks'],
  ['.git moved away and another one made', 'mv .git old && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit'],
  ['.git replaced by a file', 'rm -rf .git; echo "gitdir: old" > .git'],
  ["git's configuration", 'git config core.fsmonitor "touch $OUT/new"'],
  ["git's configuration, by a move", 'echo x > c && mv -f c .git/config'],
  ['git sent elsewhere for its configuration', 'echo ../evil > .git/commondir'],
  ["an agent's hooks", 'mkdir -p .claude/hooks && echo x > .claude/hooks/stop.sh'],
  ["an agent's settings", 'mkdir -p .claude && echo {} > .claude/settings.json'],
  ["another agent's configuration", 'mkdir -p .codex && echo x > .codex/config.toml'],
  ['one in the place of a folder', 'echo x > .opencode'],
  ['servers for an agent to start', 'echo {} > .mcp.json'],
  ['a link in the place of a protected file', 'ln -s source.txt opencode.json'],
  ['a pipe in the place of a protected file', 'mkfifo .mcp.json'],
  ['a folder in the place of a protected file', 'mkdir opencode.json'],
  ['deleting the workspace', 'rm -rf "$WORK"'],
  ['deleting all that can be seen', 'rm -rf "$ROOT"'],
  ['a daemon that stays', '(setsid nohup sh -c \'echo x > "$OUT/new"\' &) ; sleep 0.1'],
  ['cleared environment', 'env -i OUT="$OUT" sh -c \'echo x > "$OUT/new"\''],
]

test.skipIf(!confines).each(tricks)('held: %s (skipped where bwrap cannot confine)', async (_, script) => {
  const free = makeWorld()
  const before = forbidden(free)
  await runFree(free, script)
  expect(forbidden(free)).not.toEqual(before)

  const held = makeWorld()
  const was = forbidden(held)
  const exit = await runIn(held, script)
  expect(exit.status).toBe('exited')
  expect(forbidden(held)).toEqual(was)
})
