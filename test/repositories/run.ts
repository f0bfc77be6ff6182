import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StepResult, stepNames, travel } from './journey.ts'
import { makeRepository, makeVariant } from './make-repository.ts'
import type { Recipe, Variant } from './recipe.ts'
import { npmRecipes } from './recipes/npm.ts'
import { systemRecipes } from './recipes/system.ts'
import { variants } from './recipes/variants.ts'

// npm run repositories [-- name ...]: repositories of public generators, each with everything that a user would do.

const all = [...variants, ...systemRecipes, ...npmRecipes]
const words = process.argv.slice(2)
const unknown = words.filter((word) => !all.some(({ name, ecosystem }) => [name, ecosystem].includes(word)))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const chosen = words.length
  ? all.filter(({ name, ecosystem }) => [name, ecosystem].some((one) => words.includes(one)))
  : all

/** A folder of its own, so that kept repositories can be removed without touching anything else. */
const workFolder = join(tmpdir(), 'pawl-journeys')

type Row = { readonly recipe: Recipe | Variant; readonly skipped?: string; readonly results: readonly StepResult[] }

const rows: Row[] = []
for (const recipe of chosen) {
  const row = await visit(recipe)
  rows.push(row)
  console.log(formatRow(row))
}
const ran = rows.filter(({ skipped }) => skipped === undefined)
const failed = ran.filter(({ results }) => results.some(({ problems }) => problems.length > 0))
const ecosystems = new Set(ran.map(({ recipe }) => recipe.ecosystem)).size
console.log(
  `${ran.length} repositories in ${ecosystems} ecosystems, ${failed.length} with problems, ${rows.length - ran.length} skipped`,
)
process.exitCode = failed.length > 0 ? 1 : 0

async function visit(recipe: Recipe | Variant): Promise<Row> {
  fs.mkdirSync(workFolder, { recursive: true })
  const root = fs.realpathSync(fs.mkdtempSync(join(workFolder, `${recipe.name}-`)))
  const made = 'needs' in recipe ? makeRepository(recipe, root) : makeVariant(recipe, root)
  if ('skipped' in made) {
    fs.rmSync(root, { recursive: true, force: true })
    return { recipe, skipped: made.skipped, results: [] }
  }
  const results = await travel(made.place, recipe)
  if (results.every(({ problems }) => problems.length === 0)) fs.rmSync(root, { recursive: true, force: true })
  else console.log(`kept: ${root}`)
  return { recipe, results }
}

function formatRow({ recipe, skipped, results }: Row): string {
  const title = `${recipe.ecosystem} ${recipe.name}`.padEnd(28)
  if (skipped !== undefined) return `${title} skipped: ${skipped}`
  const marks = stepNames.map((name) => {
    const result = results.find(({ step }) => step === name)
    return `${name} ${result === undefined ? '-' : result.problems.length ? 'FAILED' : `${(result.ms / 1000).toFixed(1)}s`}`
  })
  const problems = results.flatMap((result) => result.problems.map((problem) => `    ${result.step}: ${problem}`))
  return [`${title} ${marks.join('  ')}`, ...problems].join('\n')
}
