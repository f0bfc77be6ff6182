import type { ExportedWork } from './work.ts'

/** Returns the work as a file for Word and LibreOffice. The same work gives the same bytes. */
export async function exportDocx(work: ExportedWork): Promise<Uint8Array> {
  // The package is large, and few sessions export.
  const { buildDocx } = await import('./docx-document.ts')
  return buildDocx(work)
}
