/** What a label before a colon means for the line that it belongs to. */
export type Field = 'id' | 'depends' | 'files' | 'covers' | 'more' | 'said' | 'quiet'

const labels: Readonly<Record<Field, string>> = {
  id: 'id|task id|story id',
  depends:
    'depends|depends on|dependencies|dependency|blocked by|prerequisites|prerequisite|after|abhängigkeiten|abhängig von|voraussetzungen|nach',
  files:
    'files|file|file focus|paths|files to modify|files to create|files to change|touches|dateien|datei|betroffene dateien',
  covers: 'requirements|requirement|covers|implements|satisfies|maps to|traces to|refs|fulfils|anforderungen|erfüllt',
  // What is said below it, or behind it, is part of what is asked for.
  more:
    'acceptance criteria|acceptance|criteria|done when|tests|test|acceptance scenarios|steps|akzeptanzkriterien|' +
    'abnahmekriterien|fertig wenn|schritte',
  // Words like any others, which tell that a story is told.
  said: 'description|details|user story|goal|beschreibung|ziel',
  quiet:
    'priority|status|estimate|size|owner|effort|points|story points|assignee|labels|complexity|why this priority|type|' +
    'issue type|author|date|version|created|last updated|reporter|sprint|priorität|aufwand|autor|datum',
}
const byLabel = new Map(
  Object.entries(labels).flatMap(([field, all]) => all.split('|').map((one) => [one, field as Field])),
)

export type FieldLine = { readonly field: Field; readonly label: string; readonly value: string }

/** `**Depends:** T-1`, `- Files: a.ts`, `_Requirements: 1.1, 2.3_`. */
export function fieldIn(raw: string): FieldLine | undefined {
  const colon = raw.indexOf(':')
  if (colon < 2 || colon > 40) return undefined
  const label = raw.slice(0, colon).replace(/[*_`]/g, '').trim().toLowerCase()
  const field = byLabel.get(label)
  if (!field) return undefined
  const value = raw
    .slice(colon + 1)
    .replace(/^[*_\s]+/, '')
    .replace(/(?<![*_\s])[*_\s]+$/, '')
  return { field, label: raw.slice(0, colon + 1), value }
}
