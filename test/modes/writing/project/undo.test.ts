import * as fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SavePlan } from '../../../../src/modes/writing/core/save-plan.ts'
import { commitManualEdits } from '../../../../src/modes/writing/project/manual-edits.ts'
import { hashText } from '../../../../src/modes/writing/project/project.ts'
import { saveIteration } from '../../../../src/modes/writing/project/save.ts'
import { redoIteration, undoIteration } from '../../../../src/modes/writing/project/undo.ts'
import { newStudio } from '../support/random-studio.ts'

const treatment = 'treatment/treatment.md'

function newProject() {
  const studio = newStudio(['novel'])
  onTestFinished(studio.close)
  const { machine, at, git, write } = studio
  const put = (path: string, text: string): void => write(`novel/${path}`, text)
  const read = (path: string): string => fs.readFileSync(at(`novel/${path}`), 'utf8')
  const commit = (): void => void git('commit', '-qm', 'mine', '--', 'novel')
  put(treatment, 'one\n')
  put('premise/premise_metadata.json', '{}\n')
  git('add', 'novel')
  commit()
  const open = studio.open('novel')
  const entry = (id: string, timestamp: string) => ({
    timestamp,
    feedback: id,
    judge_attempts: 1,
    judge_verdict: 'approved' as const,
    judge_reasoning: '',
    semantic_summary: '',
    files_changed: 1,
    lines_changed: 1,
    iteration_id: id,
  })
  /** Saves an iteration on the treatment. null removes a file. */
  const save = (id: string, files: Readonly<Record<string, string | null>>, timestamp = '2026-01-01T00:00:00Z') => {
    const sha256 = (path: string): string | null => (fs.existsSync(at(`novel/${path}`)) ? hashText(read(path)) : null)
    const plan: SavePlan = {
      target: 'treatment',
      folder: 'treatment',
      files: Object.entries(files).map(([path, text]) => ({ path, text, sha256: sha256(path) })),
      culled: [],
      madeFrom: {},
      entry: entry(id, timestamp),
      subject: `[treatment] ${id}`,
      body: '',
    }
    return saveIteration(plan, { machine, folder: at('novel'), run: id })
  }
  const history = (): unknown[] =>
    (JSON.parse(read('treatment/iteration_history.json')) as { iterations: { feedback: string }[] }).iterations.map(
      ({ feedback }) => feedback,
    )
  return {
    ...studio,
    put,
    read,
    commit,
    save,
    history,
    entry,
    undo: (named?: string) => undoIteration(open, machine, named),
    redo: () => redoIteration(open, machine),
    commitEdits: () => commitManualEdits(open, machine),
  }
}

