import { Liquid, LiquidError } from 'liquidjs'

type Templates = Readonly<Record<string, string>>

export type Render = (template: string, values: Readonly<Record<string, unknown>>) => string

/**
 * Renders the templates of a project type. They are data: a template can include only others of the same type, reads no file and runs no
 * code, and its size and steps are bounded.
 */
export function createRenderer(templates: Templates): Render {
  const engine = createEngine(templates)
  return (name, values) => {
    if (!(name in templates)) throw new Error(`the project type has no template ${name}`)
    return engine.renderFileSync(name, values) as string
  }
}

const createEngine = (templates: Templates): Liquid =>
  new Liquid({
    templates: { ...templates },
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 4_000_000,
    renderLimit: 10_000,
    memoryLimit: 1_000_000_000,
  })

/** Line and column count from 1. */
export type TemplateProblem = { readonly line: number; readonly column: number; readonly found: string }

/** Finds what makes a template unusable whatever its values are: broken syntax, an unknown tag or filter, a missing part. */
export function findTemplateProblem(name: string, templates: Templates): TemplateProblem | undefined {
  try {
    createEngine(templates).parseFileSync(name)
  } catch (error) {
    if (!LiquidError.is(error)) throw error
    const [line, column] = error.token.getPosition() as [number, number]
    return { line, column, found: error.message.replace(/, file:[^,]*, line:.*$/s, '') }
  }
  const text = templates[name]!.replace(notRendered, (part) => part.replace(/[^\n]/g, ' '))
  for (const { 1: part, index } of text.matchAll(/\{%-?\s*(?:render|include)\s+['"]([^'"]+)['"]/g)) {
    if (Object.hasOwn(templates, part!)) continue
    const before = text.slice(0, index).split('\n')
    return { line: before.length, column: before.at(-1)!.length + 1, found: `there is no template ${part}` }
  }
  return undefined
}

const notRendered = /\{%-?\s*(comment|raw)\b.*?\{%-?\s*end\1/gs
