import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { PawlError } from '../../../contract/exit.ts'
import type { Ref } from '../../../contract/values.ts'
import { type FileArtifacts, safeName } from './artifacts.ts'

export type SealingKey = {
  /** 32 bytes. Each run gets a key of its own from them. */
  readonly secret: Uint8Array
  /** What a person does who has another key now. */
  readonly restore: string
}

/**
 * Content that only the holder of the key can read. Hash, size and path of a Ref are those of what lies on disk, so the
 * journal can tell without the key whether a file is whole. Contract: nothing is ever written in the clear.
 */
export function sealArtifacts(
  inner: FileArtifacts,
  { run, key }: { readonly run: string; readonly key: SealingKey },
): FileArtifacts {
  const header = Buffer.concat([version, keyId(key)])
  // As an object: bytes would be taken apart anew for every piece, which takes longer than sealing it.
  const runKey = createSecretKey(Buffer.from(hkdfSync('sha256', key.secret, '', `pawl content ${run}`, 32)))
  const about = (name: string): Buffer => Buffer.concat([header, Buffer.from(JSON.stringify([run, name]))])

  return {
    put(name, content) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', runKey, nonce).setAAD(about(safeName(name)))
      const sealed = [cipher.update(typeof content === 'string' ? Buffer.from(content) : content), cipher.final()]
      return inner.put(name, Buffer.concat([header, nonce, ...sealed, cipher.getAuthTag()]))
    },
    get: async (ref) => getNow(ref),
    getNow,
    adopt: async (path) => {
      throw new Error(`${path} would stay in the clear: content of this run is sealed`)
    },
    has: inner.has,
    flush: inner.flush,
  }

  function getNow(ref: Ref): Uint8Array {
    const bytes = Buffer.from(sealedBytes(ref))
    checkHeader(bytes, ref.path)
    const body = bytes.subarray(header.length)
    const opener = createDecipheriv('aes-256-gcm', runKey, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opener.setAAD(about(nameOf(ref.path))).setAuthTag(body.subarray(-tagBytes))
    try {
      return Buffer.concat([opener.update(body.subarray(nonceBytes, -tagBytes)), opener.final()])
    } catch {
      throw new PawlError(30, `${ref.path} is damaged, or was sealed for another run or under another name`, putBack)
    }
  }

  function sealedBytes(ref: Ref): Uint8Array {
    try {
      return inner.getNow(ref)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      throw new PawlError(30, code === 'ENOENT' ? `${ref.path} is gone` : message, putBack)
    }
  }

  function checkHeader(bytes: Buffer, path: string): void {
    if (!bytes.subarray(0, version.length).equals(version)) {
      throw new PawlError(30, `${path} is not sealed as this version of pawl does it`, putBack)
    }
    if (bytes.length < header.length + nonceBytes + tagBytes) {
      throw new PawlError(30, `${path} is cut short`, putBack)
    }
    if (!bytes.subarray(0, header.length).equals(header)) {
      throw new PawlError(30, `${path} was sealed with another key`, key.restore)
    }
  }
}

const version = Buffer.from('PAWL\x01', 'latin1')
const nonceBytes = 12
const tagBytes = 16
const putBack = 'Put it back from a copy, or start a new run.'

/** Tells keys apart and nothing about them. */
const keyId = ({ secret }: SealingKey): Buffer =>
  createHash('sha256').update('pawl key id').update(secret).digest().subarray(0, 8)

/** A name of ours is a hash, a hyphen and the safe name that it was put under. */
const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/^[0-9a-f]{16}-/, '')
