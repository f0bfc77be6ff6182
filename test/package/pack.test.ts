import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importsOf } from '../../scripts/fence/imports.ts'
import { type Ended, findOldNode, makeTempFolder, projectRoot, run } from './fake-root.ts'

// Measured 603 KiB with every package inside. Room for some growth, not for another large package.
// Word export, templates, the page of `pawl serve` and Postgres more than doubled that; all are loaded only when they are used.
const largestTarball = 1500 * 1024

const temp = makeTempFolder()
const checkout = join(temp, 'checkout')
const installed = join(temp, 'installed')
const bin = join(installed, 'bin', 'pawl')
const ownNodeFirst = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
let before: string[]
let tarball: string

// A copy is packed, for packing rebuilds dist under the feet of the tests that run beside this one.
beforeAll(async () => {
  copyCheckout()
  before = listCheckout()
  const { code, stdout, stderr } = await npm(['pack', '--pack-destination', temp], checkout)
  expect(code, stdout + stderr).toBe(0)
  tarball = join(temp, readdirSync(temp).find((name) => name.endsWith('.tgz'))!)
})
afterAll(() => rmSync(temp, { recursive: true, force: true }))

test('packing leaves the checkout as it was', () => {
  expect(readFileSync(join(checkout, 'package.json'))).toEqual(readFileSync(join(projectRoot, 'package.json')))
  expect(listCheckout()).toEqual(before)
})

test('the tarball has dist and the bin, and neither source nor tests', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout
    .trim()
    .split('\n')
    .map((name) => name.replace(/^package\//, ''))
  const expected = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin/pawl.cjs', 'package.json']
  expect(files.filter((name) => !name.startsWith('dist/')).sort()).toEqual(expected)
  expect(files).toContain('dist/contract/values.js')
  expect(files).toContain('dist/contract/values.d.ts')
  expect(files).toContain('dist/types/novel/type.yaml')
  expect(files).toContain('dist/types/novel/taxonomy/base.json')
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  expect(files).toContain('dist/THIRD-PARTY.txt')
})

test('what is run imports no package, and what is described by types only those that the manifest names', async () => {
  const folder = join(temp, 'unpacked')
  mkdirSync(folder)
  await run('tar', ['-xzf', tarball, '-C', folder])
  const dist = join(folder, 'package', 'dist')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'))
  expect(Object.keys(dependencies)).toEqual(['zod'])
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const packagesIn = (ending: string): string[] => [
    ...new Set(
      files
        .filter((name) => name.endsWith(ending))
        .flatMap((name) => importsOf(readFileSync(join(dist, name), 'utf8')))
        .flatMap(({ specifier }) => (specifier === null || /^(\.|node:)/.test(specifier) ? [] : [specifier])),
    ),
  ]
  expect(packagesIn('.js').filter((name) => !isBuiltin(name))).toEqual([])
  expect(packagesIn('.d.ts')).toEqual(['zod'])
  const named = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8')
  for (const name of ['@ai-sdk/xai', 'commander', 'diff', 'markdown-it', 'yaml', 'zod']) {
    expect(named).toMatch(new RegExp(`^${name} [\\d.]+ \\([\\w.-]+\\)$`, 'm'))
  }
})

test('its manifest asks for what is needed to run, and nothing else', async () => {
  const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json'])
  const manifest = JSON.parse(stdout)
  for (const field of ['scripts', 'devDependencies', 'overrides']) expect(manifest).not.toHaveProperty(field)
  const optional = Object.keys(manifest.optionalDependencies ?? {})
  expect(optional.filter((name) => name.startsWith('node-'))).toEqual([])
  expect(manifest.dependencies).toHaveProperty('zod')
})

test(`the tarball has at most ${largestTarball} bytes`, () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(largestTarball)
})

test('publishing the folder is refused, for npm would tell the registry the whole manifest', async () => {
  const { code, stderr } = await npm(['publish', '--dry-run'], checkout)
  expect(code).not.toBe(0)
  expect(stderr).toContain('publish the tarball, not the folder')
})

