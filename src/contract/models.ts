import { z } from 'zod'

export const providers = ['ollama', 'xai', 'anthropic', 'openai-compatible', 'agent', 'scripted'] as const

/** One model that can be asked. Keys are never here: they are read from the environment when a call is made. */
export const Rung = z
  .object({
    id: z.string(),
    /** As people call it: "Grok 4.1". */
    label: z.string(),
    provider: z.enum(providers),
    model: z.string(),
    /** Nothing leaves this machine. */
    local: z.boolean(),
    contextTokens: z.number(),
    /** US dollars for a million tokens; null where nobody said. */
    price: z.object({ input: z.number(), output: z.number() }).readonly().nullable(),
    /** Of servers that no variable names. */
    baseUrl: z.string().optional(),
    keyEnv: z.string().optional(),
    /** An agent's command used as a model. */
    argv: z.tuple([z.string()], z.string()).readonly().optional(),
  })
  .readonly()
export type Rung = z.infer<typeof Rung>

const word = 'a short name of letters, digits, . _ : / @ and -'
const name = z.string(word).regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, word)
const address = 'an address that begins with http:// or https://, without a login in it'
const dollars = 'US dollars for a million tokens'

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
}

/** One model as a person names it: a known one, `agent:claude` for an installed program, or all there is to say. */
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
        agent: name,
      })
      .partial()
      .required({ id: true }),
  ],
  'a name such as ollama, grok, claude or agent:claude, or a map with id, provider, model, base_url, key_env, context, price',
)
export type RungSetting = z.infer<typeof RungSetting>
