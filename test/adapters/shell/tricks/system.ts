import { asRoot, onIntel, type Trick } from './trick.ts'

const inNamespace = (script: string) => `unshare -rm sh -c '${script}'`
const namespaces = 'unshare -rm true'

/** The number of a file is enough for those who may open by it, whatever way leads there. */
const byNumber = `perl -e '
  my $handle = pack("I i x128", 128, 0); my $mount = pack("i", 0);
  syscall(303, -100, "$ENV{OUT}/file", $handle, $mount, 0) == 0 or die;
  open(my $here, "<", $ENV{WORK}) or die;
  my $file = syscall(304, fileno($here), $handle, 1); $file >= 0 or die;
  my $text = "x"; syscall(1, $file, $text, 1)'`

/** Whoever changes the root and stays outside of it can climb. */
const climb = `mkdir r; perl -e 'chdir "/"; chroot "$ENV{WORK}/r" or die; chdir ".." for 1 .. 20; chroot "." or die;
  open(my $f, ">", "$ENV{OUT}/new") or die'`

const overlays = `d=$(mktemp -d) && cd $d && mkdir l u w m
  unshare -rm mount -t overlay o -o lowerdir=l,upperdir=u,workdir=w m; code=$?; chmod -R 700 $d; rm -rf $d; exit $code`

/** Each asks the system for something that would undo the read-only view. */
export const systemTricks: readonly Trick[] = [
  ['mount over it', 'mkdir m; mount --bind "$OUT" m; mount -o remount,rw,bind m; echo x > m/new', asRoot],
  ['mount it writable', 'mount -o remount,rw,bind / ; mount -o remount,rw / ; echo x > "$OUT/new"'],
  ['mount what is protected anew', 'mount -o remount,rw,bind .git/hooks; echo x > .git/hooks/pre-commit'],
  ['unmount what is protected', 'umount .git/hooks; umount -l .git/hooks; echo x > .git/hooks/pre-commit'],
  ['unmount the workspace', 'cd /; umount -l "$WORK/.pawl" "$WORK"; echo x > "$RUN/request.json"'],
  ['a namespace of its own', inNamespace('mount -o remount,rw,bind /; echo x > "$OUT/new"'), namespaces],
  ['a namespace, then unmount', inNamespace('umount -l .git/hooks; echo x > .git/hooks/pre-commit'), namespaces],
  ['a namespace, then a copy', `mkdir m; ${inNamespace('mount --bind . m; echo x > m/.git/hooks/a')}`, namespaces],
  [
    'a namespace, then a full copy',
    `mkdir m; ${inNamespace('mount --rbind . m; echo x > m/.git/hooks/a')}`,
    namespaces,
  ],
  [
    'a namespace, then move the mount',
    `mkdir m; ${inNamespace('mount --move .git/hooks m; echo x > .git/hooks/a')}`,
    namespaces,
  ],
  [
    'a namespace, then another root',
    `mkdir o; ${inNamespace('mount --rbind / o; chroot o sh -c "echo x > $OUT/new"')}`,
    namespaces,
  ],
  [
    'an overlay',
    `mkdir u w m; ${inNamespace('mount -t overlay o -o lowerdir=u,upperdir=.git,workdir=w m; echo x > m/config')}; chmod -R 700 w`,
    overlays,
  ],
  ['another root', 'chroot / sh -c \'echo x > "$OUT/new"\'', asRoot],
  ['another root, that of the first process', 'chroot /proc/1/root sh -c \'echo x > "$OUT/new"\'', asRoot],
  ['another root above the view', climb, 'command -v perl && [ "$(id -u)" = 0 ]'],
  ['the namespace of the first process', 'nsenter -t 1 -m sh -c \'echo x > "$OUT/new"\'', asRoot],
  ['a sandbox of its own', 'bwrap --dev-bind / / sh -c \'echo x > "$OUT/new"\''],
  ['a sandbox with another view', 'bwrap --bind / / --bind "$OUT" /mnt sh -c \'echo x > /mnt/new\'', '[ -d /mnt ]'],
  ['the end of the first process', 'kill -9 1; echo x > "$OUT/new"'],
  ['another user', 'setpriv --reuid 0 --regid 0 --clear-groups sh -c \'echo x > "$OUT/new"\'', asRoot],
  ['a file by its number', byNumber, `${onIntel} && [ "$(id -u)" = 0 ]`],
  ['a device', 'mknod disk b 7 0', asRoot],
]
