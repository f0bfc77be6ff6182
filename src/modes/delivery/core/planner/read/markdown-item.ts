import { cleanText, extractTitle } from './clean.ts'
import { findNeeds } from './depends.ts'
import type { Row } from './fields.ts'
import { findFiles } from './files.ts'
import { findIds, type Kind } from './ids.ts'
import type { Item, Place } from './item.ts'
import { type At, type Here, splitId } from './kinds.ts'
import { isScenario, readScenarioName, takeTags } from './line-predicates.ts'
import { findEnd, type Node } from './outline.ts'
import type { Rules } from './rules.ts'

export type Created = {
  readonly kind: Kind
  readonly at: At
  readonly here: Here
  readonly said: string
  readonly row: Row | undefined
}

/** Creates the item that a block of Markdown stands for. */
export function createItem({ kind, at, here, said, row }: Created, rules: Rules) {
  const isPart = kind === 'detail' || kind === 'prose'
  const raw = isPart && row?.id ? `${row.id.shown}: ${said}` : said
  const { id, rest } = isPart ? { id: null, rest: raw } : row?.id ? { id: row.id, rest: raw } : splitId(raw, rules)
  const tags = kind === 'task' ? takeTags(rest) : { covers: [], rest }
  const own = kind === 'phase' ? raw : tags.rest.replace(/\s{0,3}\((?:priority:?\s{0,3})?P\d\)/i, '')
  const title = extractTitle(isScenario(own) ? readScenarioName(own) : own) || extractTitle(raw) || 'untitled'
  const place: Place = { parent: here.place, heading: title, item: null }
  const item: Item = {
    kind,
    form: id && rest === '' && !row ? 'mention' : chooseForm(kind, at, here, row),
    id,
    title,
    text: cleanText(own) || title,
    line: at.line,
    endLine: Math.max(at.line, at.children ? findEnd(at as Node) : at.endLine),
    place,
    priority: 0,
    needs: findNeeds(rest, at.line, rules.numbered || here.item?.id?.prefix === ''),
    covers: [...tags.covers],
    mentions: findIds(cleanText(rest)).map((found) => found.id),
    files: findFiles(rest),
    code: [],
  }
  place.item = item
  return { item, isTagged: tags.covers.length > 0 }
}

function chooseForm(kind: Kind, { sort }: At, { section }: Here, row: Row | undefined): Item['form'] {
  if (section === 'context' && sort !== 'heading') return 'mention'
  if (sort === 'heading') return 'heading'
  if (row && row.form !== 'row') return row.form
  if (section === 'criterion' && kind !== 'criterion') return 'remark'
  return row ? 'row' : 'line'
}
