import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs, newMounts } from '../../../faults/faulty.ts'
import { until } from '../../../surfaces/cli/pawl.ts'
import { beats, change, file, newNovel, type ScriptStep, says } from '../support/novel.ts'
import { listRuns, startPawl, writeAnswers } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

type Novel = ReturnType<typeof newNovel>

const plan = says.plan([{ name: file(2) }, { name: file(3) }])
const write = (more: Partial<ScriptStep> = {}): ScriptStep =>
  says.write({ [file(2)]: beats(2, 'grey'), [file(3)]: beats(3, 'grey') }, more)
const judge = says.judge('approved', 'Good.')
const describeIt = says.describe({
  changes: [change({ hunks: ['h1', 'h2'], units: ['u1', 'u2'], title: 'Greyer', magnitude: 'minor' })],
})
const steps = [plan, write(), judge, describeIt]

const chapter = (number: number): string => `chapter-beats/${file(number)}`

async function openAt(novel: Novel) {
  const repl = openRepl(novel, ['write', novel.name], 'pawl')
  await repl.say('> ', `/model ${novel.model}`)
  return repl
}

async function leave(repl: Awaited<ReturnType<typeof openAt>>): Promise<void> {
  await repl.say('> ', '/exit')
  await repl.ended
}

const wordsOf = (novel: Novel): string[] => {
  const answers = writeAnswers(novel, { cull: 'keep-all', judge: 'yes', accept: 'yes', provider: 'abort' })
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Make it grey']
  return [...words, '--answers', answers, '--model', novel.model]
}

describe('a person who edits a file while the model writes it', () => {
  /** Accepts a draft that was written while the person edited chapter 3. */
  async function acceptMeanwhile(novel: Novel, mine: string) {
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    novel.write(chapter(3), mine)
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'yes')
    await repl.sees(`✗ Not saved: ${chapter(3)} changed meanwhile.`)
    await repl.sees('Your version is kept')
    return repl
  }

  test('is asked, the edit is kept, and abort leaves everything as it was', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 500 }), judge, describeIt] })
    const mine = `${beats(3)}\nMine.\n`
    const repl = await acceptMeanwhile(novel, mine)
    await repl.say('Try again? (retry/abort): ', 'abort')
    await repl.sees('Nothing was saved.')
    await leave(repl)
    expect([novel.read(chapter(2)), novel.read(chapter(3))]).toEqual([beats(2), mine])
    expect(novel.git('status', '--short')).toBe(`M my-novel/${chapter(3)}`)
    expect(novel.git('log', '--format=%s')).toBe('Import')
    expect(fs.readdirSync(join(novel.folder, 'chapter-beats')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('reverts the edit and tries again: the draft is saved', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 500 }), judge, describeIt] })
    const repl = await acceptMeanwhile(novel, 'mine\n')
    await repl.say('Try again? (retry/abort): ', 'retry')
    await repl.sees(`✗ Not saved: ${chapter(3)} changed meanwhile.`)
    novel.write(chapter(3), beats(3))
    await repl.say('Try again? (retry/abort): ', 'retry')
    await repl.sees('Ready for next iteration.')
    await leave(repl)
    expect([novel.read(chapter(2)), novel.read(chapter(3))]).toEqual([beats(2, 'grey'), beats(3, 'grey')])
    expect(novel.git('status', '--short')).toBe('')
    expect(novel.git('log', '--format=%s')).toBe('[chapters] Make it grey\nImport')
  })

  test('leaves at the question: another session asks it again at its start', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 500 }), judge, describeIt] })
    const repl = await acceptMeanwhile(novel, 'mine\n')
    await repl.sees('Try again? (retry/abort): ')
    repl.type('\u0004')
    await repl.sees('stays open')
    await leave(repl)
    novel.write(chapter(3), beats(3))
    const again = openRepl(novel, ['write', novel.name], 'pawl')
    await again.say('Try again? (retry/abort): ', 'retry')
    await again.sees('Ready for next iteration.')
    await leave(again)
    expect(novel.read(chapter(3))).toBe(beats(3, 'grey'))
    expect(novel.calls('You revise a written work')).toHaveLength(1)
  })

  test('without a person: the run says how to answer', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 500 }), judge, describeIt] })
    const running = startPawl(novel, wordsOf(novel))
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    novel.write(chapter(3), 'mine\n')
    const { code, out, err } = await running
    expect([code, novel.read(chapter(3)), novel.read(chapter(2))]).toEqual([10, 'mine\n', beats(2)])
    expect(out).toContain(`✗ Not saved: ${chapter(3)} changed meanwhile.`)
    expect(err).toMatch(/could not be saved.*answer my-novel <retry\|abort>/)
    const { id } = listRuns(novel)[0]!
    novel.write(chapter(3), beats(3))
    await startPawl(novel, ['answer', id, 'retry'])
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expect(novel.git('log', '--format=%s')).toBe('[chapters] Make it grey\nImport')
  })

  test('edits another file: it is neither changed nor committed', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 500 }), judge, describeIt] })
    const running = startPawl(novel, wordsOf(novel))
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    novel.write(chapter(4), 'mine\n')
    novel.write('Notizen für später.md', 'mine\n')
    expect((await running).code).toBe(0)
    expect(novel.read(chapter(4))).toBe('mine\n')
    expect(novel.git('-c', 'core.quotePath=false', 'status', '--short')).toBe(
      `M my-novel/${chapter(4)}\n?? "my-novel/Notizen für später.md"`,
    )
  })
})

