import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { beats, change, file, newNovel, type ScriptStep, says } from '../support/novel.ts'
import { listRuns, startPawl, writeAnswers } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

type Novel = ReturnType<typeof newNovel>

const chapter = (number: number): string => `chapter-beats/${file(number)}`
const plan = says.plan([{ name: file(2) }])
const write = (text = beats(2, 'grey'), more: Partial<ScriptStep> = {}): ScriptStep =>
  says.write({ [file(2)]: text }, more)
const judge = says.judge('approved', 'Good.')
const describeIt = says.describe({ changes: [change({ hunks: ['h1'], units: ['u1'], title: 'Greyer' })] })
const steps = [plan, write(), judge, describeIt]

const run = (novel: Novel, { feedback = 'Make chapter 2 grey', provider = 'abort' } = {}) => {
  const answers = writeAnswers(novel, { cull: 'keep-all', judge: 'yes', accept: 'yes', provider })
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', '-', '--answers', answers]
  return startPawl(novel, [...words, '--model', novel.model], { stdin: feedback })
}

/** Puts a file or folder of the project outside of the studio, and a link in its place. */
function moveAway(novel: Novel, path: string): string {
  const away = join(novel.root, 'away')
  fs.renameSync(join(novel.folder, path), away)
  fs.symlinkSync(away, join(novel.folder, path))
  novel.git('add', '-A')
  novel.git('commit', '-qm', 'a link')
  return away
}

describe('a project of somebody else', () => {
  for (const name of ['../../../evil', '/tmp/evil', '.', 'a b', 'a\\u001b[2Jb', ''])
    test(`named ${JSON.stringify(name)}: refused, and nothing is written anywhere`, async () => {
      const novel = newNovel({ chapters: 1, steps })
      novel.write('project.yaml', `name: "${name}"\ntype: novel\ncreated_at: "2026"\n`)
      const before = fs.readdirSync(novel.root).sort()
      const { code, err } = await run(novel)
      expect([code, err]).toEqual([30, expect.stringMatching(/project\.yaml cannot be read: name: a name has/)])
      const repl = openRepl(novel, ['write', novel.name], 'pawl')
      await repl.say('> ', '/config view compact')
      await repl.sees('[Error: No project is open.')
      await repl.say('> ', '/exit')
      await repl.ended
      expect(
        fs
          .readdirSync(novel.root)
          .filter((one) => !before.includes(one) && !one.startsWith('.') && one !== 'answers.yml'),
      ).toEqual([])
      expect(fs.readdirSync(novel.studio).filter((one) => !one.startsWith('.'))).toEqual([novel.name])
    })

  test('with a level that is a link to another folder: nothing is read, sent or written there', async () => {
    const novel = newNovel({ chapters: 4, steps })
    const away = moveAway(novel, 'chapter-beats')
    const { code, err } = await run(novel)
    expect([code, err]).toEqual([
      30,
      expect.stringMatching(/chapter-beats is a link to a folder outside of the project/),
    ])
    expect(novel.calls('')).toEqual([])
    expect(fs.readFileSync(join(away, file(2)), 'utf8')).toBe(beats(2))
  })

  test('with a chapter that is a link: it is not read or replaced', async () => {
    const novel = newNovel({ chapters: 4, steps })
    const away = moveAway(novel, chapter(2))
    const { code, err } = await run(novel)
    expect([code, err]).toEqual([30, expect.stringMatching(/chapter-02\.md is a link/)])
    expect(novel.calls('')).toEqual([])
    expect([fs.lstatSync(join(novel.folder, chapter(2))).isSymbolicLink(), fs.readFileSync(away, 'utf8')]).toEqual([
      true,
      beats(2),
    ])
  })

  test('with a file in another encoding, or too large: refused before a model is asked', async () => {
    const novel = newNovel({ chapters: 4, steps })
    fs.writeFileSync(join(novel.folder, chapter(2)), Buffer.from(beats(2).replace('Marcus', 'Märcus'), 'latin1'))
    expect(await run(novel)).toMatchObject({
      code: 30,
      err: expect.stringContaining('chapter-02.md is not valid UTF-8'),
    })
    novel.write(chapter(2), 'x'.repeat(1_100_000))
    expect(await run(novel)).toMatchObject({ code: 30, err: expect.stringContaining('is larger than 1 MiB') })
    expect(novel.calls('')).toEqual([])
  })
})

