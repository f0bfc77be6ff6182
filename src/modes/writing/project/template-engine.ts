import { Liquid } from 'liquidjs'

export type Render = (template: string, values: Readonly<Record<string, unknown>>) => string

/**
 * Renders the templates of a project type. They are data: a template can include only others of the same type, reads no file and runs no
 * code, and its size and steps are bounded.
 */
export function createRenderer(templates: Readonly<Record<string, string>>): Render {
  const engine = new Liquid({
    templates: { ...templates },
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 4_000_000,
    renderLimit: 10_000,
    memoryLimit: 1_000_000_000,
  })
  return (name, values) => {
    if (!(name in templates)) throw new Error(`the project type has no template ${name}`)
    return engine.renderFileSync(name, values) as string
  }
}
