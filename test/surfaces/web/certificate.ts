import { createSign, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes `cert.pem`, a certificate for 127.0.0.1 that its own key has signed, `key.pem`, and `other.pem`, another key. */
export function writeCertificate(folder: string): {
  readonly cert: string
  readonly key: string
  readonly other: string
} {
  const [own, other] = [newKeys(), newKeys()]
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('pawl'))))) // commonName
  const time = (text: string): Buffer => der(0x17, Buffer.from(text))
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = der(0xa3, sequence(sequence(oid('551d11'), der(0x04, address)))) // subjectAltName
  const body = sequence(
    der(0xa0, number(2)), // version 3
    number(1),
    algorithm,
    name,
    sequence(time('250101000000Z'), time('491231235959Z')),
    name,
    own.publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = createSign('sha256').update(body).sign(own.privateKey)
  const cert = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64')
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), other: join(folder, 'other.pem') }
  writeFileSync(paths.cert, `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`)
  writeFileSync(paths.key, own.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(paths.other, other.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return paths
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const { length } = Buffer.concat(parts)
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), ...parts])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const number = (value: number): Buffer => der(0x02, Buffer.from([value]))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
