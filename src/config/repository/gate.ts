/** What a gate is for. Cheap ones come first, so that a slip is told before the long tests run. */
export const purposes = ['lint', 'types', 'check', 'build', 'test'] as const
export type Purpose = (typeof purposes)[number]

/** A command that the repository itself suggests, and the file that does. */
export type Gate = { readonly command: string; readonly purpose: Purpose; readonly from: string }

/** Names that people give to scripts, tasks and targets; the first one that is there counts. */
const names: readonly (readonly [Purpose, readonly string[]])[] = [
  ['lint', ['lint']],
  ['types', ['typecheck', 'type-check', 'check-types', 'check:types', 'types']],
  ['build', ['build']],
  ['test', ['test']],
]

/** The scripts worth proposing, by purpose. `check` is often all of them in one, so it stands in for what is missing. */
export function pickNames(known: readonly string[]): readonly (readonly [Purpose, string])[] {
  const picked = names.flatMap(([purpose, wanted]) => {
    const name = wanted.find((one) => known.includes(one))
    return name === undefined ? [] : [[purpose, name] as const]
  })
  const covered = picked.some(([purpose]) => purpose === 'lint' || purpose === 'types')
  return known.includes('check') && !covered ? [...picked, ['check', 'check']] : picked
}

export const sorted = (gates: readonly Gate[]): readonly Gate[] =>
  purposes.flatMap((purpose) => gates.filter((gate) => gate.purpose === purpose))
