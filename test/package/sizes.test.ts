import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenBounds, measure, type SourceFile } from '../../scripts/sizes/measure.ts'

const root = join(import.meta.dirname, '..', '..')

function file(name: string, lines: number, widest = 80): SourceFile {
  return { file: name, lines, widest }
}

test('the source keeps its bounds', () => {
  expect(brokenBounds(measure(join(root, 'src')))).toEqual([])
})

test('the source is formatted at 120 columns', () => {
  const { formatter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  expect(formatter.lineWidth).toBe(120)
  const kernel = measure(join(root, 'src')).filter((one) => one.file.startsWith('kernel/'))
  for (const one of kernel)
    expect(readFileSync(join(root, 'src', one.file), 'utf8')).not.toContain('biome-ignore format')
})

test('a median of 80 lines passes, 81 does not', () => {
  expect(brokenBounds([file('app/a.ts', 10), file('app/b.ts', 80), file('app/c.ts', 150)])).toEqual([])
  expect(brokenBounds([file('app/a.ts', 10), file('app/b.ts', 81), file('app/c.ts', 150)])).toEqual([
    'the median file has 81 lines; the bound is 80',
  ])
})

test('one file in ten may pass 200 lines, two may not, and none may pass 300', () => {
  const small = Array.from({ length: 9 }, (_, at) => file(`app/${at}.ts`, 40))
  expect(brokenBounds([...small, file('app/big.ts', 300)])).toEqual([])
  expect(brokenBounds([...small.slice(1), file('app/a.ts', 201), file('app/b.ts', 202)])).toEqual([
    'the ninth file in ten has 201 lines; the bound is 200',
  ])
  expect(brokenBounds([...small, file('app/big.ts', 301)])).toEqual(['app/big.ts has 301 lines; the bound is 300'])
})

test("the kernel's pure part has 400 lines and its driver 280", () => {
  const pure = Array.from({ length: 5 }, (_, at) => file(`kernel/${at}.ts`, 80))
  expect(
    brokenBounds([...pure, ...pure.map(({ lines }) => file('app/x.ts', lines)), file('kernel/run.ts', 280)]),
  ).toEqual([])
  const over = [...pure, file('kernel/more.ts', 1), file('kernel/run.ts', 281)]
  expect(brokenBounds([...over, ...Array.from({ length: 5 }, () => file('app/x.ts', 1))])).toEqual([
    "the kernel's pure part has 401 lines; the bound is 400",
    'kernel/run.ts has 281 lines; the bound is 280',
  ])
})

test('a kernel line over 120 columns is told', () => {
  expect(brokenBounds([file('kernel/a.ts', 10, 121)])).toEqual(['kernel/a.ts has a line over 120 columns'])
})
