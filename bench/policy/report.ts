import { aligned } from '../table.ts'
import type { Gap } from './bias.ts'
import type { Cell } from './cell.ts'

export type Report = {
  readonly sideBySide: readonly Cell[]
  readonly variants: readonly Cell[]
  readonly bias: readonly Gap[]
}

export const renderReport = ({ sideBySide, variants, bias }: Report): string =>
  [
    'The presets side by side',
    cellTable(sideBySide),
    '',
    'One thing changed at a time',
    cellTable(variants),
    '',
    'A judge that is 10 too mild and one that is 15 too harsh, on the same texts',
    aligned(
      ['sigma', 'rule', 'apart as they speak', 'apart as they are read', 'of one text', 'one score off by'],
      bias.map(({ sigma, rule, raw, read, apart, off }) => [
        `${sigma}`,
        rule,
        ...[raw, read, apart, off].map((value) => value.toFixed(1)),
      ]),
    ),
    '',
    legend,
  ].join('\n')

const columns: readonly (readonly [string, keyof Cell, number])[] = [
  ['<80 %', 'falseAccepts', 1],
  ['<75 %', 'farAccepts', 1],
  ['missed %', 'missed', 1],
  ['late', 'late', 2],
  ['past best', 'afterBest', 2],
  ['escalated %', 'escalations', 1],
  ['in vain %', 'falseEscalations', 1],
  ['judged', 'judgements', 1],
  ['written', 'rounds', 2],
  ['completed %', 'completed', 1],
  ['sound %', 'sound', 1],
  ['given', 'given', 1],
  ['lost', 'regret', 2],
]

const cellTable = (cells: readonly Cell[]): string =>
  aligned(
    ['sigma', 'rule', ...columns.map(([head]) => head)],
    cells.map((cell) => [
      `${cell.sigma}`,
      cell.rule,
      ...columns.map(([, key, places]) => Number(cell[key]).toFixed(places)),
    ]),
  )

const legend = [
  '<80, <75     accepted phases whose text is truly worth less',
  'missed       runs that ended in a phase that had a text worth 80 and accepted none',
  'late         rounds after a text of the phase was worth 80; past best: after the best one of the phase',
  'in vain      runs that called the stronger model where the weak one would have got there with the tries left',
  'judged       judgements, written: texts, both of a run',
  'sound        completed, and every phase truly worth 80',
  'given        true worth of what the run gives back; lost: how much more the best of that phase was worth',
].join('\n')
