import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs, newFaulty, problemsOf } from './faulty.ts'

/** No file may grow beyond this: the journal of six iterations does, the request does not. */
const limit = ['prlimit', '--fsize=3500']
const words = ['run', 'build', '-n', '6', '--trust'] as const
const lines = (path: string): number => fs.readFileSync(path, 'utf8').trim().split('\n').length

test('pawl run stops when its journal cannot be written, and resume goes on where it stopped', async (context) => {
  needs(context, 'prlimit')
  const pawl = newFaulty({ procedure: { durability: undefined, observe: ['notes.md'] } })
  const { code, err } = await pawl.runUnder(limit, ...words)
  expect([code, err]).toEqual([20, expect.stringMatching(/EFBIG.*To resume: pawl resume build/)])
  expect(lines(join(pawl.workspace, 'work.txt'))).toBeLessThan(6)
  expect((await pawl.run('why')).out).toMatch(/next +pawl resume/)
  expect((await pawl.run('resume', 'build')).code).toBe(0)
  expect(await problemsOf(pawl.dirOf(), pawl.workspace, 6)).toEqual([])
})

test('a best-effort run goes on without a record; its last line, why and resume all say that it cannot be resumed', async (context) => {
  needs(context, 'prlimit')
  const pawl = newFaulty({ procedure: { durability: 'best-effort', observe: ['notes.md'] } })
  const { code, err } = await pawl.runUnder(limit, ...words)
  expect([code, lines(join(pawl.workspace, 'work.txt'))]).toEqual([0, 6])
  expect(err).toMatch(/EFBIG.*The loop continues without a record; resume is not available\./)
  expect(err.trim().split('\n').at(-1)).toMatch(/cannot be resumed.*start again: pawl run build --fresh$/)
  const why = (await pawl.run('why')).out
  expect(why).toMatch(/not recorded to its end[\s\S]*next +pawl run build --fresh/)
  expect(why).not.toContain('pawl resume')
  expect((await pawl.run('resume', 'build')).code).toBe(10)
})
