// `npm run figures [-- --check] [folder]` prints figures about rooms and files. With --check it prints only exceeded limits.
import { join, resolve } from 'node:path'
import { brokenBounds, type Figure, measureFigures } from './figures/measure.ts'

const words = process.argv.slice(2)
const root = resolve(words.find((word) => !word.startsWith('-')) ?? join(import.meta.dirname, '..'))
const figures = measureFigures(root)
const broken = brokenBounds(figures)

if (words.includes('--check')) {
  for (const sentence of broken) console.error(sentence)
  if (broken.length > 0) process.exitCode = 1
} else for (const figure of figures) console.log(formatFigure(figure))

function formatFigure({ name, value, details, bound }: Figure): string {
  const notes = [...(bound === undefined ? [] : [`at most ${bound}`]), ...(details ? [details] : [])]
  return [name.padEnd(48), String(value).padStart(6), ...(notes.length > 0 ? [`  ${notes.join('; ')}`] : [])].join('')
}
