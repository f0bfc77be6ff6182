import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanPath, findSafeProgram } from '../../../src/adapters/shell/programs.ts'
import { newFolder } from '../../support/folder.ts'

/** A folder that agents can write, one that they cannot, and programs in both. */
function newPlaces() {
  const root = newFolder()
  const [work, system] = [join(root, 'work'), join(root, 'system')]
  for (const folder of [work, system]) mkdirSync(folder)
  const put = (folder: string, name: string, mode = 0o755): string => {
    const path = join(folder, name)
    writeFileSync(path, '#!/bin/sh\n')
    chmodSync(path, mode)
    return path
  }
  const find = (...folders: string[]) => findSafeProgram('git', { path: folders.join(':'), writable: [work] })
  return { root, work, system, put, find }
}

test('a program in a folder that agents can write is passed over for the next one', () => {
  const { work, system, put, find } = newPlaces()
  const planted = put(work, 'git')
  expect(find(work)).toEqual({ problem: expect.stringContaining(planted), refused: planted })
  put(system, 'git')
  expect(find(work, system)).toEqual({ path: join(system, 'git') })
})

test('relative and empty entries are never used', () => {
  const { work, put, find } = newPlaces()
  const here = process.cwd()
  try {
    process.chdir(work)
    put(work, 'git')
    expect(find('', '.', '..', 'work', './')).toEqual({ problem: 'git is not on PATH' })
  } finally {
    process.chdir(here)
  }
})

test('no link on the way may be in such a folder or lead there', () => {
  const { root, work, system, put, find } = newPlaces()
  const [into, through, chain] = ['into', 'through', 'chain'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [into, chain]) mkdirSync(folder)
  put(work, 'git')
  put(system, 'real')
  symlinkSync(join(work, 'git'), join(into, 'git'))
  symlinkSync(work, through)
  symlinkSync(join(system, 'real'), join(work, 'link'))
  symlinkSync(join(work, 'link'), join(chain, 'git'))
  for (const folder of [into, through, chain]) expect(find(folder)).toMatchObject({ refused: join(folder, 'git') })
  // Programs such as snap act by the name they are called by, so the name is kept.
  symlinkSync(join(system, 'real'), join(system, 'git'))
  expect(find(system)).toEqual({ path: join(system, 'git') })
})

test('a link inside such a folder is not used either, wherever it leads', () => {
  const { work, system, put, find } = newPlaces()
  put(system, 'real')
  symlinkSync(join(system, 'real'), join(work, 'git'))
  symlinkSync(system, join(work, 'bin'))
  put(system, 'git')
  expect(find(work)).toMatchObject({ refused: join(work, 'git') })
  expect(find(join(work, 'bin'))).toMatchObject({ refused: join(work, 'bin', 'git') })
})

test('what others can write, a folder, and what cannot be executed are no programs', () => {
  const { root, system, put, find } = newPlaces()
  for (const mode of [0o775, 0o757]) {
    put(system, 'git', mode)
    expect(find(system)).toMatchObject({ refused: join(system, 'git') })
  }
  const open = join(root, 'open')
  mkdirSync(open)
  put(open, 'git')
  chmodSync(open, 0o777)
  expect(find(open)).toMatchObject({ refused: join(open, 'git') })
  chmodSync(open, 0o1777)
  expect(find(open)).toEqual({ path: join(open, 'git') })
  const [plain, folder] = [join(root, 'plain'), join(root, 'folder')]
  mkdirSync(plain)
  mkdirSync(join(folder, 'git'), { recursive: true })
  put(plain, 'git', 0o644)
  expect(find(plain, folder, join(root, 'missing'))).toEqual({ problem: 'git is not on PATH' })
})

test('a clean PATH keeps the order of what is safe, and is never empty', () => {
  const { root, work, system } = newPlaces()
  symlinkSync(work, join(root, 'link'))
  const other = join(root, 'other')
  mkdirSync(other)
  const path = ['', '.', work, join(work, 'node_modules/.bin'), other, join(root, 'link'), system].join(':')
  expect(cleanPath({ path, writable: [work] })).toBe(`${other}:${system}`)
  expect(cleanPath({ path: work, writable: [work] })).toBe('/usr/bin:/bin')
})