describe("the program's own files", () => {
  for (const name of ['iteration_history.json', 'sources.json'])
    test(`a damaged ${name}: refused with the command that restores it, and not overwritten`, async () => {
      const novel = newNovel({ chapters: 4, steps })
      novel.write(`chapter-beats/${name}`, '{"iterations": [{"oops"')
      const { code, err } = await run(novel)
      expect(code).toBe(30)
      expect(err).toContain(`${name} is damaged`)
      expect(err).toContain(`git -C ${join(novel.folder, 'chapter-beats')} checkout -- ${name}`)
      expect(novel.calls('')).toEqual([])
      expect(novel.read(`chapter-beats/${name}`)).toBe('{"iterations": [{"oops"')
    })

  test('a history that is damaged meanwhile: not overwritten, and it is saved when it is restored', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write(undefined, { delay_ms: 500 }), judge, describeIt] })
    const running = run(novel)
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    novel.write('chapter-beats/iteration_history.json', '{"iterations": [{"oops"')
    expect(await running).toMatchObject({ code: 10, out: expect.stringContaining('iteration_history.json is damaged') })
    expect(novel.read('chapter-beats/iteration_history.json')).toBe('{"iterations": [{"oops"')
    expect(novel.read(chapter(2))).toBe(beats(2))
    fs.rmSync(join(novel.folder, 'chapter-beats/iteration_history.json'))
    const { id } = listRuns(novel)[0]!
    await startPawl(novel, ['answer', id, 'retry'])
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expect(novel.read(chapter(2))).toBe(beats(2, 'grey'))
  })
})

describe('a long feedback', () => {
  test('of 300 KB does not fit into the model: nothing is asked or saved, and the message says why', async () => {
    const novel = newNovel({ chapters: 4, steps })
    const { code, out } = await run(novel, { feedback: `Make chapter 2 grey. ${'Very grey. '.repeat(28_000)}` })
    expect([code, out]).toEqual([30, expect.stringMatching(/a call does not fit: it needs \d+ tokens/)])
    expect([novel.calls(''), novel.git('status', '--short')]).toEqual([[], ''])
  })

  test('that fits is in the commit and in the history, and the next iteration still fits', async () => {
    const feedback = `Make chapter 2 grey.\n\n${'Very grey. '.repeat(5000).trim()}`
    const novel = newNovel({ chapters: 4, steps: [...steps, plan, write(beats(2, 'dim')), judge, describeIt] })
    expect((await run(novel, { feedback })).code).toBe(0)
    expect(novel.git('log', '-1', '--format=%s')).toBe('[chapters] Make chapter 2 grey.')
    expect(novel.git('log', '-1', '--format=%b')).toContain(feedback.slice(0, 50_000))
    novel.setScript([plan, write(beats(2, 'dim')), judge, describeIt])
    expect((await run(novel)).code).toBe(0)
    expect(novel.read(chapter(2))).toBe(beats(2, 'dim'))
  })
})

