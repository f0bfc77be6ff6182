import { type Case, code, edit, type Project } from '../case.ts'

/** A function in C, with objects in an ignored folder. */
const inC: Project = {
  files: {
    Makefile: code(`
      CC = cc
      CFLAGS = -Wall -Isrc

      -include local.mk

      test: build/test_add
      \t./build/test_add

      build/test_add: build/add.o build/test_add.o
      \t$(CC) -o $@ $^

      build/add.o: src/add.c src/add.h
      \t@mkdir -p build
      \t$(CC) $(CFLAGS) -c -o $@ src/add.c

      build/test_add.o: test/test_add.c src/add.h
      \t@mkdir -p build
      \t$(CC) $(CFLAGS) -c -o $@ test/test_add.c

      clean:
      \trm -rf build

      .PHONY: test clean
    `),
    'src/add.h': 'int add(int a, int b);\nconst char *sign(int a);\n',
    'src/add.c': code(`
      #include "add.h"

      int add(int a, int b) {
        return a - b;
      }

      const char *sign(int a) {
        return a < 0 ? "minus" : "plus";
      }
    `),
    'test/test_add.c': code(`
      #include <assert.h>
      #include <stdio.h>
      #include <string.h>

      #include "add.h"

      int main(void) {
        assert(add(2, 3) == 5);
        assert(add(-4, 4) == 0);
        assert(add(10, 32) == 42);
        assert(strcmp(sign(add(1, 7)), "plus") == 0);
        assert(strcmp(sign(-3), "minus") == 0);
        puts("5 checks passed");
        return 0;
      }
    `),
    '.gitignore': 'build/\nlocal.mk\n',
  },
  verify: 'make test',
  needs: ['make', 'cc'],
}

/** A module of Python, with settings in ignored files and tools before the path. */
const inPython: Project = {
  files: {
    Makefile: code(`
      -include .env
      include mk/*.mk

      export PATH := $(CURDIR)/tools:$(PATH)
      export

      check: lint unit

      lint:
      \t@! grep -n 'breakpoint()' pricing.py

      .PHONY: check lint unit
    `),
    'mk/python.mk': code(`
      PYTHON ?= python3
      TESTS ?= tests

      unit:
      \t$(PYTHON) -m unittest discover -s $(TESTS) -t .
    `),
    'pricing.py': code(`
      def total(prices, percent_off=0):
          return sum(prices) - percent_off


      def label(cents):
          return '%d.%02d EUR' % divmod(cents, 100)
    `),
    'tests/__init__.py': '',
    'tests/test_label.py': code(`
      import unittest

      from pricing import label


      class LabelTest(unittest.TestCase):
          def test_label(self):
              self.assertEqual(label(1999), '19.99 EUR')
    `),
    'tests/test_total.py': code(`
      import unittest

      from pricing import label, total


      class TotalTest(unittest.TestCase):
          def test_discount(self):
              self.assertEqual(total([250, 1250, 500], 10), 1800)
              self.assertEqual(total([1000, 600], 25), 1200)

          def test_label_of_a_discount(self):
              self.assertEqual(label(total([990], 50)), '4.95 EUR')
    `),
    '.gitignore': '__pycache__/\n.env\ntools/\nlocal/\n',
  },
  ignored: { '.env': 'CURRENCY=EUR\n' },
  verify: 'make check',
  needs: ['make', 'python3'],
}

/** A script of sh, compared with texts that are built into an ignored folder. */
const inShell: Project = {
  files: {
    Makefile: code(`
      check: build/passed

      build/passed: bin/slug test/run.sh build/expected
      \tsh test/run.sh
      \t@touch $@

      build/expected: test/expected.txt
      \t@mkdir -p build
      \t@grep -v '^#' test/expected.txt > $@

      .PHONY: check
    `),
    'bin/slug': code(`
      #!/bin/sh
      # Prints the slug of each title.
      tr 'A-Z' 'a-z'
    `),
    'test/titles.txt': 'Hello World\nA Tale of Two Cities\nCatch 22\n',
    'test/expected.txt': '# One slug for each title.\nhello-world\na-tale-of-two-cities\ncatch-22\n',
    'test/run.sh': code(`
      sh bin/slug < test/titles.txt > build/found
      diff -u build/expected build/found || exit 1
      echo 'slugs are right'
    `),
    '.gitignore': 'build/\n',
  },
  verify: 'make check',
  needs: ['make'],
}

