import { inflateRawSync } from 'node:zlib'

/** Reads the files of a zip archive, with the time stamp of each. */
export function unzip(bytes: Uint8Array): Map<string, { readonly text: string; readonly time: number }> {
  const archive = Buffer.from(bytes)
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files = new Map<string, { text: string; time: number }>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(begin, begin + archive.readUInt32LE(at + 20))
    const time = archive.readUInt32LE(at + 12) || archive.readUInt32LE(local + 10)
    files.set(name, { text: inflateRawSync(packed).toString('utf8'), time })
    at += 46 + nameLength + extraLength + archive.readUInt16LE(at + 32)
  }
  return files
}
