import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { openRoomHere } from '../../src/machine/room.ts'
import { newRepository } from '../adapters/git/snapshots/scratch.ts'
import { canMountHere } from '../support/can-mount.ts'
import { cleanups } from '../support/cleanups.ts'

afterEach(() => vi.unstubAllEnvs())

describe.runIf(canMountHere)('a room on this machine', () => {
  test.each([
    ['in the sandbox', true],
    ['without a sandbox', false],
  ])('has the temporary files from before the agent, and keeps none of its own, %s', async (_name, isConfined) => {
    const folder = fs.mkdtempSync('/tmp/pawl-room-')
    cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true }))
    fs.writeFileSync(join(folder, 'before'), 'before\n')
    await expect.poll(() => Date.now() - fs.statSync(join(folder, 'before')).ctimeMs).toBeGreaterThan(20)
    vi.stubEnv('TMPDIR', '/var/tmp')
    const { folder: workspace, home, env, snapshots } = newRepository()
    const options = { workspace, folder: join(home, 'room'), without: [] }
    const room = await openRoomHere({ home, env }, options, snapshots)
    if ('problem' in room) throw new Error(room.problem)
    fs.writeFileSync(join(folder, 'planted'), 'x')
    room.agentRan()
    const confine = { writable: [workspace, join(home, 'room', 'uses')], protectedFolders: [], protectedFiles: [] }
    const shell = createShell(
      isConfined ? { secrets: [], isolation: 'auto', confine } : { secrets: [], isolation: 'off', bubblewrap: null },
    )
    const run = (command: string): Promise<string> =>
      room.use(room.start, async (place) => {
        const argv = ['/bin/sh', '-c', command] as [string, ...string[]]
        const started = { argv, cwd: workspace, env: { ...env, PATH: process.env.PATH! }, scope: 'room', place }
        return (await shell.run(started, new AbortController().signal)).stdoutTail
      })
    const write = `echo 1 >${folder}/count; echo 1 >"$TMPDIR/own"`
    const look = `ls ${folder}; ls "$TMPDIR"`
    expect(await run(`${look}; ${write}; ${look}`)).toBe('before\nbefore\ncount\nown\n')
    expect(await run(look)).toBe('before\n')
    expect(fs.readdirSync(folder)).toEqual(['before', 'planted'])
    expect([room.means, room.shares]).toEqual(['overlay', undefined])
  })

  test('is a copy for commands that start containers, unless a file names the path of the work tree', async () => {
    const { folder: workspace, home, env, snapshots, write } = newRepository()
    const open = () =>
      openRoomHere({ home, env }, { workspace, folder: join(home, 'room'), without: [], onRealPath: true }, snapshots)
    expect(await open()).toMatchObject({ means: 'copy' })
    write('.venv/bin/tool', `#!${workspace}/.venv/bin/python\n`)
    expect(await open()).toMatchObject({ problem: expect.stringMatching(/containers.*\.venv\/bin\/tool names/) })
  })
})
