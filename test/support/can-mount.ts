import { execFileSync } from 'node:child_process'

/** Whether this machine lets this user mount an overlay in a namespace. */
export const canMountHere = ((): boolean => {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  try {
    execFileSync('/usr/bin/unshare', [...user, '--mount', '--', '/usr/bin/mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    return true
  } catch {
    return false
  }
})()
