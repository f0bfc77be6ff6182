import type { Categories } from '../../contract/project-type.ts'

/** How many options a category takes, in words. */
const rules: Readonly<Record<string, string>> = {
  select_one: 'choose one',
  select_primary: 'choose the main one',
  select_primary_and_secondary: 'choose a main and a second one',
  select_one_primary_optional_secondary: 'choose one, perhaps a second',
  select_one_or_two: 'choose one or two',
  select_up_to_three: 'choose up to three',
  select_multiple: 'choose several',
  select_all_that_apply: 'choose all that apply',
}

/** The categories and their options by key, for a premise that has to choose. Names only: the descriptions would fill a small context. */
export const formatTaxonomy = (categories: Categories): string =>
  Object.entries(categories)
    .map(([key, { category_name, selection_rule, options, required }]) => {
      const names = Object.entries(options).map(([option, { name }]) => `${option} (${name})`)
      return `${key}: ${category_name}; ${rules[selection_rule]}${required ? '; required' : ''}: ${names.join(', ')}`
    })
    .join('\n')

/** The choices of a premise with their meaning, for every level made from it. Unknown keys are the author's own words. */
export function formatSelections(categories: Categories, selections: unknown): string {
  if (typeof selections !== 'object' || selections === null) return ''
  return Object.entries(selections)
    .map(([key, value]) => {
      const chosen = (Array.isArray(value) ? value : [value]).map(String)
      const category = categories[key]
      const described = chosen.map((option) => {
        const known = category?.options[option]
        return known ? `${known.name} (${known.description})` : option
      })
      return `${category?.category_name ?? key}: ${described.join('; ')}`
    })
    .join('\n')
}
