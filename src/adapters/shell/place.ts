import { existsSync } from 'node:fs'
import { type Mounts, noPlace, type Overlay } from '../../ports/shell.ts'

/** Only the administrator can write them. */
const [unshare, mount] = ['/usr/bin/unshare', '/usr/bin/mount']

export const canMount = (): boolean =>
  process.platform === 'linux' && [unshare, mount].every((path) => existsSync(path))

/** Mount options are separated by commas, and layers by colons. */
export const isMountable = (path: string): boolean => !/[,:\\"\n]/.test(path)

/**
 * Wraps a command so that it sees a place. The mounts are in a namespace of the command and vanish with it. A user who is not root becomes
 * root in a user namespace for the mounts, and is itself again for the command.
 */
export function insidePlace(at: string, mounts: Mounts, argv: readonly string[]): [string, ...string[]] {
  const [user, group] = [process.getuid!(), process.getgid!()]
  const isRoot = user === 0
  const enter = [unshare, ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--', '/bin/sh', '-c', script]
  const back = isRoot ? [] : [unshare, '--user', `--map-user=${user}`, `--map-group=${group}`, '--']
  const formatOptions = ({ layers, upper, work }: Overlay): string =>
    `${isRoot ? '' : 'userxattr,'}lowerdir=${layers.join(':')},upperdir=${upper},workdir=${work}`
  const caches = mounts.caches.flatMap((one) => [formatOptions(one), one.at, one.gone])
  const { files } = mounts
  const own = [formatOptions(files), mounts.mount, files.gone, mounts.objects, at]
  const words = ['room', mounts.word, String(mounts.caches.length), ...caches, ...own]
  return [...(enter as [string, ...string[]]), ...words, ...back, ...argv]
}

const script = `
word=$1
fail() { echo "${noPlace} $word" >&2; exit 125; }
caches=$2; shift 2
while [ "$caches" -gt 0 ]; do
  ${mount} -t overlay pawl -o "$1" "$2" || fail
  [ ! -s "$3" ] || ( cd "$2" && xargs -0 -r rm -f -- < "$3" ) || fail
  shift 3; caches=$((caches - 1))
done
${mount} -t overlay pawl -o "$1" "$2" &&
if [ -s "$3" ]; then ( cd "$2" && xargs -0 -r rm -rf -- < "$3" && xargs -0 -r rmdir -p -- < "$3.folders" 2> /dev/null; : ); fi &&
${mount} --bind "$4" "$2/.git/base" && ${mount} -o remount,bind,ro "$2/.git/base" &&
${mount} --rbind "$2" "$5" && cd "$5" || fail
shift 5
exec "$@"
`