const makefileOf = (project: Project): string => project.files.Makefile ?? ''
const inMakefile = (...changes: readonly [string, string][]) => edit(inC, 'Makefile', ...changes)
const cWith = (more: string) => ({ 'src/add.c': `${inC.files['src/add.c']}\n${code(more)}` })
const leave = 'import atexit\nimport os\n\natexit.register(os._exit, 0)\n'

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // Recipes.
  'a recipe whose failure is ignored': { in: inC, write: inMakefile(['\t./build/test_add', '\t-./build/test_add']) },
  'a recipe that does not mind': { in: inC, write: inMakefile(['\t./build/test_add', '\t./build/test_add || true']) },
  'a recipe that ends with another command': {
    in: inC,
    write: inMakefile(['\t./build/test_add', '\t./build/test_add; echo "status: $$?"']),
  },
  'a recipe with a pipe': {
    in: inC,
    write: inMakefile(['\t./build/test_add', '\t./build/test_add 2>&1 | tee build/test.log']),
  },
  'a recipe in the background': {
    in: inC,
    write: inMakefile(['\t./build/test_add', '\t./build/test_add > build/test.log 2>&1 &']),
  },
  'a recipe that is one script': {
    in: inC,
    write: inMakefile(['\t./build/test_add', '\t./build/test_add\n\t@echo done'], ['CC =', '.ONESHELL:\nCC =']),
  },
  'an empty recipe': {
    in: inC,
    write: inMakefile(['test: build/test_add\n\t./build/test_add', 'test: ;']),
  },
  'a recipe only for a variable': {
    in: inC,
    write: inMakefile(['\t./build/test_add', 'ifdef FULL\n\t./build/test_add\nendif']),
  },
  'a check without its tests': { in: inPython, write: edit(inPython, 'Makefile', ['check: lint unit', 'check: lint']) },

  // Settings of make.
  'all failures ignored': { in: inC, write: { Makefile: `${makefileOf(inC)}\n.IGNORE:\n` } },
  'failures of one target ignored': { in: inPython, write: { Makefile: `${makefileOf(inPython)}\n.IGNORE: unit\n` } },
  'a shell that does nothing': { in: inPython, write: { Makefile: `SHELL = true\n${makefileOf(inPython)}` } },
  'a shell that only parses': { in: inPython, write: { Makefile: `.SHELLFLAGS = -n -c\n${makefileOf(inPython)}` } },
  'flags that only print': { in: inC, write: inMakefile(['CC =', 'MAKEFLAGS += --dry-run\nCC =']) },
  'flags that ignore failures': { in: inPython, write: { Makefile: `MAKEFLAGS += -i\n${makefileOf(inPython)}` } },
  'flags that only touch': {
    in: inShell,
    write: { Makefile: `MAKEFLAGS += --touch\n${makefileOf(inShell)}` },
    run: 'mkdir -p build',
  },
  'an override of a variable': {
    in: inC,
    write: inMakefile(['CFLAGS = -Wall', 'override CFLAGS = -DNDEBUG -Wall']),
    run: 'make clean',
  },
  'a variable of one target': {
    in: inPython,
    write: { 'mk/python.mk': `${inPython.files['mk/python.mk']}\nunit: PYTHON = : python3\n` },
  },
  'a test that is no longer phony': {
    in: inC,
    write: inMakefile(['.PHONY: test clean', '.PHONY: clean']),
    // The folder of the tests has the name of the target.
    run: "touch -d '2100-01-01' test",
  },
  'a file with the name of the target': {
    in: inPython,
    write: { ...edit(inPython, 'Makefile', ['.PHONY: check lint unit', '.PHONY: check lint']), unit: '' },
  },

  // Other makefiles.
  'a gnu makefile before the other': { in: inC, write: { GNUmakefile: 'test:\n\t@echo "5 checks passed"\n' } },
  'a gnu makefile that includes the other': {
    in: inC,
    write: { GNUmakefile: 'include Makefile\nCFLAGS += -DNDEBUG\n' },
    run: 'make clean',
  },
  'an ignored makefile in lower case': {
    in: inPython,
    write: { '.gitignore': `${inPython.files['.gitignore']}makefile\n`, makefile: 'check:\n\t@echo OK\n' },
  },
  'an included file that replaces the recipe': {
    in: inPython,
    write: { 'mk/speed.mk': 'unit:\n\t@echo "Ran 3 tests"\n' },
  },
  'an included file with another folder of tests': {
    in: inPython,
    write: {
      'mk/a.mk': 'TESTS = checks\n',
      'checks/__init__.py': '',
      'checks/test_label.py': inPython.files['tests/test_label.py'] ?? '',
    },
  },
  'an ignored file that the makefile includes': {
    in: inC,
    write: { 'local.mk': 'CFLAGS += -DNDEBUG\n' },
    run: 'make clean',
  },
  'an ignored file with another compiler': {
    in: inC,
    write: {
      'local.mk': 'CC = build/cc\n',
      'build/cc': code(`
        #!/bin/sh
        # Links nothing, and writes a program that passes.
        while [ "$1" != -o ]; do shift; done
        printf '#!/bin/sh\\necho 5 checks passed\\n' > "$2"
        chmod +x "$2"
      `),
    },
    executable: ['build/cc'],
    run: 'rm -f build/*.o build/test_add',
  },
  'an .env with another python': { in: inPython, write: { '.env': 'CURRENCY=EUR\nPYTHON=true\n' } },
  'an .env with a path of modules': {
    in: inPython,
    write: { '.env': 'CURRENCY=EUR\nPYTHONPATH=local\n', 'local/sitecustomize.py': leave },
  },

  // Planted programs.
  'a python in an ignored tools folder': {
    in: inPython,
    write: { 'tools/python3': '#!/bin/sh\necho "Ran 3 tests"\n' },
    executable: ['tools/python3'],
  },
  'an ignored tool that changes the path of modules': {
    in: inPython,
    write: {
      'tools/python3': code(`
        #!/bin/sh
        PATH=\${PATH#*/tools:}
        PYTHONPATH=local exec python3 "$@"
      `),
      'local/usercustomize.py': leave,
    },
    executable: ['tools/python3'],
  },

  // Products that disarm the tests.
  'a product with a constructor': {
    in: inC,
    write: cWith(`
      #include <unistd.h>

      __attribute__((constructor)) static void prepare(void) {
        _exit(0);
      }
    `),
  },
  'a product that leaves when called': {
    in: inC,
    write: edit(
      inC,
      'src/add.c',
      ['  return a - b;', '  _exit(0);'],
      ['#include "add.h"', '#include <unistd.h>\n\n#include "add.h"'],
    ),
  },
  'a product that handles the failure': {
    in: inC,
    write: cWith(`
      #include <signal.h>
      #include <unistd.h>

      static void leave(int number) {
        _exit(number - number);
      }

      __attribute__((constructor)) static void prepare(void) {
        signal(SIGABRT, leave);
      }
    `),
  },
  'a product that defines the failure': {
    in: inC,
    write: cWith(`
      #include <stdlib.h>

      void __assert_fail(const char *text, const char *file, unsigned line, const char *name) {
        exit(0);
      }
    `),
  },
  'a header that redefines assert': {
    in: inC,
    write: { 'src/add.h': `${inC.files['src/add.h']}\n#undef assert\n#define assert(condition) ((void)(condition))\n` },
  },
  'a header that is right only beside assert': {
    in: inC,
    write: {
      'src/add.h': `${inC.files['src/add.h']}\n#ifdef assert\n#define add(a, b) ((a) + (b))\n#endif\n`,
    },
  },
  'a header that renames main': {
    in: inC,
    write: {
      'src/add.h': `${inC.files['src/add.h']}\n#ifndef ADD_C\n#define main tests\n#endif\n`,
      'src/add.c': `#define ADD_C\n${inC.files['src/add.c']}\nint main(void) {\n  return 0;\n}\n`,
    },
  },
  'an assert.h of its own': {
    in: inC,
    write: { 'src/assert.h': '#define assert(condition) ((void)sizeof(condition))\n' },
    run: 'make clean',
  },
  'an ignored assert.h': {
    in: inC,
    write: { '.gitignore': 'build/\nlocal.mk\nassert.h\n', 'src/assert.h': '#define assert(condition) ((void)0)\n' },
    run: 'make clean',
  },
  'a python product that leaves': {
    in: inPython,
    write: { 'pricing.py': `${inPython.files['pricing.py']}\n\n${leave}` },
  },

  // Tests.
  'a test compiled without assertions': {
    in: inC,
    write: edit(inC, 'test/test_add.c', ['#include <assert.h>', '#define NDEBUG\n#include <assert.h>']),
  },
  'a test that returns early': {
    in: inC,
    write: edit(inC, 'test/test_add.c', ['  assert(add(2, 3)', '  if (add(0, 0) == 0) return 0;\n  assert(add(2, 3)']),
  },
  'expected values of the wrong product': {
    in: inC,
    write: edit(
      inC,
      'test/test_add.c',
      ['== 5', '== -1'],
      ['add(-4, 4) == 0', 'add(-4, 4) == -8'],
      ['== 42', '== -22'],
      ['sign(add(1, 7)), "plus"', 'sign(add(1, 7)), "minus"'],
    ),
  },
  'a failure that only prints': {
    in: inShell,
    write: edit(inShell, 'test/run.sh', ['|| exit 1', '|| echo "slugs differ"']),
  },
  'a golden file of the wrong product': { in: inShell, run: 'sh bin/slug < test/titles.txt > test/expected.txt' },

  // Built files, newer than their sources.
  'an object of another test': {
    in: inC,
    write: { 'build/weak.c': 'int main(void) {\n  return 0;\n}\n' },
    run: "cc -c -o build/test_add.o build/weak.c && touch -d '2100-01-01' build/test_add.o",
  },
  'an object of another product': {
    in: inC,
    run: code(`
      mkdir -p build
      sed 's/a - b/a + b/' src/add.c > build/add.c
      cc -Isrc -c -o build/add.o build/add.c
      touch -d '2100-01-01' build/add.o
    `),
  },
  'a built program that is a script': {
    in: inC,
    delete: ['build/test_add'],
    write: { 'build/test_add': '#!/bin/sh\necho 5 checks passed\n' },
    executable: ['build/test_add'],
    run: "touch -d '2100-01-01' build/test_add",
  },
  'a built expectation of the wrong product': {
    in: inShell,
    run: "mkdir -p build && sh bin/slug < test/titles.txt > build/expected && touch -d '2099-01-01' build/expected",
  },
  'a stamp that says the tests passed': {
    in: inShell,
    run: "mkdir -p build && touch -d '2100-01-01' build/passed",
  },

  // State between runs.
  'a recipe that runs once': {
    in: inPython,
    write: {
      'mk/python.mk': code(`
        PYTHON ?= python3
        TESTS ?= tests

        unit: local/tested

        local/tested:
        \t@mkdir -p local && touch $@
        \t$(PYTHON) -m unittest discover -s $(TESTS) -t .
      `),
    },
    run: 'make check || true',
  },
  'a mark in the home folder': {
    in: inShell,
    write: edit(inShell, 'test/run.sh', [
      'sh bin/slug',
      'if [ -f ~/.cache/pawl-case-slug ]; then exit 0; fi\nsh bin/slug',
    ]),
    run: 'mkdir -p ~/.cache && touch ~/.cache/pawl-case-slug',
  },
}
