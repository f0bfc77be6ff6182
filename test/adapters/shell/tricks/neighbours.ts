import { asRoot, onIntel, type Trick } from './trick.ts'

/** Aimed at a process outside, `$OTHER`, whose working folder and output are outside too. */
export const neighbourTricks: readonly Trick[] = [
  ['ending a process', 'kill -9 $OTHER'],
  ['halting a process', 'kill -STOP $OTHER'],
  ['slowing a process down', 'renice -n 19 -p $OTHER'],
  ['the first to go when memory is short', 'echo 900 > /proc/$OTHER/oom_score_adj'],
  ['other limits for a process', 'prlimit --pid $OTHER --nofile=7:7'],
  ["a process's view", 'echo x > "/proc/$OTHER/root$OUT/new"'],
  ["a process's working folder", 'echo x > /proc/$OTHER/cwd/new'],
  ["a process's open file", 'echo x >> /proc/$OTHER/fd/1'],
  ["a process's namespaces", 'nsenter -t $OTHER -m sh -c \'echo x > "$OUT/new"\'', asRoot],
  [
    'a hand in a process, which falls with it',
    "perl -e 'syscall(101, 0x4206, $ENV{OTHER} + 0, 0, 1 << 20)'",
    `${onIntel} && ${asRoot}`,
  ],
  ["a person's terminal", 'echo x > "$TERMINAL"', 'command -v script'],
  ['memory shared by processes', 'ipcrm -m $SHARED', 'command -v ipcrm && command -v ipcmk'],
]

/** Aimed at the process that watches over the command. */
export const watcherTricks: readonly Trick[] = [
  ['the end of the watcher', 'kill -9 $PPID'],
  ['a halt to the watcher', 'kill -STOP $PPID; sleep 0.2'],
]
