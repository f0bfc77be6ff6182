import { asRoot, onIntel, type Trick } from './trick.ts'

const swapped = `mkdir mine; (for i in $(seq 100); do ln -sfn mine l; ln -sfn "$OUT" l; done) &
  while kill -0 $!; do echo x > l/new; done; echo x > l/new`

const exchange = `mkdir mine; perl -e 'syscall(316, -100, "$ENV{OUT}/folder", -100, "$ENV{WORK}/mine", 2) and die'`

const leavesCore = 'ulimit -c unlimited && case $(cat /proc/sys/kernel/core_pattern) in [!/\\|]*) ;; *) exit 1 ;; esac'

/** Ways to a file outside, by whatever writes files. */
export const fileTricks: readonly Trick[] = [
  ['a plain write', 'echo x > "$OUT/new"'],
  ['a write through ..', 'echo x > "$WORK/../outside/new"'],
  ['a name that begins as the workspace does', 'echo x > "$WORK-evil"'],
  ['appending to a file', 'echo x >> "$OUT/file"'],
  ['emptying a file', 'truncate -s 0 "$OUT/file"'],
  ['editing a file', 'sed -i s/was/is/ "$OUT/file"'],
  ['deleting a file', 'rm -f "$OUT/file"'],
  ['deleting what is found', 'find "$OUT" -type f -delete'],
  ['changing a mode', 'chmod 777 "$OUT/file"'],
  ['changing an owner', 'chown 12345 "$OUT/file"', asRoot],
  ['changing a time', 'touch -d @1 "$OUT/file"'],
  ['a copy of blocks', 'dd if=/dev/zero of="$OUT/new" bs=1 count=1'],
  ['a copy of a tree', 'mkdir -p t/t && cp -a t "$OUT/"'],
  ['an archive', 'tar -cf a.tar source.txt && tar -xf a.tar -C "$OUT"'],
  ['an archive with .. in it', "tar -cPf a.tar --transform 's,^source,../outside/new,' source.txt && tar -xPf a.tar"],
  ['a script in awk', `awk 'BEGIN { print "x" > (ENVIRON["OUT"] "/new") }'`],
  ['a script in perl', `perl -e 'open(my $f, ">", "$ENV{OUT}/new") or die; print $f "x"'`, 'command -v perl'],
  ['a script in JavaScript', `"$NODE" -e 'require("fs").writeFileSync(process.env.OUT + "/new", "x")'`],
  [
    'a server that listens there',
    `"$NODE" -e 's = require("net").createServer().listen(process.env.OUT + "/s"); s.on("listening", () => process.kill(process.pid, 9))'`,
  ],
  [
    'an installation elsewhere',
    'mkdir p && echo {\\"name\\":\\"p\\"} > p/package.json && npm install --offline -g --prefix "$OUT" ./p',
    'command -v npm',
  ],
  ['a link out of the workspace', 'ln -s "$OUT" out; echo x > out/new'],
  ['a link to a file outside', 'ln -s "$OUT/file" out; echo x >> out'],
  ['a link to a link', 'ln -s "$OUT" one; ln -s one/folder two; echo x > two/new'],
  ['a link that is swapped meanwhile', swapped],
  ['a hard link to a file outside', 'ln "$OUT/file" mine && echo x >> mine'],
  ['a move out', 'mv source.txt "$OUT/"'],
  ['a move in', 'mv "$OUT/file" .'],
  ['two folders exchanged', exchange, onIntel],
  ['the way round through /proc/self/root', 'echo x > "/proc/self/root$OUT/new"'],
  ['the way round through /proc/1/root', 'echo x > "/proc/1/root$OUT/new"'],
  ['the way round through the working folder', 'cd /; echo x > "/proc/self/cwd$OUT/new"'],
  ['the way round through an open folder', 'exec 9< "$OUT"; echo x > /proc/self/fd/9/new'],
  ['the way round through an open file', 'exec 9< "$OUT/file"; echo x > /proc/self/fd/9'],
  ['another temp folder', 'TMPDIR="$OUT" mktemp'],
  ['the temp folder that outlives a boot', 'echo x > "/var/tmp/$MARK"', '[ -w /var/tmp ]'],
  ['shared memory', 'echo x > "/dev/shm/$MARK"', '[ -w /dev/shm ]'],
  ['what a crash leaves', 'cd "$OUT"; ulimit -c unlimited; sh -c "kill -SEGV \\$\\$"', leavesCore],
  ['deleting the workspace', 'rm -rf "$WORK"'],
  ['deleting all that can be seen', 'rm -rf "$ROOT"'],
  ['a daemon that stays', '(setsid nohup sh -c \'echo x > "$OUT/new"\' &) ; sleep 0.1'],
  ['cleared environment', 'env -i OUT="$OUT" sh -c \'echo x > "$OUT/new"\''],
]
