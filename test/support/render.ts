import type { Block, Line, Section } from '../../src/contract/show.ts'
import { type Rendering, renderLine } from '../../src/surfaces/terminal/render.ts'
import { renderBlocks, renderSections } from '../../src/surfaces/terminal/render-blocks.ts'
import { plainOf } from '../../src/surfaces/terminal/styled.ts'

type Given = Partial<Rendering>
const usual: Rendering = { program: 'pawl', cwd: '/repo', now: 0 }

/** What a mode shows, as a person reads it at a terminal. */
export const lineText = (line: Line, given: Given = {}): string => renderLine(line, { ...usual, ...given })
export const lineTexts = (lines: readonly Line[], given: Given = {}): string[] =>
  lines.map((line) => lineText(line, given))
export const blockTexts = (blocks: readonly Block[], given: Given = {}): string[] =>
  renderBlocks(blocks, { ...usual, ...given }).map(plainOf)
type TextSection = { readonly title: string; readonly lines: readonly string[] }
export const sectionTexts = (sections: readonly Section[], given: Given = {}): TextSection[] =>
  renderSections(sections, { ...usual, ...given }).map(({ title, lines }) => ({ title, lines: lines.map(plainOf) }))
