import { posix } from 'node:path'
import { findRole, type Texts } from './roles.ts'

/**
 * Whether a new file would be loaded instead of another module: Python looks into the folders of the repository first, also for those that tests
 * or their runner import. `known` has the paths of the start, `declared` the text of its manifests: what they do not name may be the product that tests
 * ask for.
 */
export function isShadow(path: string, tests: Texts, known: readonly string[], declared: string): boolean {
  // JavaScript takes a file before the folder of the same name.
  const [, stem] = /^(.*)\.(?:[cm]?[jt]sx?|json)$/.exec(path) ?? []
  if (stem !== undefined && known.some((other) => other.startsWith(`${stem}/index.`))) return true
  const [, place = '', name] = /^((?:.*\/)?)([\w-]+)\.py$/.exec(path.replace(/\/__init__\.py$/, '.py')) ?? []
  if (name === undefined) return false
  const folder = place.replace(/\/$/, '')
  const isRoot = ['', 'src', 'lib'].includes(folder) || [...tests.keys()].some((test) => posix.dirname(test) === folder)
  // A module of the product may be loaded instead of another one of it, but not instead of one beside the tests.
  const isKnown = (other: string): boolean =>
    new RegExp(`(?:^|/)${name}(?:\\.py|/)`).test(other) && findRole(other) !== 'test'
  if (!isRoot || known.some(isKnown)) return false
  if (runnerModules.has(name)) return true
  if (!new RegExp(String.raw`(?<![\w-])${name.replaceAll(/[-_]/g, '[-_]')}(?![\w-])`, 'i').test(declared)) return false
  const imports = new RegExp(String.raw`^\s*(?:import|from)\s+(?:\w+\s*,\s*)*${name}\b`, 'm')
  return [...tests.values()].some((text) => imports.test(text))
}

/** The modules of Python itself and of its runners. */
const runnerModules = new Set(
  `__future__ _pytest abc aifc argparse array ast asynchat asyncio asyncore atexit attr audioop base64 bdb binascii bisect builtins bz2 cProfile calendar
   cgi cgitb chunk cmath cmd code codecs codeop collections colorama colorsys compileall concurrent configparser contextlib contextvars copy
   copyreg coverage crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
   exceptiongroup faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib
   grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib iniconfig inspect io ipaddress itertools json keyword linecache locale
   logging lzma mailbox mailcap marshal math mimetypes mmap mock modulefinder msilib msvcrt multiprocessing netrc nis nntplib nose nt ntpath
   nturl2path numbers opcode operator optparse os ossaudiodev packaging pathlib pdb pickle pickletools pipes pkgutil platform plistlib pluggy
   poplib posix posixpath pprint profile pstats pty pwd py py_compile pyclbr pydoc pydoc_data pyexpat pygments pytest queue quopri random re
   readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
   socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys
   sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback
   tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib
   xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
)