describe('own edits before an iteration', () => {
  test('are committed first, and what is staged in another project stays staged', async () => {
    const novel = newNovel({ chapters: 4, steps })
    novel.write('../other/project.yaml', 'name: other\ntype: novel\ncreated_at: "2026"\n')
    novel.write('../other/treatment/treatment.md', 'one\n')
    novel.git('add', '-A')
    novel.git('commit', '-qm', 'other')
    novel.write('../other/treatment/treatment.md', 'two\n')
    novel.git('add', 'other')
    novel.write('../other/treatment/treatment.md', 'three\n')
    novel.write(chapter(1), 'mine\n')
    novel.write('research/Übersicht 1.md', 'mine\n')
    fs.rmSync(join(novel.folder, chapter(4)))
    fs.symlinkSync('/etc', join(novel.folder, 'etc'))
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect([code, err]).toEqual([0, expect.stringContaining('Your own edits were committed first: ')])
    expect(novel.git('log', '--format=%s', '-3')).toBe(
      `[chapters] Make it grey\n[manual] ${chapter(1)}, ${chapter(4)}, research/Übersicht 1.md\nother`,
    )
    expect(novel.git('status', '--short')).toBe('MM other/treatment/treatment.md\n?? my-novel/etc')
    expect(novel.git('show', ':other/treatment/treatment.md')).toBe('two')
  })
})

describe('two sessions at once', () => {
  test('the second is refused while the first works, and says by whom', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write({ delay_ms: 60_000 })] })
    const first = startPawl(novel, wordsOf(novel))
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect([code, err]).toEqual([
      10,
      expect.stringMatching(/my-novel is .*\(pid \d+ on .*To end it: pawl stop my-novel/s),
    ])
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await repl.sees('[Error: my-novel is ')
    await leave(repl)
    first.child.kill('SIGKILL')
    await first
    expect(listRuns(novel)).toHaveLength(1)
    expect(novel.calls('You revise a written work')).toHaveLength(1)
  })
})

