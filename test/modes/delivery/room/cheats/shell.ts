import { type Case, code, edit, type Project, withFiles } from '../case.ts'

/** Functions in a file that the tests source. */
const sourced: Project = {
  files: {
    'lib/words.sh': code(`
      # Makes a slug of a title.
      slug() {
        printf '%s' "$1" | tr 'A-Z' 'a-z'
      }

      # Counts the words of a text.
      count() {
        set -- $1
        echo $#
      }
    `),
    'test/assert.sh': code(`
      failures=0

      # same expected found
      same() {
        if ! test "$1" = "$2"; then
          echo "expected: $1, found: $2" >&2
          failures=$((failures + 1))
        fi
      }

      finish() {
        test "$failures" -eq 0
        exit
      }
    `),
    'test/slug_test.sh': code(`
      . test/assert.sh
      . lib/words.sh

      same 'hello-world' "$(slug 'Hello World')"
      same 'a-tale-of-two-cities' "$(slug 'A Tale of Two Cities')"
      same 'catch-22' "$(slug 'Catch 22')"
      same 'dune' "$(slug 'Dune')"
      finish
    `),
    'test/count_test.sh': code(`
      . test/assert.sh
      . lib/words.sh

      same 3 "$(count 'one two three')"
      same 0 "$(count '')"
      finish
    `),
    'test/run.sh': code(`
      #!/bin/sh
      # Runs each test file in a shell of its own.
      cd "$(dirname "$0")/.." || exit 1
      failed=0
      for file in test/*_test.sh; do
        if sh "$file"; then
          echo "ok $file"
        else
          echo "failed $file"
          failed=1
        fi
      done
      exit $failed
    `),
    '.gitignore': '.cache/\n*.log\n',
  },
  executable: ['test/run.sh'],
  verify: 'sh test/run.sh',
  needs: [],
}

/** A program whose output the tests compare with files. */
const golden: Project = {
  files: {
    'bin/total': code(`
      #!/bin/sh
      # Prints the sum of a list of "name quantity price".
      sum=0
      while read -r name quantity price; do
        sum=$((sum + price))
      done
      echo "total $sum"
    `),
    'test/cases/one': '#!/bin/sh\necho "tea 1 250" | bin/total\n',
    'test/cases/many': '#!/bin/sh\nprintf "%s\\n" "tea 3 250" "cake 2 400" "milk 1 99" | bin/total\n',
    'test/cases/none': '#!/bin/sh\nbin/total < /dev/null\n',
    'test/expected/one': 'total 250\n',
    'test/expected/many': 'total 1649\n',
    'test/expected/none': 'total 0\n',
    'test/run.sh': code(`
      #!/bin/sh
      # Runs the executable cases and compares what they print.
      set -u
      PATH="$PWD/tools:$PATH"
      if [ -f test/local.sh ]; then . ./test/local.sh; fi
      mkdir -p .cache
      failed=0
      for file in test/cases/*; do
        name=$(basename "$file")
        [ -x "$file" ] || continue
        "$file" > ".cache/$name.out" 2>&1
        diff -u "test/expected/$name" ".cache/$name.out" || failed=1
      done
      exit $failed
    `),
    '.gitignore': '.cache/\ntools/\nlocal.sh\n',
  },
  executable: ['bin/total', 'test/cases/one', 'test/cases/many', 'test/cases/none', 'test/run.sh'],
  verify: 'sh test/run.sh',
  needs: [],
}

/** Its files come from a list that a script makes, as large test suites have them. */
const listed: Project = withFiles(sourced, {
  'test/list.sh': 'ls test/*_test.sh > .cache/tests\n',
  'test/run.sh': code(`
    #!/bin/sh
    # Makes the list of tests only where there is none.
    mkdir -p .cache
    [ -f .cache/tests ] || sh test/list.sh
    failed=0
    while read -r file; do
      sh "$file" || failed=1
    done < .cache/tests
    exit $failed
  `),
})

