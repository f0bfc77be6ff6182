import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs, newFaulty, newMounts, problemsOf, processesOf, runFolders, tornIn } from './faulty.ts'

const second = '[ "$PAWL_STORY_ID" = iteration-2 ]'

describe('a folder that may not be written', () => {
  const readOnly = (path: string): string => `mount --bind '${path}' '${path}'; mount -o remount,bind,ro '${path}'`

  test('from the start: exit 20 with the path, and nothing was started', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty()
    fs.mkdirSync(pawl.runsDir)
    const mounts = await newMounts(readOnly(pawl.runsDir))
    const { code, err } = await pawl.runUnder(mounts.enter(pawl.workspace), 'run', 'build', '-n', '1', '--trust')
    expect(code).toBe(20)
    expect(err).toMatch(/pawl: cannot create .*\/\.pawl\/runs\//)
    expect(err).toMatch(/Nothing was started\./)
    expect(fs.readdirSync(pawl.runsDir)).toEqual([])
    expect((await pawl.run('run', 'build', '-n', '1')).code).toBe(0)
  })

  test('on resume: exit 20, and with leave to write it goes on', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty({ agent: `${second} && kill -9 $PPID` })
    await pawl.run('run', 'build', '-n', '3', '--trust')
    const mounts = await newMounts(readOnly(pawl.runsDir))
    const { code, err } = await pawl.runUnder(mounts.enter(pawl.workspace), 'resume', 'build')
    expect(code).toBe(20)
    expect(err).toMatch(/EROFS/)
    expect((await pawl.run('resume', 'build')).code).toBe(0)
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, 3)).toEqual([])
  })

  test('from the start: the message says read-only', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty()
    fs.mkdirSync(pawl.runsDir)
    const mounts = await newMounts(readOnly(pawl.runsDir))
    const { err } = await pawl.runUnder(mounts.enter(pawl.workspace), 'run', 'build', '-n', '1', '--trust')
    expect(err).toMatch(/EROFS/)
  })

  test('on resume: the message blames nobody', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty({ agent: `${second} && kill -9 $PPID` })
    await pawl.run('run', 'build', '-n', '3', '--trust')
    const mounts = await newMounts(readOnly(pawl.runsDir))
    const { err } = await pawl.runUnder(mounts.enter(pawl.workspace), 'resume', 'build')
    expect(err).not.toMatch(/bug in pawl/)
  })
})

describe('a folder that vanishes while the agent works', () => {
  // Moved away in one step: what is removed file by file is seen, and its remover stopped, before all of it is gone.
  const vanishings: readonly (readonly [what: string, how: string, empty: string])[] = [
    ["the run's folder", 'mv .pawl/runs/2* ../away', '.pawl/runs'],
    ['the state of the workspace', 'mv .pawl ../away', '.pawl'],
    ['the workspace', 'mv "$PWD" ../away', '.'],
    ['the workspace, a link to elsewhere in its place', 'mv "$PWD" ../away; ln -s elsewhere "$PWD"', '../elsewhere'],
    [
      'the runs, a link to elsewhere in their place',
      'mv .pawl/runs ../away; ln -s ../../elsewhere .pawl/runs',
      '../elsewhere',
    ],
  ]
  test.each(vanishings)('%s: exit 20 and one line, nothing is made again or elsewhere', async (_what, how, empty) => {
    const pawl = newFaulty({ agent: `${second} && { ${how}; }` })
    fs.mkdirSync(join(pawl.root, 'elsewhere'))
    const { code, err } = await pawl.run('run', 'build', '-n', '4', '--trust', '--quiet')
    expect([code, err.trim().split('\n').length, err]).toEqual([20, 1, expect.stringMatching(/^pawl: /)])
    const place = join(pawl.workspace, empty)
    expect(fs.existsSync(place) ? fs.readdirSync(place).filter((name) => name !== '.gitignore') : []).toEqual([])
    expect(fs.existsSync(join(pawl.root, 'away'))).toBe(true)
  })

  test('removed file by file: exit 20, and the agent that does it is ended', async () => {
    const pawl = newFaulty({ agent: `${second} && { rm -rf "$PWD"; sleep 300; }` })
    const { code } = await pawl.run('run', 'build', '-n', '4', '--trust')
    const [listed] = fs.readdirSync(join(pawl.root, '.local', 'state', 'pawl', 'runs'))
    expect([code, processesOf(listed!.replace('.json', ''))]).toEqual([20, []])
  })

  test('the message says that the folder is gone, not that somebody took the run over', async () => {
    const pawl = newFaulty({ agent: `${second} && mv .pawl ../away` })
    const { err } = await pawl.run('run', 'build', '-n', '4', '--trust')
    expect(err).not.toMatch(/another process/)
  })
})

describe('a limit of the system', () => {
  test('too few files may be open: an error that says so, with a code of the table, and no hang', async (context) => {
    needs(context, 'prlimit')
    const problems: string[] = []
    let failed = 0
    for (let files = 20; ; files++) {
      const pawl = newFaulty({ agent: 'echo hello', env: { PAWL_MAX_WAIT: '0' } })
      const before = ['prlimit', `--nofile=${files}`]
      // Below that Node itself cannot begin.
      if ((await pawl.runUnder(before, 'config')).code !== 0) continue
      const { code, out, err } = await pawl.runUnder(before, 'run', 'build', '-n', '3', '--trust')
      if (code === 0) break
      failed++
      if (code !== 20 || !/EMFILE/.test(out + err)) problems.push(`${files} files: exit ${code}: ${out}${err}`)
      problems.push(...runFolders(pawl.runsDir).flatMap(tornIn))
    }
    expect(problems).toEqual([])
    expect(failed).toBeGreaterThan(2)
  })

  test('no file may be longer than so many bytes: as a full disk', async (context) => {
    needs(context, 'prlimit')
    const problems: string[] = []
    for (let bytes = 600; bytes < 4600; bytes += 317) {
      const pawl = newFaulty()
      const { code, err } = await pawl.runUnder(['prlimit', `--fsize=${bytes}`], 'run', 'build', '-n', '4', '--trust')
      const found = code === 20 && /cannot (create|write) .*: EFBIG/.test(err) ? [] : [`exit ${code}: ${err}`]
      found.push(...runFolders(pawl.runsDir).flatMap(tornIn))
      const words = runFolders(pawl.runsDir).length ? ['resume', 'build'] : ['run', 'build', '-n', '4']
      const again = await pawl.run(...words)
      if (again.code !== 0) found.push(`without the limit it ends with ${again.code}: ${again.err}`)
      const [dir] = runFolders(pawl.runsDir)
      found.push(...(await problemsOf(dir!, pawl.workspace, 4)))
      problems.push(...found.map((problem) => `${bytes} bytes: ${problem}`))
    }
    expect(problems).toEqual([])
  })
})
