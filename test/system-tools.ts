import { spawnSync } from 'node:child_process'

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/**
 * What tests of real faults need of the system. On a bare Debian machine, as root, it is installed; elsewhere those
 * tests are skipped and say why.
 */
export default function setup(): void {
  const missing = [
    ['bwrap', 'bubblewrap'],
    ['strace', 'strace'],
  ].filter(([program]) => !has(program!))
  if (missing.length === 0 || process.getuid?.() !== 0 || !has('apt-get')) return
  const packages = missing.map(([, name]) => name).join(' ')
  console.log(`installing for the tests: ${packages}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`
  spawnSync('sh', ['-c', install], { env, stdio: 'ignore', timeout: 120_000 })
}
