import type { Rung } from '../../contract/models.ts'
import type { JsonSchema, ModelFault } from '../../ports/model.ts'
import { isOllamaCloud } from './endpoint.ts'

/**
 * How a server is asked for an answer of a schema. `schema`: it gets the schema and keeps the model to it. `json`: it keeps the model to any
 * JSON, and the prompt shows the schema. `prompt`: only the prompt shows the schema.
 */
export type AnswerFormat = 'schema' | 'json' | 'prompt'

/** Pure. `json_schema` of the ladder entry decides; without it, what is known of the provider. */
export function chooseFormat(rung: Rung, url: URL): AnswerFormat {
  const { provider, jsonSchema } = rung
  if (jsonSchema !== undefined) return jsonSchema ? 'schema' : 'prompt'
  if (provider === 'xai' || provider === 'anthropic') return 'schema'
  // Ollama 0.5 and later take `response_format.json_schema.schema` as the `format` of /api/chat. Its cloud accepts a schema and ignores it.
  if (provider === 'ollama') return isOllamaCloud(rung) ? 'json' : 'schema'
  // Some other servers reject a call with a schema.
  return isOpenAi(url) ? 'schema' : 'json'
}

/** Includes OpenAI's regional hosts, such as eu.api.openai.com. */
const isOpenAi = ({ hostname }: URL): boolean => /^(.+\.)?api\.openai\.com$/.test(hostname)

/** Adds the schema to a prompt, for a model whose server does not keep it to the schema. */
export const showSchema = (prompt: string, schema: JsonSchema): string =>
  `${prompt.trimEnd()}\n\nAnswer with one JSON object that matches this JSON schema, and with nothing else:\n${JSON.stringify(schema)}\n`

/** How a call ended, as far as its format may be the reason. */
type Ending = { readonly fault?: ModelFault | undefined; readonly error?: unknown; readonly calledTool: boolean }

/** Returns what to do if a call failed because of its format, else undefined. The words of the error are searched, never returned. */
export function adviseFormat({ id }: Rung, format: AnswerFormat, ending: Ending): string | undefined {
  const { fault, error, calledTool } = ending
  const place = `for ${id} in ladder of your config.yml`
  const isRejected = fault === 'request' && namesFormat.test(findWords(error))
  // Some proxies turn the schema into a tool, and leave the tool call to the client.
  const isUnanswered = fault === 'empty' && calledTool
  if (format === 'schema' && (isRejected || isUnanswered)) return `Set json_schema: false ${place}.`
  if (format !== 'json' || !isRejected) return undefined
  return `Set json_schema ${place}: true if the server takes JSON schemas, else false.`
}

const namesFormat = /response.?format|json.?(schema|object)|output.?(config|format)|structured.?output/i

/** Reads the body too: of errors in another format than the SDK expects, it is all there is. */
function findWords(error: unknown): string {
  const { message, responseBody } = (error ?? {}) as { message?: unknown; responseBody?: unknown }
  return `${String(message)} ${String(responseBody)}`
}
