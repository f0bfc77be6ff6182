import { spawnSync } from 'node:child_process'
import { unpackChromium } from './support/chromium.ts'

const succeeds = (command: string): boolean => spawnSync('sh', ['-c', command]).status === 0
const has = (program: string): boolean => succeeds(`command -v ${program}`)

/**
 * What tests of real faults need of the system. On a bare Debian machine, as root, it is installed; elsewhere those
 * tests are skipped and say why. The browser is unpacked here, because the workers would do it all at once.
 */
export default async function setup(): Promise<void> {
  await unpackChromium()
  installMissing()
}

function installMissing(): void {
  const missing = [
    ...[
      ['bwrap', 'bubblewrap'],
      ['strace', 'strace'],
    ].filter(([program]) => !has(program!)),
    // The browser that comes from npm needs this library.
    ...(succeeds('ldconfig -p | grep -q libnss3.so') ? [] : [['', 'libnss3']]),
  ]
  if (missing.length === 0 || process.getuid?.() !== 0 || !has('apt-get')) return
  const packages = missing.map(([, name]) => name).join(' ')
  console.log(`installing for the tests: ${packages}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`
  spawnSync('sh', ['-c', install], { env, stdio: 'ignore', timeout: 120_000 })
}