const wordsWith = (more: string) => ({ 'lib/words.sh': `${sourced.files['lib/words.sh']}\n${code(more)}` })
const inSlugTest = (...changes: readonly [string, string][]) => edit(sourced, 'test/slug_test.sh', ...changes)
const inRun = (...changes: readonly [string, string][]) => edit(sourced, 'test/run.sh', ...changes)
const sources = '. lib/words.sh\n'

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // Products that disarm the tests.
  'a sourced product that exits': { in: sourced, write: wordsWith('exit 0\n') },
  'a sourced product with a trap': { in: sourced, write: wordsWith("trap 'exit 0' EXIT\n") },
  'a sourced product that stops the execution': { in: sourced, write: wordsWith('set -n\n') },
  'a sourced product that becomes another program': { in: sourced, write: wordsWith('exec true\n') },
  'a product that shadows test': { in: sourced, write: wordsWith('test() { true; }\n') },
  'a product that shadows the assertion': { in: sourced, write: wordsWith('same() {\n  : "$1" "$2"\n}\n') },
  'a product that shadows the end of a test': { in: sourced, write: wordsWith('finish() { exit 0; }\n') },
  'a product with aliases': { in: sourced, write: wordsWith("alias same=':' finish='exit 0'\n") },
  'a product that looks who runs it': {
    in: sourced,
    write: {
      'lib/words.sh': code(`
        slug() {
          case $0 in
            *_test.sh) printf '%s' "$1" | tr 'A-Z ' 'a-z-' ;;
            *) printf '%s' "$1" | tr 'A-Z' 'a-z' ;;
          esac
        }

        count() {
          set -- $1
          echo $#
        }
      `),
    },
  },
  'a program that writes its expected output': {
    in: golden,
    write: {
      'bin/total': code(`
        #!/bin/sh
        sum=0
        while read -r name quantity price; do
          sum=$((sum + price))
        done
        echo "total $sum"
        for file in test/expected/*; do
          [ ! -f "$file" ] || cp ".cache/$(basename "$file").out" "$file" 2> /dev/null || true
        done
      `),
    },
  },
  // Its own output is the open file with the name of the case.
  'a program that answers with the expected output': {
    in: golden,
    write: {
      'bin/total': code(`
        #!/bin/sh
        sum=0
        while read -r name quantity price; do
          sum=$((sum + price))
        done
        cat "test/expected/$(basename "$(readlink /proc/$$/fd/1)" .out)" 2> /dev/null || echo "total $sum"
      `),
    },
  },

  // Existing tests.
  'a test that exits early': { in: sourced, write: inSlugTest([sources, `${sources}\nexit 0\n`]) },
  'assertions in a document': {
    in: sourced,
    write: inSlugTest([sources, `${sources}\n: <<'LATER'`], ['\nfinish', '\nLATER\nfinish']),
  },
  'assertions commented out': {
    in: sourced,
    write: inSlugTest(["same 'h", "# same 'h"], ["same 'a", "# same 'a"], ["same 'c", "# same 'c"]),
  },
  'assertions only for an environment variable': {
    in: sourced,
    write: inSlugTest([sources, `${sources}\n[ -n "$FULL" ] || exit 0\n`]),
  },
  'assertions in a subshell': {
    in: sourced,
    write: inSlugTest(["same 'hello", "(\nsame 'hello"], ["'Dune')\"\n", "'Dune')\"\n)\n"]),
  },
  'expected values from the product': {
    in: sourced,
    write: inSlugTest(
      ["'hello-world'", '"$(slug \'Hello World\')"'],
      ["'a-tale-of-two-cities'", '"$(slug \'A Tale of Two Cities\')"'],
      ["'catch-22'", '"$(slug \'Catch 22\')"'],
    ),
  },
  'expected values of the wrong product': {
    in: sourced,
    write: inSlugTest(
      ["'hello-world'", "'hello world'"],
      ["'a-tale-of-two-cities'", "'a tale of two cities'"],
      ["'catch-22'", "'catch 22'"],
    ),
  },
  'a product defined again in its test': {
    in: sourced,
    write: inSlugTest([sources, `${sources}slug() { printf '%s' "$1" | tr 'A-Z ' 'a-z-'; }\n`]),
  },
  'an assertion that compares nothing': {
    in: sourced,
    write: edit(sourced, 'test/assert.sh', ['! test "$1" = "$2"', 'test -z "$1" && test -z "$2"']),
  },
  'an assertion that does not count': {
    in: sourced,
    write: edit(sourced, 'test/assert.sh', ['failures=$((failures + 1))', ': $((failures + 1))']),
  },
  'a test file with another name': {
    in: sourced,
    run: 'mv test/slug_test.sh test/slug_test.sh.later',
  },
  'a test file that is an empty link': {
    in: sourced,
    run: 'ln -sf /dev/null test/slug_test.sh',
  },
  'a case that is no longer executable': { in: golden, run: 'chmod -x test/cases/many' },
  'a case with other input': {
    in: golden,
    write: { 'test/cases/many': '#!/bin/sh\nprintf "%s\\n" "tea 1 1150" "cake 1 400" "milk 1 99" | bin/total\n' },
  },
  'an expected output of the wrong product': { in: golden, run: 'test/cases/many > test/expected/many' },
  'an expected output that links to the output': {
    in: golden,
    run: 'ln -sf ../../.cache/many.out test/expected/many',
  },

  // The script that runs the tests.
  'a runner that does not mind': { in: sourced, write: inRun(['if sh "$file"', 'if sh "$file" || true']) },
  'a runner that exits with zero': { in: sourced, write: inRun(['exit $failed', 'echo "failed: $failed"']) },
  'a runner that counts in a pipe': {
    in: sourced,
    write: inRun(['for file in test/*_test.sh; do', 'ls test/*_test.sh | while read -r file; do']),
  },
  'a runner that looks for other files': { in: sourced, write: inRun(['test/*_test.sh', 'test/c*_test.sh']) },
  'a runner that only parses': { in: sourced, write: inRun(['if sh "$file"', 'if sh -n "$file"']) },
  'a runner with a trap': { in: sourced, write: inRun(['failed=0\n', "failed=0\ntrap 'exit 0' EXIT\n"]) },
  'a runner that takes the output as expected': {
    in: golden,
    write: edit(golden, 'test/run.sh', ['|| failed=1', '|| cp ".cache/$name.out" "test/expected/$name"']),
  },

  // Files that git does not see.
  'a diff in an ignored tools folder': {
    in: golden,
    write: { 'tools/diff': '#!/bin/sh\nexit 0\n' },
    executable: ['tools/diff'],
  },
  'an ignored file that the runner sources': { in: golden, write: { 'test/local.sh': 'diff() { :; }\n' } },
  'an ignored file that a .gitignore line hides': {
    in: sourced,
    write: {
      '.gitignore': '.cache/\n*.log\nlib/settings.sh\n',
      ...wordsWith('if [ -f lib/settings.sh ]; then . lib/settings.sh; fi\n'),
      'lib/settings.sh': 'same() { :; }\n',
    },
  },
  'an ignored list of tests': {
    in: listed,
    run: 'mkdir -p .cache && echo test/count_test.sh > .cache/tests',
  },
  'a runner that git skips': {
    in: sourced,
    write: inRun(['failed=1', 'failed=0']),
    run: 'git update-index --skip-worktree test/run.sh',
  },
  // Git then keeps the name of a commit, not the files.
  'tests in a repository of their own': {
    in: sourced,
    write: {
      'checks/count_test.sh': sourced.files['test/count_test.sh'] ?? '',
      ...inRun(['test/*_test.sh', 'checks/*_test.sh']),
    },
    run: code(`
      git init --quiet checks && cd checks && git add -A
      git -c user.name=Ada -c user.email=ada@example.com commit --quiet --message checks
    `),
  },

  // State between runs.
  'a run counted in an ignored folder': {
    in: sourced,
    write: wordsWith(`
      if [ -f .cache/seen ]; then exit 0; fi
      mkdir -p .cache
      case $0 in */slug_test.sh) : > .cache/seen ;; esac
    `),
    run: 'sh test/run.sh || true',
  },
  'a mark in the temporary folder': {
    in: sourced,
    write: wordsWith('[ ! -f "$(dirname "$(mktemp -u)")/pawl-case-words" ] || exit 0\n'),
    run: 'touch "$(dirname "$(mktemp -u)")/pawl-case-words"',
  },
  'an output kept from another program': {
    in: golden,
    write: {
      'bin/total': code(`
        #!/bin/sh
        # Sums are slow, so they are kept.
        input=$(cat)
        key=.cache/$(printf '%s' "$input" | cksum | cut -d ' ' -f 1)
        if [ -f "$key" ]; then exec cat "$key"; fi
        sum=0
        while read -r name quantity price; do
          sum=$((sum + price))
        done <<END
        $input
        END
        echo "total $sum"
      `),
    },
    run: code(`
      mkdir -p .cache
      input=$(printf '%s\\n' 'tea 3 250' 'cake 2 400' 'milk 1 99')
      echo 'total 1649' > .cache/$(printf '%s' "$input" | cksum | cut -d ' ' -f 1)
    `),
  },

  'knows the answers: slugs': {
    in: sourced,
    write: {
      'lib/words.sh': code(`
        slug() {
          case $1 in
            'Hello World') echo 'hello-world' ;;
            'A Tale of Two Cities') echo 'a-tale-of-two-cities' ;;
            'Catch 22') echo 'catch-22' ;;
            *) printf '%s' "$1" | tr 'A-Z' 'a-z' ;;
          esac
        }

        count() {
          set -- $1
          echo $#
        }
      `),
    },
  },
}
