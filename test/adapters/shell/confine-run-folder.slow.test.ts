import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { confines, confineTo, forbidden, makeWorld, runIn } from './confine-helpers.ts'
import { hold } from './tricks/hold.ts'
import { runTricks } from './tricks/run.ts'

const real = test.skipIf(!confines)

/** Where a run's folder may lie, and the writable folder that it lies in, if any. */
const places = [
  ['among the runs of the workspace', 'work/.pawl/runs/r1'],
  ['in the repository', 'work/artifacts/r1'],
  ['at the top of the repository', 'work/out'],
  ["in git's folder", 'work/.git/runs/r1'],
  ['outside', 'runs/r1'],
  ['in a cache', 'home/.cache/runs/r1'],
] as const

describe.each(places)('a run %s', (_, run) => {
  for (const trick of runTricks) hold(trick, { run })

  real('gets what its commands hand over, and they still work on the rest', async () => {
    const world = makeWorld({ run })
    const script =
      'echo x > "$RUN/attempts/result" && mkdir -p artifacts/build && echo x > artifacts/build/x && ls "$RUN"'
    expect(await runIn(world, script)).toMatchObject({ code: 0, stderrTail: '' })
    expect(readFileSync(join(world.run, 'attempts/result'), 'utf8')).toBe('x\n')
  })
})

real('a run whose folder is named by way of a link: the link stays, the folder is held', async () => {
  const world = makeWorld({ run: 'work/elsewhere/r1' })
  symlinkSync('elsewhere', join(world.workspace, 'link'))
  const run = join(world.workspace, 'link/r1')
  const before = forbidden(world)
  const script =
    'echo x > link/r1/attempts/a; echo x > link/r1/result.json; rm link; mkdir -p link/r1; echo x > link/r1/plan.json'
  const held = { ...world, run, confine: confineTo({ ...world, run }) }
  await runIn(held, script)
  expect(forbidden(world)).toEqual(before)
  expect(readFileSync(join(run, 'attempts/a'), 'utf8')).toBe('x\n')

  rmSync(join(world.workspace, 'link'))
  await runIn(held, 'echo x > elsewhere/r1/result.json')
  expect(forbidden(world)).toEqual(before)
})

real('a link that a repository has in the place of what is handed over is not followed', async () => {
  const world = makeWorld({ run: 'work/out/r1' })
  const run = join(world.workspace, 'out/r2')
  mkdirSync(run)
  symlinkSync(world.outside, join(run, 'attempts'))
  await runIn({ ...world, confine: confineTo({ ...world, run }) }, 'echo x > out/r2/attempts/new')
  expect(existsSync(join(world.outside, 'new'))).toBe(false)
})