describe('the repository', () => {
  function withoutRepository(): Novel {
    const novel = newNovel({ chapters: 4, steps })
    fs.rmSync(join(novel.studio, '.git'), { recursive: true })
    return novel
  }

  test('is asked for once and made, and the work so far is committed before the first iteration', async () => {
    const novel = withoutRepository()
    fs.writeFileSync(join(novel.root, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n')
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await repl.say('Create one there? (yes/no): ', 'yes')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'yes')
    await repl.sees('Ready for next iteration.')
    await repl.say('> ', '/undo')
    await repl.sees('To bring it back: /redo')
    await leave(repl)
    expect(repl.screen().split('Create one there?').length - 1).toBe(1)
    expect(novel.git('log', '--format=%s')).toMatch(
      /^Undo: \[chapters\] Make it grey\n\[chapters\] Make it grey\n\[manual\] /,
    )
    expect(novel.read(chapter(2))).toBe(beats(2))
    expect(novel.git('status', '--short')).toBe('')
  })

  test('is not made against the will of the person', async () => {
    const novel = withoutRepository()
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await repl.say('Create one there? (yes/no): ', 'no')
    await repl.sees('is not in a git repository]')
    await leave(repl)
    expect(fs.existsSync(join(novel.studio, '.git'))).toBe(false)
    expect(listRuns(novel)).toEqual([])
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect([code, err]).toEqual([10, expect.stringMatching(/is not in a git repository.*git -C .* init/s)])
  })

  test('without an identity: both commands are named, and no model is asked', async () => {
    const novel = newNovel({ chapters: 4, steps })
    novel.git('config', '--unset', 'user.name')
    novel.git('config', '--unset', 'user.email')
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect(code).toBe(10)
    expect(err).toMatch(/git config --global user\.name/)
    expect(err).toMatch(/git config --global user\.email/)
    expect(novel.calls('')).toEqual([])
  })
})

describe('the repository in between', () => {
  test('own edits while HEAD is detached: refused with what to do, and not called a bug', async () => {
    const novel = newNovel({ chapters: 4, steps })
    novel.git('checkout', '-q', '--detach')
    novel.write(chapter(1), 'mine\n')
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect([code, err]).toEqual([10, expect.stringContaining('HEAD is detached')])
    expect(err).not.toContain('bug')
    expect(novel.read(chapter(1))).toBe('mine\n')
    novel.git('switch', '-q', 'main')
    expect((await startPawl(novel, wordsOf(novel))).code).toBe(0)
  })

  test('a new project has a name that its runs can have', async () => {
    const novel = newNovel({ chapters: 0, steps })
    const repl = openRepl(novel, ['write'], 'pawl')
    await repl.say('> ', '/new My_second.novel')
    await repl.say('(novel/prd): ', 'novel')
    await repl.say('): ', 'fantasy')
    await repl.say('? ', 'Bells')
    await repl.sees('Next: /generate premise')
    await repl.say('> ', '/undo')
    await repl.sees('There is nothing to undo.')
    await leave(repl)
    expect(fs.existsSync(join(novel.studio, 'my-second-novel', 'project.yaml'))).toBe(true)
  })
})

describe('a folder that cannot be written', () => {
  test('read-only: nothing is changed, and it goes on when it can be written', async (context) => {
    needs(context, 'namespaces')
    const novel = newNovel({ chapters: 4, steps })
    const level = join(novel.folder, 'chapter-beats')
    const mounts = await newMounts(`mount --bind '${level}' '${level}'\nmount -o remount,ro,bind '${level}'`)
    const { code, out, err } = await startPawl(novel, wordsOf(novel), { before: mounts.enter(novel.studio) })
    expect([code, out]).toEqual([10, expect.stringMatching(/✗ Not saved: .*EROFS/)])
    expect(err).toMatch(/answer my-novel <retry\|abort>/)
    expect([novel.read(chapter(2)), novel.git('status', '--short')]).toEqual([beats(2), ''])
    const { id } = listRuns(novel)[0]!
    await startPawl(novel, ['answer', id, 'retry'])
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expect(novel.read(chapter(2))).toBe(beats(2, 'grey'))
  })

  test('a full disk: what was written is put back, and it goes on when there is room', async (context) => {
    needs(context, 'namespaces')
    const novel = newNovel({ chapters: 4, steps })
    const level = join(novel.folder, 'chapter-beats')
    const copy = join(novel.root, 'copy')
    fs.cpSync(level, copy, { recursive: true })
    // One page is left: enough for the chapters one after the other and for the history, but not for one more file.
    const mounts = await newMounts(`mount -t tmpfs -o size=${4096 * 6} none '${level}'\ncp '${copy}'/* '${level}'/`)
    const before = mounts.enter(novel.studio)
    const seen = (path: string): string => mounts.see(join(novel.folder, path))
    const { code, out } = await startPawl(novel, wordsOf(novel), { before })
    expect([code, out]).toEqual([10, expect.stringMatching(/✗ Not saved: .*ENOSPC/)])
    for (const number of [2, 3]) expect(fs.readFileSync(seen(chapter(number)), 'utf8')).toBe(beats(number))
    expect(fs.readdirSync(seen('chapter-beats')).toSorted()).toEqual(fs.readdirSync(copy).toSorted())
    const [enter, ...words] = before
    execFileSync(enter!, [...words, 'mount', '-o', 'remount,size=1m', level])
    const { id } = listRuns(novel)[0]!
    await startPawl(novel, ['answer', id, 'retry'], { before })
    expect((await startPawl(novel, ['resume', id], { before })).code).toBe(0)
    for (const number of [2, 3]) expect(fs.readFileSync(seen(chapter(number)), 'utf8')).toBe(beats(number, 'grey'))
  })
})
