// Figures that show whether each mode is one room, and whether files are more than fragments.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderCycles, fullFolders } from '../fence/folders.ts'
import { findImports, importGraph, readSources, type Sources } from '../fence/sources.ts'
import { tokensOf } from '../fence/tokens.ts'
import { countImporters, longestChain } from './graph.ts'
import { findModeNames } from './mode-names.ts'

export type Figure = {
  readonly name: string
  readonly value: number
  readonly details?: string
  readonly bound?: number
}

/** Measures a checkout: `root` contains `src` and `test`. */
export function measureFigures(root: string): Figure[] {
  const sources = readSources(join(root, 'src'))
  const tests = readSources(join(root, 'test'))
  return [
    { name: 'files in src', value: sources.size },
    { name: 'lines in src', value: countLines(sources) },
    { name: 'files in test', value: tests.size },
    { name: 'lines in test', value: countLines(tests) },
    ...modeFigures(sources, listModes(root)),
    ...graphFigures(sources),
    { name: 'functions and constants ending in Of, In or By', value: countReversedNames(sources) },
  ]
}

export function brokenBounds(figures: readonly Figure[]): string[] {
  return figures.flatMap(({ name, value, details, bound }) => {
    if (bound === undefined || value <= bound) return []
    return [`${name}: ${value}, at most ${bound}${details ? ` (${details})` : ''}`]
  })
}

function listModes(root: string): string[] {
  const folders = readdirSync(join(root, 'src', 'modes'), { withFileTypes: true })
  return folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** `index.ts` is the library, which exports single modes on purpose. */
function modeFigures(sources: Sources, modes: readonly string[]): Figure[] {
  const shared = [...sources].filter(([file]) => !file.startsWith('modes/') && file !== 'index.ts')
  const named = shared.map(([file, source]) => ({ file, found: findModeNames(file, source, modes) }))
  const knowing = named.filter(({ found }) => found.length > 0).map(({ file }) => file)
  const inMain = named.find(({ file }) => file === 'main.ts')?.found ?? []
  const filesPerMode = modes.map((mode) => named.filter(({ found }) => found.some((one) => one.mode === mode)).length)
  const linesPerMode = modes.map(
    (mode) => new Set(inMain.filter((one) => one.mode === mode).map(({ line }) => line)).size,
  )
  return [
    { name: 'shared files that know a mode', value: knowing.length, details: listSome(knowing), bound: 1 },
    { name: 'files outside its folder that a mode needs', value: Math.max(0, ...filesPerMode), bound: 2 },
    { name: 'lines of main.ts that a mode needs', value: Math.max(0, ...linesPerMode) },
  ]
}

function graphFigures(sources: Sources): Figure[] {
  const imports = findImports(sources)
  const graph = importGraph(imports)
  const cycles = folderCycles(imports)
  const full = fullFolders([...sources.keys()])
  const single = countImporters(graph).filter((count) => count === 1).length
  const chain = longestChain(graph)
  return [
    { name: 'folder cycles', value: cycles.length, details: listSome(cycles.map(({ reason }) => reason)), bound: 0 },
    { name: 'folders over 20 files', value: full.length, details: listSome(full.map(({ file }) => file)), bound: 0 },
    { name: 'files with one importer', value: single, details: `${Math.round((100 * single) / sources.size)} %` },
    { name: 'longest import chain', value: chain.length, details: `from ${chain[0]} to ${chain.at(-1)}` },
  ]
}

function countLines(sources: Sources): number {
  return [...sources.values()].reduce((sum, source) => sum + source.replace(/\n$/, '').split('\n').length, 0)
}

/** Names that read backwards: `scoreOf` instead of `readScore`. */
function countReversedNames(sources: Sources): number {
  const tokens = [...sources.values()].flatMap(tokensOf)
  const isDeclared = (at: number): boolean => ['function', 'const'].includes(tokens[at - 1]?.text ?? '')
  return tokens.filter(({ kind, text }, at) => kind === 'word' && /[a-z](Of|In|By)$/.test(text) && isDeclared(at))
    .length
}

function listSome(names: readonly string[]): string {
  const more = names.length > 5 ? [`and ${names.length - 5} more`] : []
  return [...names.slice(0, 5), ...more].join(', ')
}
