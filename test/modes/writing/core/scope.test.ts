import { describe, expect, test } from 'vitest'
import { findLevel } from '../../../../src/modes/writing/core/level/levels.ts'
import { findScope } from '../../../../src/modes/writing/core/level/scope.ts'
import { builtInTypesFolder, loadType } from '../../../../src/modes/writing/project/types.ts'

const { type } = loadType('novel', [builtInTypesFolder()])
const chapters = findLevel(type, 'chapters')!
const numbers = Array.from({ length: 15 }, (_, at) => at + 1)
const scope = (feedback: string) => {
  const found = findScope(feedback, chapters, numbers)
  return found && { numbers: [...found.numbers].sort((a, b) => a - b), lead: found.lead }
}

describe('the files that a feedback names', () => {
  test.for([
    ['Make chapter 3 darker', [3]],
    ['make Chapter 3 and chapter 7 darker', [3, 7]],
    ['Chapters 2-4 drag', [2, 3, 4]],
    ['Chapters 2, 5 and 9 to 11 need rain', [2, 5, 9, 10, 11]],
    ['ch. 12 is too long', [12]],
    ['Shorten the last chapter', [15]],
    ['The first chapter and the third chapter repeat each other', [1, 3]],
    ['chapter #4 needs a storm', [4]],
    ['chapters 8–10', [8, 9, 10]],
  ] as const)('%s', ([feedback, expected]) => {
    expect(scope(feedback)).toEqual({ numbers: expected, lead: false })
  })

  test.for([
    'Make the ending more ambiguous',
    'He is 3 years older',
    'Add three chapters',
    'More bells in every chapter',
    'The chapter about bells',
    '',
  ])('none: %s', (feedback) => expect(scope(feedback)).toBeUndefined())

  test('the file that belongs to all is named by its name', () => {
    expect(scope('The foundation says he is 40')).toEqual({ numbers: [], lead: true })
    expect(scope('He is foundational')).toBeUndefined()
  })

  test('a level of one file has no scope', () => {
    expect(findScope('chapter 3', findLevel(type, 'treatment')!, [])).toBeUndefined()
  })

  test('a hostile feedback takes no time', () => {
    const began = performance.now()
    scope(`chapters ${'1, '.repeat(50_000)}`)
    scope('chapter '.repeat(50_000))
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
