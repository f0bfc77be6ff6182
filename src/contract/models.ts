import { z } from 'zod'

export const providers = ['ollama', 'xai', 'anthropic', 'openai-compatible', 'agent', 'scripted'] as const

/** One model of the ladder. API keys are never stored here: they are read from the environment for each call. */
export const Rung = z
  .object({
    id: z.string(),
    /** The name shown to people: "Grok 4.1". */
    label: z.string(),
    provider: z.enum(providers),
    model: z.string(),
    /** Nothing sent to this model leaves the machine. */
    local: z.boolean(),
    contextTokens: z.number(),
    /** US dollars per million tokens; null if unknown. */
    price: z.object({ input: z.number(), output: z.number() }).readonly().nullable(),
    /** Address of a server that is not set by an environment variable. */
    baseUrl: z.string().optional(),
    keyEnv: z.string().optional(),
    /** Whether its server gets the JSON schemas of answers. By default that depends on the provider. */
    jsonSchema: z.boolean().optional(),
    /** The command of an agent that is used as a model. */
    argv: z.tuple([z.string()], z.string()).readonly().optional(),
  })
  .readonly()
export type Rung = z.infer<typeof Rung>

const word = 'a short name of letters, digits, . _ : / @ and -'
const name = z.string(word).regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, word)
const address = 'an http:// or https:// address without a user name or password'
const dollars = 'US dollars per million tokens'

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
}

/** A model in the configuration: a known name, `agent:claude` for an installed agent, or a full definition. */
export const RungSetting = z.union(
  [
    name,
    z
      .strictObject({
        id: name,
        label: z.string().min(1).max(60),
        provider: z.enum(providers.filter((provider) => provider !== 'scripted')),
        model: name,
        base_url: z.string(address).max(2048).refine(isAddress, address),
        key_env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'a variable name such as API_TOKEN'),
        context: z.int().min(256),
        price: z.strictObject({
          input: z.number(dollars).nonnegative(dollars),
          output: z.number(dollars).nonnegative(dollars),
        }),
        json_schema: z.boolean(),
        agent: name,
      })
      .partial()
      .required({ id: true }),
  ],
  'a name such as ollama, grok, claude or agent:claude, or a map with id, provider, model, base_url, key_env, context, price, json_schema',
)
export type RungSetting = z.infer<typeof RungSetting>
