import { Envelope } from '../contract/envelope.ts'
import { PawlError } from '../contract/exit.ts'
import type { Ref } from '../contract/values.ts'
import type { FrozenText, StoredRun } from '../ports/run-store.ts'
import type { Machine } from './machine.ts'
import type { AnyMode, Mode, Program } from './mode.ts'
import type { Frozen, Run, RunContent } from './run.ts'
import { sealContent } from './sealed-content.ts'

/** A run together with its mode. `use` gives both with matching types. */
export type OpenRun = {
  readonly stored: StoredRun
  readonly mode: AnyMode
  /** The current envelope. */
  readonly envelope: Envelope
  use<Result>(
    body: <Request, Inputs, Memo, Facts>(mode: Mode<Request, Inputs, Memo, Facts>, run: Run<Request>) => Result,
  ): Result
}

/** Opens a run: parses its requests and loads its mode. Throws if the original request no longer matches its hash in the first event. */
export async function openRun(program: Program, stored: StoredRun): Promise<OpenRun> {
  const changed = await findRequestChange(stored)
  if (changed) throw changed
  return openRunToRead(program, stored)
}

/** Opens a run for reports. Also works if the request was changed after the start. */
export async function openRunToRead({ machine, modes }: Program, stored: StoredRun): Promise<OpenRun> {
  const texts = await stored.requests()
  const envelopes = texts.map((text) => parseEnvelope(text, stored))
  const { mode: name } = envelopes[0]!
  const entry = modes.find((one) => one.name === name)
  if (!entry) throw new PawlError(30, `${texts[0].where}: unknown mode ${name}`)
  const mode = await entry.load()
  return mode.use((typed) => {
    const run = bindRun(typed, stored, texts, envelopes, machine)
    return { stored, mode, envelope: run.current.envelope, use: (body) => body(typed, run) }
  })
}

/** Opens a run whose mode the caller knows, for the starts of that mode. */
export async function openRunAs<Request>(
  mode: Pick<Mode<Request, never, never, never>, 'request' | 'sealedBy'>,
  stored: StoredRun,
  machine: Machine,
): Promise<Run<Request>> {
  const changed = await findRequestChange(stored)
  if (changed) throw changed
  const texts = await stored.requests()
  const envelopes = texts.map((text) => parseEnvelope(text, stored))
  return bindRun(mode, stored, texts, envelopes, machine)
}

/** Returns an error if the request does not match the hash in the run's first event. */
export async function findRequestChange(stored: StoredRun): Promise<PawlError | undefined> {
  const [{ sha256, where }] = await stored.requests()
  const { events } = await stored.read({ upTo: 1 })
  for await (const [first] of events) {
    if (first?.type !== 'run-started' || first.pins.request === sha256) continue
    return new PawlError(30, `${where} was changed after the run started`, 'Restore it, or start a new run.')
  }
  return undefined
}

/** The workspace is where the run was found: the recorded one may have been moved. */
function parseEnvelope({ text, where }: FrozenText, { entry: { workspace } }: StoredRun): Envelope {
  const parsed = Envelope.safeParse(asJson(text))
  if (parsed.success) return { ...parsed.data, workspace }
  throw notARequest(where, parsed.error.issues[0]?.path ?? [])
}

function bindRun<Request>(
  mode: Pick<Mode<Request, never, never, never>, 'request' | 'sealedBy'>,
  stored: StoredRun,
  texts: readonly FrozenText[],
  envelopes: readonly Envelope[],
  machine: Machine,
): Run<Request> {
  const requests = envelopes.map((envelope, index): Frozen<Request> => {
    const { sha256, where } = texts[index]!
    const parsed = mode.request.safeParse(envelope.with)
    if (!parsed.success) throw notARequest(where, ['with', ...(parsed.error.issues[0]?.path ?? [])])
    return { envelope, request: parsed.data, sha256 }
  })
  const original = requests[0]!
  const content = unsealContent(stored.content, original.envelope.run_id, mode.sealedBy(original.request), machine)
  return { entry: stored.entry, stored, requests, original, current: requests.at(-1)!, content }
}

/** Wraps a run's content: `get` decrypts, `put` encrypts. The key is loaded on first use, because ending a run needs no key. */
export function unsealContent<Inner extends Pick<RunContent, 'get' | 'put'>>(
  inner: Inner,
  run: string,
  proof: Ref | undefined,
  { keys }: Pick<Machine, 'keys'>,
): Inner {
  if (!proof) return inner
  let opened: Pick<RunContent, 'get' | 'put'> | undefined
  let proven: Promise<unknown> | undefined
  const open = () => (opened ??= sealContent(inner, { run, key: keys({ make: false }).content }))
  const own: Pick<RunContent, 'get' | 'put'> = {
    get: async (ref) => open().get(ref),
    put: async (name, bytes) => {
      // Content encrypted with a different key could not be read together with the rest.
      proven ??= open().get(proof)
      await proven
      return open().put(name, bytes)
    },
  }
  return { ...inner, ...own }
}

const notARequest = (where: string, path: readonly PropertyKey[]): PawlError =>
  new PawlError(30, `${where} is not a valid run request: ${path.join('.')}`)

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
