import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that ends with its test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
