type Node = Readonly<Record<string, unknown>>

/** The keywords that OpenAI, xAI and Anthropic all enforce. Each of them rejects or ignores some others, such as `minLength` or `default`. */
const keywords = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
])
const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']
/** OpenAI's bounds. */
const maxDepth = 10
const maxEnumValues = 1000

/** Returns why a strict server would reject a schema, and where; undefined if none would. */
export function findSchemaProblem(schema: unknown): string | undefined {
  if (!isNode(schema) || schema.type !== 'object') return 'the schema is not that of an object'
  const values = [...listNodes(schema)].flatMap((node) => (Array.isArray(node.enum) ? (node.enum as unknown[]) : []))
  if (values.length > maxEnumValues) return `the schema has ${values.length} enum values`
  return findNodeProblem(schema, '#', 1)
}

function findNodeProblem(node: unknown, at: string, depth: number): string | undefined {
  if (!isNode(node)) return `${at} is no schema`
  if (depth > maxDepth) return `${at} nests too deep`
  const unknown = Object.keys(node).find((key) => !keywords.has(key))
  if (unknown) return `${at} has ${unknown}`
  if (Array.isArray(node.anyOf)) {
    return firstProblem(
      node.anyOf.map((one, index) => [one, `${at}/anyOf/${index}`]),
      depth,
    )
  }
  const [type, other, ...more] = [node.type].flat()
  if (!types.includes(type as string)) return `${at} has no type`
  if (more.length > 0 || (other !== undefined && other !== 'null')) return `${at} has several types`
  if (type === 'array') return findNodeProblem(node.items, `${at}/items`, depth)
  return type === 'object' ? findObjectProblem(node, at, depth) : undefined
}

function findObjectProblem({ properties, required, additionalProperties }: Node, at: string, depth: number) {
  if (!isNode(properties)) return `${at} has no properties`
  if (additionalProperties !== false) return `${at} allows other properties`
  const names = Object.keys(properties)
  const optional = names.find((name) => !(required as readonly string[] | undefined)?.includes(name))
  if (optional) return `${at}/${optional} is not required`
  return firstProblem(
    names.map((name) => [properties[name], `${at}/${name}`]),
    depth + 1,
  )
}

const firstProblem = (nodes: readonly (readonly [unknown, string])[], depth: number): string | undefined =>
  nodes.map(([node, at]) => findNodeProblem(node, at, depth)).find((problem) => problem !== undefined)

function* listNodes(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  if (isNode(node)) yield node
  for (const value of Object.values(node)) yield* listNodes(value)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
