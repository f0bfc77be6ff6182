/** Sets the time of every file in a zip archive to the first of January 1980, so that equal contents give equal bytes. */
export function fixZipDates(archive: Uint8Array): Uint8Array {
  const bytes = archive.slice()
  const view = new DataView(bytes.buffer)
  // The end record has 22 bytes, for the archive has no comment.
  const end = bytes.length - 22
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Error('not a zip archive without a comment')
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    view.setUint32(at + 12, earliest, true)
    view.setUint32(view.getUint32(at + 42, true) + 10, earliest, true)
    // The name, extra fields and comment follow the record.
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return bytes
}

/** Time in the lower half, date in the upper: year 0, month 1, day 1. */
const earliest = 0x0021_0000
