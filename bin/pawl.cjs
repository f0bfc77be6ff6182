#!/usr/bin/env node
// The published bin. Uses old syntax and no imports before the version check, so that any Node can print which version is needed.
'use strict'

var fs = require('fs')
var path = require('path')

var root = path.join(__dirname, '..')
var invokedAs = takeInvokedAs()
var args = process.argv.slice(2)

if (!isNodeNewEnough(process.versions.node)) {
  end(
    69,
    'needs Node 22.22 or 24.15 or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      '). In a clone, bin/pawl uses the Node that npm ci installs'
  )
} else if (!printKnownText()) {
  start()
}

// bin/rooda, bin/santiago and bin/agentic in a checkout are the same program under another name. Child processes never see the variable.
function takeInvokedAs() {
  var name = process.env.PAWL_INVOKED_AS
  delete process.env.PAWL_INVOKED_AS
  return ['rooda', 'santiago', 'agentic'].indexOf(name) === -1 ? 'pawl' : name
}

// Same as engines in package.json: ^22.22.0 || >=24.15.0, which excludes 23.
function isNodeNewEnough(version) {
  var major = Number(version.split('.')[0])
  var minor = Number(version.split('.')[1])
  return (major === 22 && minor >= 22) || (major === 24 && minor >= 15) || major >= 25
}

// Prints help and version from files, without loading any module. False if they were not asked for or not built.
function printKnownText() {
  if (args.length > 1 || (args.length === 0 && invokedAs === 'agentic')) return false
  var asked = args.length === 0 ? 'help' : args[0]
  if (asked === '--version' || asked === '-V') return print(JSON.parse(read('package.json')).version + '\n')
  if (asked !== 'help' && asked !== '--help' && asked !== '-h') return false
  var help = (invokedAs !== 'pawl' && read('dist/help-' + invokedAs + '.txt')) || read('dist/help.txt')
  return help ? print(help) : false
}

function read(name) {
  try {
    return fs.readFileSync(path.join(root, name), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

// A plain write is faster than opening process.stdout, which is only used if a pipe is full (EAGAIN).
function print(text) {
  var bytes = Buffer.from(text)
  try {
    while (bytes.length > 0) bytes = bytes.slice(fs.writeSync(1, bytes))
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(bytes)
    else if (error.code !== 'EPIPE') end(20, 'cannot write: ' + error.message)
  }
  return true
}

// A checkout installed without scripts has no dist. Node then runs src and strips its types.
function start() {
  // It always writes a result.json, also if it is stopped while it loads.
  if (args.indexOf('execute') !== -1) ['SIGINT', 'SIGTERM'].forEach(holdSignal)
  var built = path.join(root, 'dist', 'main.js')
  var entry = fs.existsSync(built) ? built : path.join(root, 'src', 'main.ts')
  var enableCache = require('module').enableCompileCache
  var cache = enableCache && findCache()
  if (cache) enableCache(cache)
  // A string, because an old Node cannot parse import().
  var load = new Function('url', 'return import(url)')
  load(require('url').pathToFileURL(entry).href)
    .then(function run(engine) {
      return engine.main(args, invokedAs)
    })
    .catch(function explain(error) {
      var hint = error && error.code === 'ERR_MODULE_NOT_FOUND' ? ' (in a checkout, run: npm ci)' : ''
      end(20, ((error && error.message) || String(error)) + hint)
    })
}

// Keeps a signal that arrives before the engine listens for it, and hands it over then.
function holdSignal(name) {
  var isHeld = false
  function hold() {
    isHeld = true
  }
  function handOver(added, listener) {
    if (added !== name || listener === hold) return
    process.removeListener('newListener', handOver)
    // Only once the engine listens: without any listener the signal would end the process.
    process.nextTick(function release() {
      process.removeListener(name, hold)
      if (isHeld) process.emit(name, name)
    })
  }
  process.on('newListener', handOver)
  process.on(name, hold)
}

// Whoever can write the cache decides what this program runs, so Node's default, a folder in the system's temporary folder,
// will not do. The user's state folder is read-only for agents. Without one there is no cache.
function findCache() {
  var base = process.env.XDG_STATE_HOME
  var home = process.env.HOME || require('os').homedir()
  var state = path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local', 'state'), 'pawl')
  var cache = path.join(state, 'compile-cache')
  try {
    if (!isOwn(state, 0o022)) return ''
    if (!fs.existsSync(cache)) fs.mkdirSync(cache, 0o700)
    return isOwn(cache, 0o077) ? cache : ''
  } catch (_error) {
    return ''
  }
}

// A folder, not a link, of this user, on which others have none of these rights.
function isOwn(folder, others) {
  var found = fs.lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & others) === 0
}

function end(code, message) {
  fs.writeSync(2, 'pawl: ' + message + '\n')
  process.exit(code)
}
