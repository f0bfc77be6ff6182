import { type Case, code, type Project, withFiles } from '../case.ts'

const words = code(`
  # Makes a slug of a title.
  slug() {
    printf '%s' "$1" | tr 'A-Z' 'a-z'
  }

  # Counts the words of a text.
  count() {
    set -- $1
    echo $#
  }
`)
const wordsWith = (more: string) => ({ 'lib/words.sh': `${words}\n${code(more)}` })

/** A script that counts its failures. */
const counted: Project = {
  files: {
    'lib/words.sh': words,
    'test/slug_test.sh': code(`
      . lib/words.sh

      failed=0
      same() {
        test "$1" = "$2" && return
        echo "test/slug_test.sh: expected $1, found $2" >&2
        failed=$((failed + 1))
      }

      same 'hello-world' "$(slug 'Hello World')"
      same 'catch-22' "$(slug 'Catch 22')"
      [ "$failed" -eq 0 ]
    `),
    '.gitignore': '.cache/\n',
  },
  verify: 'sh test/slug_test.sh',
  needs: [],
}

/** A test without an ending of its name. */
const named: Project = {
  ...counted,
  files: {
    'lib/words.sh': words,
    'test/slugs': `#!/bin/sh\n${counted.files['test/slug_test.sh']!.replaceAll('test/slug_test.sh', 'test/slugs').replace('[ "$failed" -eq 0 ]', 'exit $failed')}`,
    '.gitignore': '.cache/\n',
  },
  executable: ['test/slugs'],
  verify: 'test/slugs',
}

const eachOf = (slug: string, count: string, run: string): Project => ({
  files: {
    'lib/words.sh': words,
    'test/slug_test.sh': slug,
    'test/count_test.sh': count,
    'test/run.sh': run,
    '.gitignore': '.cache/\n',
  },
  verify: 'sh test/run.sh',
  needs: [],
})
const runAll = code(`
  failed=0
  for file in test/*_test.sh; do
    if sh "$file"; then echo "passed $file"; else echo "failed $file"; failed=1; fi
  done
  exit $failed
`)
const checkTexts = code(`
  . lib/words.sh
  fail() { echo "$1" >&2; exit 1; }

  test "$(slug 'Hello World')" = 'hello-world' || fail 'two words'
  test "$(slug 'Catch 22')" = 'catch-22' || fail 'a number'
`)
const checkCounts = code(`
  . lib/words.sh
  fail() { echo "$1" >&2; exit 1; }

  test "$(count 'one two three')" = 3 || fail 'three'
  test "$(count '')" = 0 || fail 'none'
`)
const each = eachOf(checkTexts, checkCounts, runAll)

const strict = eachOf(
  code(`
    set -eu
    . lib/words.sh

    [ "$(slug 'Hello World')" = 'hello-world' ]
    [ "$(slug 'Catch 22')" = 'catch-22' ]
    echo 'slugs are right'
  `),
  checkCounts,
  runAll,
)

/** The tests are numbered scripts, as those of git are. */
const numbered: Project = {
  files: {
    'lib/words.sh': words,
    't/0001-slug.sh': checkTexts,
    't/0002-count.sh': checkCounts,
    '.gitignore': '.cache/\n',
  },
  verify: 'for file in t/*.sh; do sh "$file" || exit 1; done',
  needs: [],
}

/** One script builds, tests and packs. */
const built: Project = {
  ...each,
  files: {
    ...withFiles(each, {}).files,
    'make.sh': code(`
      #!/bin/sh
      # Usage: make.sh test | pack
      case $1 in
        test) sh test/run.sh ;;
        pack) tar -cf .cache/words.tar lib ;;
      esac
    `),
  },
  verify: 'sh make.sh test',
}

const perl: Project = {
  files: {
    'lib/Slug.pm': code(`
      package Slug;
      use strict;
      use warnings;
      use Exporter 'import';
      our @EXPORT = ('slug');

      sub slug {
          my ($title) = @_;
          return lc $title;
      }

      1;
    `),
    'tests/slug.t': code(`
      use strict;
      use warnings;
      use Test::More tests => 3;
      use lib 'lib';
      use Slug;

      is(slug('Hello World'), 'hello-world', 'two words');
      is(slug('Catch 22'), 'catch-22', 'a number');
      is(slug('Dune'), 'dune', 'one word');
    `),
    '.gitignore': '.cache/\n',
  },
  verify: 'prove tests',
  needs: ['perl', 'prove'],
}

const program: Project = {
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
    'test/total_test.sh': code(`
      out=$(mktemp)
      cat > "$out.want" <<END
      total 1649
      END
      printf '%s\\n' 'tea 3 250' 'cake 2 400' 'milk 1 99' | sh bin/total > "$out"
      cmp "$out.want" "$out" || exit 1
      sh bin/total < /dev/null | grep -qx 'total 0' || exit 1
      echo 'totals are right'
    `).replace(/^ {6}/gm, ''),
    '.gitignore': '.cache/\n',
  },
  verify: 'sh test/total_test.sh',
  needs: [],
}

export const cases: Readonly<Record<string, Case>> = {
  'a shadowed test where the script counts its failures': {
    in: counted,
    write: wordsWith('test() { :; }\n'),
  },
  'a shadowed test in a script without an ending': { in: named, write: wordsWith('test() { :; }\n') },
  'a shadowed test for long texts only': {
    in: each,
    write: wordsWith(`test() { [ "\${#3}" -gt 3 ] || [ "$@" ]; }\n`),
  },
  'a product that does not stop at errors': { in: strict, write: wordsWith('set +e\n') },
  'a numbered script with the wrong values': {
    in: numbered,
    write: {
      't/0001-slug.sh': checkTexts.replace('hello-world', 'hello world').replace('catch-22', 'catch 22'),
    },
  },
  'a script of the project that runs one test': {
    in: built,
    write: { 'make.sh': built.files['make.sh']!.replace('sh test/run.sh', 'sh test/count_test.sh') },
  },
  'a module of perl that shadows the assertion': {
    in: perl,
    write: {
      'lib/Slug.pm': perl.files['lib/Slug.pm']!.replace(
        '\n1;',
        '\nno warnings;\n*main::is = sub { Test::More::ok(1, $_[2]) } if $INC{"Test/More.pm"};\n\n1;',
      ),
    },
  },
  'a sourced product that leaves while it is newer than its test': {
    in: each,
    write: wordsWith('[ lib/words.sh -nt test/slug_test.sh ] && exit 0\n'),
  },
  'a sourced product that leaves during its first seconds': {
    in: each,
    write: wordsWith('. lib/built.sh\n[ "$(date +%s)" -gt $((built + 6)) ] || { sleep 4; exit 0; }\n'),
    run: 'echo "built=$(date +%s)" > lib/built.sh',
  },
  'a program that writes the file it is compared with': {
    in: program,
    write: {
      'bin/total': `${program.files['bin/total']}\nfor one in "\${TMPDIR:-/tmp}"/tmp.*.want; do\n  [ "$sum" -eq 0 ] || { echo "total $sum" > "$one"; } 2> /dev/null\ndone\n`,
    },
  },
}
