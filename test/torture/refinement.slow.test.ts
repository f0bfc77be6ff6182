import { expect, onTestFinished, test } from 'vitest'
import { isWhole } from '../support/sample.ts'
import { exitOf } from './kill.ts'
import { newStage } from './refinement/stage.ts'
import { tortureRefinement } from './refinement.ts'

test('kills with -9 of refinements: no recorded call is made again, no note is lost, the text is handed over once', async () => {
  const wanted = isWhole ? 20 : 5
  const { kills, problems } = await tortureRefinement(wanted, 20261115)
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(wanted)
})

test.for([
  ['its end', 50, 2, 13],
  ['that was decided', 49, 0, 15],
] as const)(
  'feedback for a run that was killed right before %s is taken up or refused',
  async ([, line, refused, calls]) => {
    const stage = await newStage('out')
    onTestFinished(() => stage.close({ keep: false }))
    await exitOf(stage.start(stage.words, `journal ${line} before`))
    const [run] = await stage.runs()
    expect(await exitOf(stage.start(['feedback', run!.id, 'note-1']))).toBe(refused)
    expect(await exitOf(stage.start(['resume', run!.id]))).toBe(0)
    expect(stage.served()).toHaveLength(calls)
    expect(stage.served().filter(({ notes }) => notes.includes('note-1'))).toHaveLength(refused ? 0 : 1)
  },
)

test("a run that was killed as soon as it was one is its person's own, and so is a fork", async () => {
  const stage = await newStage('weak')
  onTestFinished(() => stage.close({ keep: false }))
  expect(await exitOf(stage.start(stage.words, 'name request.json'))).toBe(null)
  const [run] = await stage.runs()
  expect(await exitOf(stage.start(['resume', run!.id]))).toBe(30)
  const words = ['fork', run!.id, '--at', '10', '--feedback', 'note-1']
  expect(await exitOf(stage.start(words, 'name request.json'))).toBe(null)
  const [child] = await stage.runs()
  expect(child!.id).not.toBe(run!.id)
  expect(await exitOf(stage.start(['resume', child!.id]))).toBe(30)
})
