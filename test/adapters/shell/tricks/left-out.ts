/** What is not tried, and why: none of it counts. */
export const leftOut: readonly (readonly [name: string, reason: string])[] = [
  ['a job for later, by cron or at', 'would change this machine; their files lie in /var, which is read-only'],
  ['typing into a terminal (TIOCSTI)', 'every command has a session of its own, and no terminal in it'],
  ['/proc/self/mem', "reaches the command's own memory alone: the page of a file is copied first"],
  ['a file system of its own (fusermount)', 'its rights come from a setuid program, and those give none here'],
  ['io_uring', 'the kernel asks the same as for a plain call, and no interpreter at hand speaks it'],
  ['services that act on request (D-Bus, systemd, docker, tmux)', 'open: their sockets can be reached'],
]
