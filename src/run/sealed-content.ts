import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { contentName, readContentName } from '../contract/content-path.ts'
import { PawlError } from '../contract/exit.ts'
import type { Ref } from '../contract/values.ts'
import type { SealingKey } from '../ports/keys.ts'
import type { Content } from '../ports/run-store.ts'

/**
 * Encrypts content, for any store. A Ref describes the encrypted bytes, so a store can check them without the key. Contract: never
 * writes plain text.
 */
export function sealContent(
  inner: Pick<Content, 'put' | 'get'>,
  { run, key }: { readonly run: string; readonly key: SealingKey },
): Pick<Content, 'put' | 'get'> {
  const header = Buffer.concat([version, keyId(key)])
  // A key object: with raw bytes, parsing the key for every piece would take longer than encrypting it.
  const runKey = createSecretKey(Buffer.from(hkdfSync('sha256', key.secret, '', `pawl content ${run}`, 32)))
  const about = (name: string): Buffer => Buffer.concat([header, Buffer.from(JSON.stringify([run, name]))])

  return {
    put(name, content) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', runKey, nonce).setAAD(about(contentName(name)))
      const sealed = [cipher.update(typeof content === 'string' ? Buffer.from(content) : content), cipher.final()]
      return inner.put(name, Buffer.concat([header, nonce, ...sealed, cipher.getAuthTag()]))
    },
    async get(ref) {
      const bytes = Buffer.from(await sealedBytes(ref))
      checkHeader(bytes, ref.path)
      const body = bytes.subarray(header.length)
      const opener = createDecipheriv('aes-256-gcm', runKey, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
      opener.setAAD(about(readContentName(ref.path))).setAuthTag(body.subarray(-tagBytes))
      try {
        return Buffer.concat([opener.update(body.subarray(nonceBytes, -tagBytes)), opener.final()])
      } catch {
        throw new PawlError(
          30,
          `${ref.path} is damaged, or was encrypted for another run or under another name`,
          putBack,
        )
      }
    },
  }

  async function sealedBytes(ref: Ref): Promise<Uint8Array> {
    try {
      return await inner.get(ref)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      throw new PawlError(30, code === 'ENOENT' ? `${ref.path} is missing` : message, putBack)
    }
  }

  function checkHeader(bytes: Buffer, path: string): void {
    if (!bytes.subarray(0, version.length).equals(version)) {
      throw new PawlError(30, `${path} is not in the encrypted format of this version of pawl`, putBack)
    }
    if (bytes.length < header.length + nonceBytes + tagBytes) {
      throw new PawlError(30, `${path} is truncated`, putBack)
    }
    if (!bytes.subarray(0, header.length).equals(header)) {
      throw new PawlError(30, `${path} was encrypted with another key`, key.restore)
    }
  }
}

/** Replaces `adopt` in runs with encrypted content, because files written by processes are plain text. */
export async function refuseToAdopt(path: string): Promise<never> {
  throw new Error(`${path} is plain text and cannot be stored: the content of this run is encrypted`)
}

const version = Buffer.from('PAWL\x01', 'latin1')
const nonceBytes = 12
const tagBytes = 16
const putBack = 'Restore it from a backup, or start a new run.'

/** Identifies a key without revealing it. */
const keyId = ({ secret }: SealingKey): Buffer =>
  createHash('sha256').update('pawl key id').update(secret).digest().subarray(0, 8)