describe('taking back an iteration', () => {
  test('keeps entries of the history that were never committed', async () => {
    const { put, save, undo, redo, history, entry } = newProject()
    put(
      'treatment/iteration_history.json',
      JSON.stringify({ iterations: [{ ...entry('old', '2025-01-01T00:00:00Z'), commit_sha: 'abc123f' }] }),
    )
    await save('new', { [treatment]: 'two\n' })
    expect(history()).toEqual(['new', 'old'])
    expect(await undo()).toMatchObject({ is: 'done' })
    expect(history()).toEqual(['old'])
    await redo()
    expect(history()).toEqual(['new', 'old'])
  })

  test('that the person took back by hand: only its entry goes, and redo brings the entry back', async () => {
    const { put, read, git, commit, save, undo, redo, history } = newProject()
    await save('new', { [treatment]: 'two\n' })
    put(treatment, 'one\n')
    git('add', 'novel')
    commit()
    expect(await undo()).toMatchObject({ is: 'done' })
    expect([history(), read(treatment)]).toEqual([[], 'one\n'])
    expect(await redo()).toMatchObject({ is: 'done' })
    expect([history(), read(treatment)]).toEqual([['new'], 'one\n'])
  })

  test('keeps the order of iterations that were saved in the same second', async () => {
    const { save, undo, redo, history } = newProject()
    await save('20260101-000000-001', { [treatment]: 'two\n' })
    await save('20260101-000000-002', { 'premise/premise_metadata.json': '{"a":1}\n' })
    expect(await undo('20260101-000000-002')).toMatchObject({ is: 'done' })
    await redo()
    expect(history()).toEqual(['20260101-000000-002', '20260101-000000-001'])
  })

  test('by the beginning of its name only if no other begins so', async () => {
    const { save, undo, read } = newProject()
    await save('20260101-a', { [treatment]: 'two\n' })
    await save('20260101-b', { 'premise/premise_metadata.json': '{"a":1}\n' })
    expect(await undo('2026')).toEqual({ is: 'refused', says: '2026 fits 2 iterations. Name more of it.' })
    expect(read(treatment)).toBe('two\n')
    expect(await undo('20260101-a')).toMatchObject({ is: 'done' })
    expect(read(treatment)).toBe('one\n')
    expect(await undo('20260101-x')).toEqual({ is: 'nothing' })
  })

  test('brings a removed file back executable', async () => {
    const { at, git, save, undo, commit } = newProject()
    const path = at(`novel/${treatment}`)
    fs.chmodSync(path, 0o755)
    commit()
    await save('gone', { [treatment]: null })
    expect(fs.existsSync(path)).toBe(false)
    await undo()
    expect((fs.statSync(path).mode & 0o111) !== 0).toBe(true)
    expect(git('status', '--short', 'novel')).toBe('')
    expect(git('ls-tree', 'HEAD', `novel/${treatment}`)).toMatch(/^100755 /)
  })

  test('changes nothing at all if git refuses', async () => {
    const { at, git, read, save, undo, commit } = newProject()
    const path = at(`novel/${treatment}`)
    fs.chmodSync(path, 0o755)
    commit()
    await save('gone', { [treatment]: null, 'treatment/new.md': 'new\n' })
    await undo()
    git('checkout', '-q', '--detach')
    const before = git('status', '--short', 'novel')
    expect(await save('again', { [treatment]: null, 'premise/premise_metadata.json': '[]\n' })).toMatchObject({
      is: 'refused',
      says: expect.stringMatching('HEAD is detached'),
    })
    expect([git('status', '--short', 'novel'), read(treatment)]).toEqual([before, 'one\n'])
    expect((fs.statSync(path).mode & 0o111) !== 0).toBe(true)
  })

  test('there is nothing to take back in a new project', async () => {
    const { git, put, read, undo } = newProject()
    put('project.yaml', `${read('project.yaml')}author: Ada\n`)
    git('commit', '-q', '-m', '[project] New project novel\n\nIteration-Id: 20260101-000000-001', '--', 'novel')
    expect(await undo()).toEqual({ is: 'nothing' })
  })
})

describe('own edits', () => {
  test('of permissions, or in the index alone, are not reported as committed', async () => {
    const { at, git, put, commitEdits } = newProject()
    fs.chmodSync(at(`novel/${treatment}`), 0o755)
    put('premise/premise_metadata.json', '[]\n')
    git('add', 'novel/premise')
    put('premise/premise_metadata.json', '{}\n')
    expect(await commitEdits()).toEqual([])
    put('notes.md', 'mine\n')
    expect(await commitEdits()).toEqual(['notes.md'])
  })

  test('a folder in place of a file, a link and a pipe do not stop an iteration', async () => {
    const { at, git, put, commitEdits } = newProject()
    put('maps', 'a file\n')
    await commitEdits()
    fs.rmSync(at('novel/maps'))
    put('maps/city.md', 'a city\n')
    fs.symlinkSync('/etc', at('novel/etc'))
    fs.symlinkSync('/etc/hostname', at('novel/host.md'))
    expect((await commitEdits()).toSorted()).toEqual(['maps', 'maps/city.md'])
    expect(git('status', '--short', 'novel')).toBe('?? novel/etc\n?? novel/host.md\n')
  })
})