test('installed globally it runs, and says 69 on an old Node', async ({ skip, annotate }) => {
  const install = await npm(['install', '--global', '--prefix', installed, '--prefer-offline', tarball], temp)
  if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/.test(install.stderr)) skip('no registry and no cache')
  expect(install.code, install.stderr).toBe(0)

  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  expect(await run(bin, ['--version'], { env: ownNodeFirst })).toMatchObject({ code: 0, stdout: `${version}\n` })
  expect(await run('sh', ['-c', 'exec "$0" --version', bin], { env: ownNodeFirst })).toMatchObject({ code: 0 })

  if (existsSync(join(installed, 'lib', 'node_modules', 'pawl', 'dist', 'help.txt'))) {
    const help = await run(bin, ['--help'], { env: ownNodeFirst })
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('pawl'), stderr: '' })
  } else await annotate('dist/help.txt is not built yet, so help was not asked for')

  const old = findOldNode()
  if (old === null) return annotate('no Node older than 22 on PATH, so the guard was not asked')
  const guarded = await run(bin, ['--version'], { env: { PATH: `${dirname(old)}${delimiter}${process.env.PATH}` } })
  expect(guarded).toMatchObject({ code: 69, stdout: '', stderr: expect.stringMatching(/^pawl: needs Node .*\n$/) })
})

test('a program outside finds the contract, and out-dirs to be tested with', async () => {
  const outside = join(temp, 'outside')
  const home = join(outside, 'node_modules', 'pawl')
  mkdirSync(home, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', home])
  symlinkSync(join(projectRoot, 'node_modules'), join(home, 'node_modules'))
  const program = `
    import { RunInput } from 'pawl/delivery/input'
    import { Plan } from 'pawl/delivery/plan'
    import { DeliveryResult, reasonExits } from 'pawl/delivery/result'
    import { Line } from 'pawl/contract/line'
    import { outDirNames, readOutDir, writeOutDir } from 'pawl/testing/out-dirs'
    const { files } = readOutDir('success')
    Plan.parse(JSON.parse(files['plan.json']))
    Line.parse(JSON.parse(files['progress.ndjson'].split('\\n')[0]))
    const { next_action } = DeliveryResult.parse(JSON.parse(files['result.json']))
    const exits = outDirNames.map((name) => writeOutDir(name, 'out/' + name))
    console.log(next_action, reasonExits.run_timeout, RunInput.safeParse({}).success, exits.length)
  `
  writeFileSync(join(outside, 'program.mjs'), program)
  const { code, stdout, stderr } = await run(process.execPath, ['program.mjs'], { cwd: outside })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^open_pr 20 false \d+\n$/)
  expect(existsSync(join(outside, 'out', 'cancelled', 'result.json'))).toBe(true)
})

/** npm under the project's own Node, without what npm told the test's own process. */
function npm(args: readonly string[], cwd: string): Promise<Ended> {
  const told = Object.keys(process.env).filter((name) => /^npm_(package|lifecycle|config_local_prefix)/.test(name))
  return run('npm', args, {
    cwd,
    env: { ...ownNodeFirst, ...Object.fromEntries(told.map((name) => [name, undefined])) },
  })
}

function copyCheckout(): void {
  const left = ['.git', '.pawl', 'dist', 'node_modules']
  const filter = (source: string) => dirname(source) !== projectRoot || !left.includes(basename(source))
  cpSync(projectRoot, checkout, { recursive: true, verbatimSymlinks: true, filter })
  mkdirSync(join(checkout, 'node_modules'))
  for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(checkout, 'node_modules', name))
  }
  for (const name of ['README.md', 'CHANGELOG.md']) {
    if (!existsSync(join(checkout, name))) writeFileSync(join(checkout, name), 'not written yet\n')
  }
}

function listCheckout(): string[] {
  const entries = readdirSync(checkout, { recursive: true }) as string[]
  return entries.filter((name) => !/^(dist|node_modules|\.pawl)(\/|$)/.test(name)).sort()
}
