import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { iterate } from '../../../../src/index.ts'
import { beats, file, newNovel } from '../support/novel.ts'
import { createWriterModel, type WriterOptions } from '../support/writer-model.ts'

const play = (
  novel: ReturnType<typeof newNovel>,
  target: string,
  feedback: string,
  options: WriterOptions & Record<string, unknown> = {},
) => {
  const { limitTokens, plan, revise, create, parts, verdict, ...rest } = options
  const given = { limitTokens, plan, revise, create, parts, verdict }
  const model = createWriterModel(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
  const result = iterate(target, feedback, {
    project: novel.folder,
    model: 'writer',
    models: { writer: model },
    env: novel.env,
    ...rest,
  })
  return result.then((found) => ({ result: found, model }))
}

const paragraph = (number: number): string =>
  Array.from(
    { length: 12 },
    (_, at) => `Bell ${number}.${at} rang over the wet roofs, and nobody in the quarter dared to count.`,
  ).join(' ')

describe('iterate(target, feedback, options)', () => {
  test('003-Q12, 003-Q13: context, generation with a judge, diff, approval, commit: without a terminal', async () => {
    const novel = newNovel({ prose: 2 })
    const events: string[] = []
    const { result } = await play(novel, 'chapters', 'Make chapter 3 darker', {
      plan: () => [{ name: file(3) }],
      verdict: (call) => (call === 1 ? 'needs_revision' : 'approved'),
      onEvent: ({ type, task }: { type: string; task: string | null }) =>
        type === 'attempt-started' && events.push(task!),
    })
    expect(result).toMatchObject({
      status: 'completed',
      target: 'chapters',
      judge_attempts: 2,
      judge_verdict: 'approved',
      files_changed: 1,
    })
    expect(events).toEqual(['revise-1', 'revise-1', 'describe-2', 'finalize'])
    expect(result.commit).toBe(novel.git('rev-parse', 'HEAD'))
    expect(result.verdicts.map(({ verdict }) => verdict)).toEqual(['needs_revision', 'approved'])
    expect(result.diff?.stats).toMatchObject({ files_changed: 1, files_total: 16 })
    expect(fs.existsSync(join(novel.folder, 'chapters/chapter-01.md'))).toBe(true)
  })

  test('cullDownstream deletes what was made from it, in the same commit', async () => {
    const novel = newNovel({ prose: 2 })
    await play(novel, 'chapters', 'Make chapter 3 darker', { plan: () => [{ name: file(3) }], cullDownstream: true })
    expect(fs.existsSync(join(novel.folder, 'chapters/chapter-01.md'))).toBe(false)
    expect(novel.git('show', '--name-status', '--format=', 'HEAD')).toContain('D\tmy-novel/chapters/chapter-01.md')
  })

  test('nothing is saved if it is not accepted, or if the judge rejects every attempt', async () => {
    const novel = newNovel()
    const head = novel.git('rev-parse', 'HEAD')
    const refused = await play(novel, 'chapters', 'Make chapter 3 darker', {
      plan: () => [{ name: file(3) }],
      accept: false,
    })
    expect(refused.result).toMatchObject({ status: 'cancelled', commit: null })
    const never = await play(novel, 'chapters', 'Make chapter 3 darker', {
      plan: () => [{ name: file(3) }],
      verdict: () => 'needs_revision',
      maxAttempts: 3,
    })
    expect(never.result).toMatchObject({ judge_attempts: 3, commit: null, status: 'failed' })
    expect([novel.git('rev-parse', 'HEAD'), novel.git('status', '--porcelain')]).toEqual([head, ''])
  })

  test('an unknown option, target or project is refused', async () => {
    const novel = newNovel()
    await expect(play(novel, 'foo', 'x')).rejects.toThrow(
      'Invalid target. Valid targets: premise, treatment, chapters, prose',
    )
    await expect(play(novel, 'chapters', 'x', { cull: true })).rejects.toThrow('cull')
    await expect(play({ ...novel, folder: join(novel.studio, 'nothing') }, 'chapters', 'x')).rejects.toThrow(
      'there is no project',
    )
  })
})

describe('a model with short replies', () => {
  test('15 chapters from a model limited to 4,000 output tokens', async () => {
    const novel = newNovel({ chapters: 0 })
    // Each of them is longer than one reply.
    const long = (name: string): string =>
      [`# ${name}`, ...Array.from({ length: 20 }, (_, at) => paragraph(at)), `The end of ${name}.`].join('\n\n')
    const { result, model } = await play(novel, 'chapters', '', {
      limitTokens: 4000,
      parts: 15,
      create: long,
      generate: true,
    })
    expect(result).toMatchObject({ status: 'completed' })
    for (let number = 1; number <= 15; number += 1) {
      expect(novel.read(`chapter-beats/${file(number)}`)).toBe(`${long(file(number))}\n`)
    }
    expect(model.calls.some(({ system }) => system?.includes('continue a text'))).toBe(true)
  })

  test('a group of files whose reply is cut off is finished one by one, and nothing is written twice', async () => {
    const novel = newNovel({ chapters: 6 })
    const { result, model } = await play(novel, 'chapters', 'More bells everywhere', {
      limitTokens: 500,
      plan: (_feedback, names) => names.filter((name) => name.startsWith('chapter')).map((name) => ({ name })),
      revise: (_name, text) => text.replace('Unease', 'Deep unease'),
    })
    expect(result.files_changed).toBe(6)
    for (let number = 1; number <= 6; number += 1) {
      expect(novel.read(`chapter-beats/${file(number)}`)).toBe(beats(number).replace('Unease', 'Deep unease'))
    }
    const writes = model.calls.filter(({ system }) => system?.includes('You revise a written work'))
    expect(writes.length).toBeLessThanOrEqual(7)
  })

  test('"make chapter 3 darker" leaves the other chapters as they are, byte for byte, except named ripples', async () => {
    const novel = newNovel()
    novel.write(`chapter-beats/${file(9)}`, beats(9).replaceAll('\n', '\r\n'))
    novel.git('commit', '-qam', 'CRLF')
    const before = new Map(Array.from({ length: 15 }, (_, at) => [at + 1, novel.read(`chapter-beats/${file(at + 1)}`)]))
    const { result } = await play(novel, 'chapters', 'Make chapter 3 darker', {
      // The model wants to touch everything; only what has a reason may change.
      plan: (_feedback, names) =>
        names.map((name) => ({ name, ripple: true, task: name === file(4) ? 'Ilse must react' : '' })),
      revise: (_name, text) => text.replace('Unease', 'Dread'),
    })
    const changed = [...before]
      .filter(([number, text]) => novel.read(`chapter-beats/${file(number)}`) !== text)
      .map(([number]) => number)
    expect(changed).toEqual([3, 4])
    expect(result.files_changed).toBe(2)
  })
})
