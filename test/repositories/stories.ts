import type { Journey, Language, Unit } from './recipe.ts'

/** Two units of a PRD; the second uses the first. */
export const unitsOf = (set: string): readonly [Unit, Unit] => [
  { name: `${set}S1`, value: 1, uses: undefined },
  { name: `${set}S2`, value: 2, uses: `${set}S1` },
]

export const prdOf = (title: string, { files }: Language, units: readonly Unit[]): string =>
  [
    `# ${title}`,
    '',
    '## Tasks',
    '',
    ...units.flatMap((unit, index) => [
      `### T-${index + 1}: Write ${unit.name}, which returns ${unit.value}`,
      '',
      ...(unit.uses === undefined ? [] : [`Depends: T-${index}`]),
      `Files: ${Object.keys(files(unit)).join(', ')}`,
      '',
    ]),
  ].join('\n')

/** Red until the story's own test exists and the whole suite passes with it. */
export const proofOf = ({ language, suite }: Journey, set: string): string =>
  `test -s ${language.test(`${set}S1`).replace('S1', '{story_id}')} && { ${suite}; }`
