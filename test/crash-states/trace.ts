import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { resolve } from 'node:path'

/**
 * One change of the file system, in the order in which the calls returned. `sync` names a file or a folder. `write-out` sends a file
 * to the disk, whose own cache the next `sync` of any file empties.
 */
export type Op =
  | { readonly op: 'create' | 'folder' | 'truncate'; readonly path: string; readonly size?: number }
  | { readonly op: 'write'; readonly path: string; readonly bytes: Buffer; readonly at?: number }
  | { readonly op: 'link' | 'rename'; readonly from: string; readonly path: string }
  | { readonly op: 'remove' | 'sync' | 'write-out'; readonly path: string }

const calls =
  'openat,open,creat,write,pwrite64,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,ftruncate,fsync,fdatasync,sync_file_range'

/** Runs a command under strace and returns what it and its children did to files. */
export function traceCommand(argv: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv; file: string }) {
  const { cwd, env, file } = options
  const strace = ['-f', '-y', '-xx', '-s', '16000000', '-e', `trace=${calls},chdir`, '-o', file, ...argv]
  const { status, stderr } = spawnSync('strace', strace, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { status, stderr, ops: parseTrace(fs.readFileSync(file, 'latin1'), cwd) }
}

/** Joins calls that were interrupted by those of other threads, and skips calls that failed. */
function parseTrace(text: string, cwd: string): Op[] {
  const open = new Map<string, string>()
  return text.split('\n').flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      open.set(pid, rest.slice(0, -'<unfinished ...>'.length).trimEnd())
      return []
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const whole = resumed ? `${open.get(pid) ?? ''}${resumed[1]}` : rest
    const [, name, args, result] = /^(\w+)\((.*)\) += (-?\d+)/.exec(whole) ?? []
    return name && args !== undefined && Number(result) >= 0 ? toOps(name, splitArgs(args), Number(result), cwd) : []
  })
}

/** Arguments contain no commas, because strings are printed in hex. */
const splitArgs = (args: string): string[] => args.split(', ')

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const text = (arg: string): string => decode(/^"(.*)"/.exec(arg)?.[1] ?? '').toString()
/** The path that strace prints for a file descriptor. */
const pathOf = (arg: string): string => decode(/<(.*?)>/.exec(arg)?.[1] ?? '').toString()

function toOps(name: string, args: readonly string[], result: number, cwd: string): Op[] {
  const [a = '', b = '', c = '', d = ''] = args
  const at = (folder: string, path: string): string => resolve(pathOf(folder) || cwd, text(path))
  switch (name) {
    case 'openat':
      return opened(at(a, b), c)
    case 'open':
      return opened(resolve(cwd, text(a)), b)
    case 'write':
      return [{ op: 'write', path: pathOf(a), bytes: decode(/^"(.*)"/.exec(b)?.[1] ?? '').subarray(0, result) }]
    case 'pwrite64':
      return [{ op: 'write', path: pathOf(a), bytes: decode(/^"(.*)"/.exec(b)?.[1] ?? ''), at: Number(d) }]
    case 'rename':
      return [{ op: 'rename', from: resolve(cwd, text(a)), path: resolve(cwd, text(b)) }]
    case 'renameat':
    case 'renameat2':
      return [{ op: 'rename', from: at(a, b), path: at(c, d) }]
    case 'link':
      return [{ op: 'link', from: resolve(cwd, text(a)), path: resolve(cwd, text(b)) }]
    case 'linkat':
      return [{ op: 'link', from: at(a, b), path: at(c, d) }]
    case 'unlink':
    case 'rmdir':
      return [{ op: 'remove', path: resolve(cwd, text(a)) }]
    case 'unlinkat':
      return [{ op: 'remove', path: at(a, b) }]
    case 'mkdir':
      return [{ op: 'folder', path: resolve(cwd, text(a)) }]
    case 'mkdirat':
      return [{ op: 'folder', path: at(a, b) }]
    case 'ftruncate':
      return [{ op: 'truncate', path: pathOf(a), size: Number(b) }]
    case 'fsync':
    case 'fdatasync':
      return [{ op: 'sync', path: pathOf(a) }]
    case 'sync_file_range':
      return [{ op: 'write-out', path: pathOf(a) }]
    default:
      return []
  }
}

function opened(path: string, flags: string): Op[] {
  const made: Op[] = flags.includes('O_CREAT') ? [{ op: 'create', path }] : []
  return flags.includes('O_TRUNC') ? [...made, { op: 'truncate', path, size: 0 }] : made
}