describe('a model that misbehaves', () => {
  const escapes = '\u001b]0;pwned\u0007\u001b[2J\u009b31mX\u0000'

  test('with terminal escapes in everything it says: the screen and the files stay plain', async () => {
    const title = `Greyer ${escapes}`
    const labels = change({ hunks: ['h1'], units: ['u1'], title, summary: escapes, before: escapes, why: escapes })
    const novel = newNovel({
      chapters: 4,
      steps: [
        says.plan([{ name: file(2), task: escapes }]),
        write(beats(2, `grey${escapes}`)),
        says.judge('needs_revision', `Not yet ${escapes}.`, { suggestions: [escapes] }),
        says.plan([{ name: file(2), task: escapes }]),
        write(beats(2, `grey${escapes}`)),
        says.judge('approved', `Good ${escapes}.`),
        says.describe({ changes: [labels], risks: [{ text: escapes, severity: 'low' }], rationale: escapes }),
      ],
    })
    const repl = openRepl(novel, ['write', novel.name], 'pawl')
    await repl.say('> ', `/model ${novel.model}`)
    await repl.say('> ', 'Make chapter 2 grey')
    await repl.say('edit): ', 'yes')
    await repl.say('skip): ', 'chapter-2')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'some')
    await repl.say('back): ', 'yes')
    await repl.sees('Ready for next iteration.')
    await repl.say('> ', '/history')
    await repl.say('> ', '/diff')
    await repl.say('skip): ', 'skip')
    await repl.say('> ', '/exit')
    await repl.ended
    for (const sequence of ['\u001b]0;pwned', '\u001b[2J', '\u009b', '\u0000'])
      expect(repl.raw()).not.toContain(sequence)
    expect(novel.read(chapter(2))).not.toMatch(/(?!\n)\p{Cc}/u)
    const shown = await startPawl(novel, ['show', listRuns(novel)[0]!.id])
    expect(shown.out + shown.err).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('that plans files elsewhere: only files of the level are written or removed', async () => {
    const names = [
      '../../etc/passwd',
      '.git/config',
      '../../.git/hooks/pre-commit',
      'chapter-09/../../../x.md',
      '/etc/passwd',
    ]
    const own = ['project.yaml', 'iteration_history.json', 'sources.json', '../project.yaml', 'combined.md', '..', '']
    const novel = newNovel({
      chapters: 4,
      prose: 1,
      steps: [
        says.plan([
          ...[...names, ...own].map((name) => ({ name, action: 'add' })),
          ...['../chapters/chapter-01.md', '../project.yaml', 'project.yaml'].map((name) => ({
            name,
            action: 'remove',
          })),
          { name: file(2) },
        ]),
        ...steps.slice(1),
      ],
    })
    const config = fs.readFileSync(join(novel.studio, '.git', 'config'))
    expect((await run(novel)).code).toBe(0)
    expect(novel.git('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual(
      [chapter(2), 'chapter-beats/iteration_history.json', 'chapter-beats/sources.json'].map(
        (path) => `my-novel/${path}`,
      ),
    )
    expect(fs.readFileSync(join(novel.studio, '.git', 'config'))).toEqual(config)
    expect(fs.existsSync(join(novel.studio, '.git', 'hooks', 'pre-commit'))).toBe(false)
    expect(novel.git('status', '--short')).toBe('')
  })

  test('with a reply of 2 MB: it is not saved, whatever the judge is', async () => {
    const novel = newNovel({
      chapters: 4,
      steps: [plan, write(beats(2) + 'All work and no play. '.repeat(95_000)), judge, describeIt],
    })
    const { code, out } = await run(novel, { provider: 'skip' })
    expect([code, out]).toEqual([30, expect.stringContaining('chapter-02.md is too long')])
    expect([novel.read(chapter(2)), novel.git('status', '--short')]).toEqual([beats(2), ''])
  })

  test('with NUL bytes: the text is saved without them and can be revised again', async () => {
    const holes = (text: string): string => text.replaceAll('Marcus', 'Mar\u0000cus\u0000')
    const both = { [file(2)]: holes(beats(2, 'grey')), [file(3)]: holes(beats(3, 'grey')) }
    const novel = newNovel({
      chapters: 4,
      steps: [says.plan([{ name: file(2) }, { name: file(3) }]), says.write(both), judge, describeIt],
    })
    expect((await run(novel, { feedback: 'Make it grey' })).code).toBe(0)
    expect([novel.read(chapter(2)), novel.read(chapter(3))]).toEqual([beats(2, 'grey'), beats(3, 'grey')])
    novel.setScript([plan, write(beats(2, 'dim')), judge, describeIt])
    expect((await run(novel)).code).toBe(0)
  })
})
