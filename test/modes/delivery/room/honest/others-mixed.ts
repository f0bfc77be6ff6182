import { edit, type HonestCase, type Project, withFiles } from '../case.ts'

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const go = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: { 'go.mod': 'module example.com/app\n\ngo 1.19\n', ...files },
  verify: 'go test ./...',
  needs: ['go'],
  ...more,
})

const stackGo = `package stack

// Stack keeps values, the last one on top.
type Stack struct{ values []int }

// Push adds a value.
func (s *Stack) Push(value int) { s.values = append(s.values, value) }

// Pop removes the value on top.
func (s *Stack) Pop() (int, bool) {
	if len(s.values) == 0 {
		return 0, false
	}
	top := s.values[len(s.values)-1]
	s.values = s.values[:len(s.values)-1]
	return top, true
}
`
const stack = go({
  'internal/stack/stack.go': stackGo,
  'internal/stack/example_test.go': `package stack_test

import (
	"fmt"

	"example.com/app/internal/stack"
)

func ExampleStack_Pop() {
	var s stack.Stack
	s.Push(1)
	s.Push(2)
	fmt.Println(s.Pop())
	// Output: 2 true
}
`,
})

const fuzz = go({
  'parse/parse.go': `package parse

import (
	"errors"
	"strconv"
	"strings"
)

// Range reads "2-5".
func Range(text string) (int, int, error) {
	parts := strings.Split(text, "-")
	from, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0, 0, err
	}
	to, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, 0, err
	}
	if to < from {
		return 0, 0, errors.New("ends before it begins")
	}
	return from, to, nil
}
`,
  'parse/parse_test.go': `package parse

import "testing"

func FuzzRange(f *testing.F) {
	f.Add("2-5")
	f.Add("x-5")
	f.Fuzz(func(t *testing.T, text string) {
		from, to, err := Range(text)
		if err == nil && to < from {
			t.Errorf("Range(%q) = %d, %d", text, from, to)
		}
	})
}
`,
})

const embed = go({
  'mail/mail.go': `package mail

import (
	_ "embed"
	"strings"
	"text/template"
)

//go:embed templates/welcome.tmpl
var welcome string

// Welcome returns the text of a mail.
func Welcome(name string, days int) (string, error) {
	var text strings.Builder
	err := template.Must(template.New("welcome").Parse(welcome)).Execute(&text, map[string]any{"Name": name, "Days": days})
	return text.String(), err
}
`,
  'mail/templates/welcome.tmpl': 'Hello {{.Name}},\nyour trial ends in {{.Days}} days.\n',
  'mail/mail_test.go': `package mail

import "testing"

func TestWelcome(t *testing.T) {
	for days, want := range map[int]string{
		14: "Hello Ada,\\nyour trial ends in 14 days.\\n",
		1:  "Hello Ada,\\nyour trial ends in 1 day.\\n",
	} {
		if got, err := Welcome("Ada", days); err != nil || got != want {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
`,
})

const httpGo = go({
  'server.go': `package app

import (
	"encoding/json"
	"net/http"
)

// Handler serves the API.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/health", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]string{"status": "up"})
	})
	return mux
}
`,
  'server_test.go': `package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHealth(t *testing.T) {
	server := httptest.NewServer(Handler())
	defer server.Close()
	response, err := http.Get(server.URL + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d", response.StatusCode)
	}
}
`,
})

const renameGo = go({
  'cmd/app/main.go':
    'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/app/util"\n)\n\nfunc main() { fmt.Println(util.Reverse("abc")) }\n',
  'util/reverse.go': `package util

// Reverse returns the runes of a text from last to first.
func Reverse(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}
`,
  'util/reverse_test.go': `package util

import "testing"

func TestReverse(t *testing.T) {
	if got := Reverse("añb"); got != "bña" {
		t.Errorf("got %q", got)
	}
}
`,
})

const vendored = go({
  'greet.go': 'package app\n\n// Greet greets.\nfunc Greet(name string) string { return "Hello " + name }\n',
  'greet_test.go':
    'package app\n\nimport "testing"\n\nfunc TestGreet(t *testing.T) {\n\tif got := Greet("Ada"); got != "Hello Ada" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n',
})

const goRed = go(
  {
    'calc.go': `package app

import "errors"

// Add adds.
func Add(a, b int) int { return a - b }

// Div divides.
func Div(a, b int) (int, error) {
	if b == 0 {
		return 0, errors.New("by zero")
	}
	return a / b, nil
}

// Mod is not written yet.
func Mod(a, b int) int { return 0 }
`,
    'calc_test.go': `package app

import "testing"

func TestAdd(t *testing.T) {
	for _, c := range []struct{ a, b, want int }{{1, 2, 3}, {0, 0, 0}} {
		if got := Add(c.a, c.b); got != c.want {
			t.Errorf("Add(%d, %d) = %d", c.a, c.b, got)
		}
	}
}

func TestDiv(t *testing.T) {
	if got, err := Div(6, 3); got != 2 || err != nil {
		t.Error(got, err)
	}
}

func TestMod(t *testing.T) {
	if got := Mod(7, 4); got != 3 {
		t.Error(got)
	}
}
`,
  },
  { verify: 'go test -json ./...', config: { results: 'go-json' } },
)

// Rust.
const rust = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: { '.gitignore': 'target\n', ...files },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
  ...more,
})
const manifest = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`

const docRust = rust({
  'Cargo.toml': manifest('shapes'),
  'src/lib.rs': `//! Shapes.

/// Returns the area of a rectangle.
///
/// \`\`\`
/// assert_eq!(shapes::rectangle(2, 3), 6);
/// \`\`\`
pub fn rectangle(a: u32, b: u32) -> u32 {
    a * b
}
`,
})

const commonRust = rust({
  'Cargo.toml': manifest('store'),
  'src/lib.rs': `use std::{fs, io, path::Path};

pub fn save(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
}

pub fn load(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}
`,
  'tests/common/mod.rs': `use std::path::PathBuf;

pub fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("store-{}-{name}", std::process::id()))
}
`,
  'tests/roundtrip.rs': `mod common;

#[test]
fn loads_what_was_saved() {
    let path = common::temporary("a");
    store::save(&path, "hello").unwrap();
    assert_eq!(store::load(&path).unwrap(), "hello");
}
`,
})

const crates = rust({
  'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
  'crates/text/Cargo.toml': manifest('text'),
  'crates/text/src/lib.rs': `pub fn words(text: &str) -> usize {
    text.split(' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(words("one two"), 2);
    }

    #[test]
    fn counts_nothing() {
        assert_eq!(words(""), 0);
        assert_eq!(words("  a  b "), 2);
    }
}
`,
  'crates/cli/Cargo.toml': manifest('cli', '\n[dependencies]\ntext = { path = "../text" }\n'),
  'crates/cli/src/lib.rs': `pub fn report(text: &str) -> String {
    format!("{} words", text::words(text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn reports() {
        assert_eq!(super::report("a b c"), "3 words");
    }
}
`,
})
const greenCrates = withFiles(
  crates,
  edit(crates, 'crates/text/src/lib.rs', ["text.split(' ').count()", 'text.split_whitespace().count()']),
)

const rustRed = rust(
  {
    'Cargo.toml': manifest('days'),
    'src/lib.rs': `pub fn is_leap(year: u32) -> bool {
    year % 4 == 0
}

pub fn days(month: u32) -> u32 {
    todo!("month {month}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_years() {
        assert!(is_leap(2024));
        assert!(!is_leap(1900));
        assert!(is_leap(2000));
    }

    #[test]
    fn common_years() {
        assert!(!is_leap(2023));
    }

    #[test]
    fn months() {
        assert_eq!(days(4), 30);
    }
}
`,
  },
  { verify: 'cargo test --offline', config: { results: 'cargo' } },
)

const ignoredRust = rust({
  'Cargo.toml': manifest('caesar'),
  'src/lib.rs': `pub fn rotate(text: &str, by: u8) -> String {
    text.bytes().map(|b| if b.is_ascii_lowercase() { ((b - b'a' + by) % 26 + b'a') as char } else { b as char }).collect()
}
`,
  'tests/rotate.rs': `use caesar::rotate;

#[test]
fn rotates() {
    assert_eq!(rotate("abc xyz", 3), "def abc");
}

#[test]
#[ignore = "capitals come later"]
fn rotates_capitals() {
    assert_eq!(rotate("Abc", 1), "Bcd");
}
`,
})

// C.
const ringC = `#include "ring.h"

void ring_init(struct ring *r) { r->head = r->count = 0; }

int ring_push(struct ring *r, int value) {
    if (r->count == RING_SIZE) return 0;
    r->items[(r->head + r->count++) % RING_SIZE] = value;
    return 1;
}
`
const ring: Project = {
  files: {
    '.gitignore': '*.o\n/test_ring\n/test_pop\n',
    Makefile: `CFLAGS = -Wall -Werror -std=c11

test: test_ring
	./test_ring

test_ring: tests/test_ring.c src/ring.c
	$(CC) $(CFLAGS) -Isrc -o $@ $^

clean:
	rm -f test_ring

.PHONY: test clean
`,
    'src/ring.h':
      '#define RING_SIZE 4\n\nstruct ring {\n    int items[RING_SIZE], head, count;\n};\n\nvoid ring_init(struct ring *r);\nint ring_push(struct ring *r, int value);\n',
    'src/ring.c': ringC,
    'tests/test_ring.c': `#include <assert.h>
#include "ring.h"

int main(void) {
    struct ring r;
    ring_init(&r);
    for (int i = 0; i < RING_SIZE; i++) assert(ring_push(&r, i));
    assert(!ring_push(&r, 9));
    return 0;
}
`,
  },
  verify: 'make -s test',
  needs: ['make', 'gcc'],
}

const calcC: Project = {
  files: {
    '.gitignore': '/calc\n',
    Makefile: 'calc: calc.c\n\t$(CC) -Wall -o $@ $<\n\ncheck: calc\n\tsh tests/run.sh\n\n.PHONY: check\n',
    'calc.c': `#include <stdio.h>

int main(void) {
    double a, b;
    char op;
    while (scanf("%lf %c %lf", &a, &op, &b) == 3) {
        switch (op) {
        case '+': printf("%g\\n", a + b); break;
        case '-': printf("%g\\n", a - b); break;
        default: puts("?");
        }
    }
    return 0;
}
`,
    'tests/run.sh': `for input in tests/*.in; do\n  ./calc <"$input" | cmp - "\${input%.in}.out" || exit 1\ndone\n`,
    'tests/sums.in': '1 + 2\n5 - 7\n',
    'tests/sums.out': '3\n-2\n',
  },
  verify: 'make -s check',
  needs: ['make', 'gcc'],
}

// Shell.
const backup: Project = {
  files: {
    'lib/log.sh': 'log() {\n  printf \'%s: %s\\n\' "$1" "$2"\n}\n',
    'rotate.sh': `#!/bin/sh
# rotate.sh FOLDER KEEP: keeps the newest files.
. "$(dirname "$0")/lib/log.sh"
cd "$1" || exit 1
ls | sort -r | tail -n "+$2" | while read -r file; do
  rm "$file"
  log removed "$file"
done
`,
    'test.sh': `#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for day in 01 02 03 04; do echo "$day" >"$folder/backup-$day"; done
sh "$here/rotate.sh" "$folder" 2 >"$folder.log"

diff - "$folder.log" <<END
removed: backup-02
removed: backup-01
END
rm "$folder.log"

ls "$folder" | diff - /dev/fd/3 3<<END
backup-03
backup-04
END
echo ok
`,
  },
  verify: './test.sh',
  executable: ['test.sh', 'rotate.sh'],
  needs: ['sh'],
}
const greenBackup = withFiles(backup, edit(backup, 'rotate.sh', ['"+$2"', '"+$(($2 + 1))"']))

const tapShell: Project = {
  files: {
    'slug.sh': '#!/bin/sh\nprintf "%s" "$*" | tr "A-Z " "a-z-"\n',
    'count.sh': '#!/bin/sh\necho 0\n',
    't/all.t': `#!/bin/sh
echo 1..4
n=0
failed=0
is() {
  n=$((n + 1))
  if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=1; fi
}
is 'lower case' hello "$(sh slug.sh Hello)"
is 'dashes' a-b "$(sh slug.sh A B)"
is 'no signs' a-b "$(sh slug.sh 'A, B!')"
is 'counts' 2 "$(sh count.sh a b)"
exit $failed
`,
  },
  verify: 'sh t/all.t',
  config: { results: 'tap' },
  needs: ['sh'],
}

// Perl.
const perl: Project = {
  files: {
    'lib/Trim.pm': `package Trim;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(trim);

sub trim {
    my ($text) = @_;
    $text =~ s/^\\s+//;
    return $text;
}

1;
`,
    't/trim.t': `use strict;
use warnings;
use Test::More tests => 2;
use Trim qw(trim);

is(trim("  a"), "a", "before");
is(trim(" a b  "), "a b", "after");
`,
  },
  verify: 'prove -l t',
  needs: ['perl', 'prove'],
}
const greenPerl = withFiles(perl, edit(perl, 'lib/Trim.pm', ['s/^\\s+//', 's/^\\s+|\\s+$//g']))

// Java.
const java: Project = {
  files: {
    '.gitignore': 'out/\n',
    Makefile:
      'test:\n\tmkdir -p out\n\tjavac -d out $$(find src test -name "*.java")\n\tjava -ea -cp out app.TemperatureTest\n\n.PHONY: test\n',
    'src/app/Temperature.java':
      'package app;\n\npublic final class Temperature {\n    public static double toCelsius(double fahrenheit) {\n        return fahrenheit - 32 * 5 / 9;\n    }\n}\n',
    'test/app/TemperatureTest.java':
      'package app;\n\npublic final class TemperatureTest {\n    public static void main(String[] words) {\n        assert Temperature.toCelsius(212) == 100 : Temperature.toCelsius(212);\n        assert Temperature.toCelsius(32) == 0;\n    }\n}\n',
  },
  verify: 'make -s test',
  needs: ['javac', 'make'],
}

// Repositories.
const nodeTests = 'node --test "test/*.test.js"'
const requires = "const { test } = require('node:test')\nconst assert = require('node:assert/strict')\n"

const png: Project = {
  files: {
    'png.js':
      "const { readFileSync } = require('node:fs')\n\nexports.sizeOf = (path) => {\n  const data = readFileSync(path)\n  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) }\n}\n",
    'test/png.test.js': `${requires}const { mkdtempSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { sizeOf } = require('../png.js')

test('reads a size', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'png-')), 'a.png')
  const data = Buffer.alloc(24)
  data.writeUInt32BE(640, 16)
  data.writeUInt32BE(480, 20)
  writeFileSync(file, data)
  assert.deepEqual(sizeOf(file), { width: 640, height: 480 })
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const modes: Project = {
  files: {
    'bin/start': '#!/bin/sh\necho started\n',
    'test/modes.test.js': `${requires}const { execFileSync } = require('node:child_process')

test('every program is executable in git', () => {
  const lines = execFileSync('git', ['ls-files', '-s', 'bin'], { encoding: 'utf8' }).trim().split('\\n')
  for (const line of lines) assert.match(line, /^100755 /)
})

test('there is one to stop', () => {
  assert.equal(execFileSync('bin/stop', { encoding: 'utf8' }), 'stopped\\n')
})
`,
  },
  executable: ['bin/start'],
  verify: nodeTests,
  needs: ['node'],
}

const submodule: Project = {
  files: {
    '.gitignore': '.upstream/\n',
    'count.js':
      "const { readFileSync } = require('node:fs')\nconst { join } = require('node:path')\n\nexports.words = () => readFileSync(join(__dirname, 'third_party/words/words.txt'), 'utf8').trim().split('\\n')\n",
    'test/count.test.js': `${requires}const { words } = require('../count.js')

test('has words', () => assert.ok(words().includes('cat')))
`,
  },
  before: `set -e
export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
git init --quiet --initial-branch=main .upstream/words
cd .upstream/words
git config user.name Ada && git config user.email ada@example.com
printf 'cat\\nsat\\n' >words.txt && git add . && git commit --quiet --message words
cd ../..
git -c protocol.file.allow=always submodule --quiet add ./.upstream/words third_party/words
git add third_party && git commit --quiet --message 'add words'`,
  verify: nodeTests,
  needs: ['node'],
}

const crlf: Project = {
  files: {
    'hello.js': "exports.hello = (name) => 'Hello, ' + name\r\n",
    'test/hello.test.js':
      `${requires}const { hello } = require('../hello.js')\n\ntest('greets', () => assert.equal(hello('Ada'), 'Hello, Ada'))\n`.replaceAll(
        '\n',
        '\r\n',
      ),
  },
  verify: nodeTests,
  needs: ['node'],
}

const unicode: Project = {
  files: {
    'größe.js': 'exports.fläche = (a, b) => a * b\n',
    'test/größe.test.js': `${requires}const { fläche } = require('../größe.js')\n\ntest('Fläche', () => assert.equal(fläche(2, 3), 6))\n`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const tapNode: Project = {
  files: {
    'package.json': json({ name: 'many', scripts: { test: 'node --test --test-reporter=tap "test/*.test.js"' } }),
    'text.js':
      'exports.upper = (text) => text.toLowerCase()\nexports.reverse = (text) => text\nexports.pad = (text, n) => text.padEnd(n)\n',
    'test/upper.test.js': `${requires}const { upper } = require('../text.js')\n\ntest('upper', () => assert.equal(upper('a'), 'A'))\n`,
    'test/reverse.test.js': `${requires}const { reverse } = require('../text.js')\n\ntest('reverse', () => assert.equal(reverse('ab'), 'ba'))\n`,
    'test/pad.test.js': `${requires}const { pad } = require('../text.js')\n\ntest('pad', () => assert.equal(pad('a', 3), 'a  '))\n`,
  },
  verify: 'npm test',
  config: { results: 'tap' },
  needs: ['node'],
}

const jsonVitest: Project = {
  files: {
    'package.json': json({
      name: 'many',
      type: 'module',
      scripts: { test: 'vitest run --reporter=junit --outputFile=reports/junit.xml' },
    }),
    '.gitignore': 'node_modules\nreports\n',
    'text.js': 'export const upper = (text) => text.toLowerCase()\nexport const reverse = (text) => text\n',
    'test/upper.test.js':
      "import { expect, test } from 'vitest'\nimport { upper } from '../text.js'\n\ntest('upper', () => expect(upper('a')).toBe('A'))\n",
    'test/reverse.test.js':
      "import { expect, test } from 'vitest'\nimport { reverse } from '../text.js'\n\ntest('reverse', () => expect(reverse('ab')).toBe('ba'))\n",
  },
  before:
    'mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/vitest" node_modules/vitest && ln -s ../vitest/vitest.mjs node_modules/.bin/vitest',
  verify: 'npm test',
  config: { results: 'reports/junit.xml' },
  needs: ['node'],
}

const specMocha: Project = {
  files: {
    'package.json': json({ name: 'many', scripts: { test: 'mocha' } }),
    '.gitignore': 'node_modules\n',
    'text.js': 'exports.upper = (text) => text.toLowerCase()\nexports.reverse = (text) => text\n',
    'test/text.js':
      "const assert = require('node:assert')\nconst { reverse, upper } = require('../text.js')\n\ndescribe('text', () => {\n  it('upper', () => assert.strictEqual(upper('a'), 'A'))\n  it('reverse', () => assert.strictEqual(reverse('ab'), 'ba'))\n  it('keeps nothing', () => assert.strictEqual(upper(''), ''))\n})\n",
  },
  before:
    'mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/mocha" node_modules/mocha && ln -s ../mocha/bin/mocha.js node_modules/.bin/mocha',
  verify: 'npm test',
  config: { results: 'spec' },
  needs: ['node'],
}

export const cases: Record<string, HonestCase> = {
  'go: a method with an example that is a test': {
    in: stack,
    write: {
      'internal/stack/stack.go': `${stackGo}
// Len counts the values.
func (s *Stack) Len() int { return len(s.values) }
`,
      ...edit(stack, 'internal/stack/example_test.go', [
        'func ExampleStack_Pop',
        'func ExampleStack_Len() {\n\tvar s stack.Stack\n\ts.Push(5)\n\tfmt.Println(s.Len())\n\t// Output: 1\n}\n\nfunc ExampleStack_Pop',
      ]),
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'go: a crash fixed, with what the fuzzer found': {
    in: fuzz,
    write: {
      ...edit(fuzz, 'parse/parse.go', [
        '	from, err :=',
        '	if len(parts) != 2 {\n\t\treturn 0, 0, errors.New("not a range")\n\t}\n	from, err :=',
      ]),
      'parse/testdata/fuzz/FuzzRange/1f2b3c': 'go test fuzz v1\nstring("7")\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'go: a template inside of the program fixed': {
    in: embed,
    write: {
      'mail/templates/welcome.tmpl': 'Hello {{.Name}},\nyour trial ends in {{.Days}} day{{if ne .Days 1}}s{{end}}.\n',
    },
    shows: ['proven'],
  },
  'go: a route with a test': {
    in: httpGo,
    write: {
      ...edit(httpGo, 'server.go', [
        '	return mux',
        '	mux.HandleFunc("/version", func(w http.ResponseWriter, r *http.Request) {\n\t\tif r.Method != http.MethodGet {\n\t\t\thttp.Error(w, "only GET", http.StatusMethodNotAllowed)\n\t\t\treturn\n\t\t}\n\t\tjson.NewEncoder(w).Encode(map[string]string{"version": "1.2.0"})\n\t})\n	return mux',
      ]),
      'version_test.go': `package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestVersion(t *testing.T) {
	for method, want := range map[string]int{http.MethodGet: http.StatusOK, http.MethodPost: http.StatusMethodNotAllowed} {
		recorder := httptest.NewRecorder()
		Handler().ServeHTTP(recorder, httptest.NewRequest(method, "/version", nil))
		if recorder.Code != want {
			t.Errorf("%s: status %d", method, recorder.Code)
		}
	}
}
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'go: a package renamed': {
    in: renameGo,
    run: "git mv util strs && sed -i 's/package util/package strs/' strs/*.go && sed -i 's/util/strs/g' cmd/app/main.go",
    shows: ['rewritten', 'held'],
  },
  'go: a module vendored and used': {
    in: vendored,
    write: {
      'go.mod': 'module example.com/app\n\ngo 1.19\n\nrequire example.com/title v1.0.0\n',
      'go.sum':
        'example.com/title v1.0.0 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nexample.com/title v1.0.0/go.mod h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n',
      'vendor/modules.txt': '# example.com/title v1.0.0\n## explicit; go 1.19\nexample.com/title\n',
      'vendor/example.com/title/title.go':
        'package title\n\nimport "strings"\n\n// Case begins with a capital.\nfunc Case(text string) string { return strings.ToUpper(text[:1]) + text[1:] }\n',
      'greet.go':
        'package app\n\nimport "example.com/title"\n\n// Greet greets.\nfunc Greet(name string) string { return "Hello " + title.Case(name) }\n',
      'title_test.go':
        'package app\n\nimport "testing"\n\nfunc TestTitle(t *testing.T) {\n\tif got := Greet("grace"); got != "Hello Grace" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n',
    },
    shows: ['proven_by_new_tests', 'held', 'rewritten'],
  },
  'go: a module of the repository behind replace': {
    in: withFiles(vendored, {
      'title/go.mod': 'module example.com/title\n\ngo 1.19\n',
      'title/title.go':
        'package title\n\nimport "strings"\n\n// Case begins with a capital.\nfunc Case(text string) string { return strings.ToUpper(text[:1]) + text[1:] }\n',
    }),
    write: {
      'go.mod':
        'module example.com/app\n\ngo 1.19\n\nrequire example.com/title v0.0.0\n\nreplace example.com/title => ./title\n',
      'greet.go':
        'package app\n\nimport "example.com/title"\n\n// Greet greets.\nfunc Greet(name string) string { return "Hello " + title.Case(name) }\n',
      'title_test.go':
        'package app\n\nimport "testing"\n\nfunc TestTitle(t *testing.T) {\n\tif got := Greet("grace"); got != "Hello Grace" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'go: one bug of several fixed, with results': {
    in: goRed,
    write: edit(goRed, 'calc.go', ['a - b', 'a + b']),
    shows: ['proven'],
  },
  'rust: a function with an example that is a test': {
    in: docRust,
    write: {
      'src/lib.rs': `${docRust.files['src/lib.rs']}
/// Returns the area of a square.
///
/// \`\`\`
/// assert_eq!(shapes::square(3), 9);
/// \`\`\`
pub fn square(a: u32) -> u32 {
    rectangle(a, a)
}
`,
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'rust: a helper of tests changed with a feature': {
    in: commonRust,
    write: {
      ...edit(commonRust, 'src/lib.rs', [
        '    fs::write(path, text)',
        '    if let Some(folder) = path.parent() {\n        fs::create_dir_all(folder)?;\n    }\n    fs::write(path, text)',
      ]),
      'tests/common/mod.rs': `use std::path::PathBuf;

pub fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("store-{}", std::process::id()))
}

#[allow(dead_code)]
pub fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("store-{}-{name}", std::process::id()))
}
`,
      'tests/folders.rs': `mod common;

#[test]
fn makes_folders() {
    let path = common::folder().join("deep/er/file");
    store::save(&path, "x").unwrap();
    assert_eq!(store::load(&path).unwrap().len(), 1);
}
`,
      'tests/roundtrip.rs': `#[allow(dead_code)]\n${commonRust.files['tests/roundtrip.rs']}`,
    },
    shows: ['proven_by_new_tests'],
  },
  'rust: a bug fixed in one crate of a workspace': {
    in: crates,
    write: edit(crates, 'crates/text/src/lib.rs', ["text.split(' ').count()", 'text.split_whitespace().count()']),
    shows: ['proven'],
  },
  'rust: a new crate of a workspace that another one uses': {
    in: greenCrates,
    write: {
      'crates/plural/Cargo.toml': manifest('plural'),
      'crates/plural/src/lib.rs':
        'pub fn plural(count: usize, one: &str) -> String {\n    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }\n}\n',
      'crates/cli/Cargo.toml': manifest(
        'cli',
        '\n[dependencies]\nplural = { path = "../plural" }\ntext = { path = "../text" }\n',
      ),
      'crates/cli/src/lib.rs': `pub fn report(text: &str) -> String {
    plural::plural(text::words(text), "word")
}

#[cfg(test)]
mod tests {
    #[test]
    fn reports() {
        assert_eq!(super::report("a b c"), "3 words");
    }

    #[test]
    fn reports_one() {
        assert_eq!(super::report("a"), "1 word");
    }
}
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'rust: one bug of several fixed, with results': {
    in: rustRed,
    write: edit(rustRed, 'src/lib.rs', [
      '    year % 4 == 0\n',
      '    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0\n',
    ]),
    shows: ['proven', 'unproven'],
  },
  'rust: a test that was ignored until now': {
    in: ignoredRust,
    write: {
      'src/lib.rs': `pub fn rotate(text: &str, by: u8) -> String {
    let turn = |b: u8, first: u8| ((b - first + by) % 26 + first) as char;
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' => turn(b, b'a'),
            b'A'..=b'Z' => turn(b, b'A'),
            _ => b as char,
        })
        .collect()
}
`,
      'tests/rotate.rs': ignoredRust.files['tests/rotate.rs']!.replace(/#\[ignore.*\n/, ''),
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'c: a function with a test that the makefile lists': {
    in: ring,
    write: {
      Makefile: ring.files
        .Makefile!.replace(
          'test: test_ring\n\t./test_ring\n',
          'test: test_ring test_pop\n\t./test_ring\n\t./test_pop\n',
        )
        .replace('clean:', 'test_pop: tests/test_pop.c src/ring.c\n\t$(CC) $(CFLAGS) -Isrc -o $@ $^\n\nclean:')
        .replace('rm -f test_ring', 'rm -f test_ring test_pop'),
      'src/ring.c': `${ringC}
int ring_pop(struct ring *r, int *value) {
    if (r->count == 0) return 0;
    *value = r->items[r->head];
    r->head = (r->head + 1) % RING_SIZE;
    r->count--;
    return 1;
}
`,
      'src/ring.h': `${ring.files['src/ring.h']}int ring_pop(struct ring *r, int *value);\n`,
      'tests/test_pop.c': `#include <assert.h>
#include "ring.h"

int main(void) {
    struct ring r;
    int value;
    ring_init(&r);
    assert(!ring_pop(&r, &value));
    ring_push(&r, 7);
    ring_push(&r, 8);
    assert(ring_pop(&r, &value) && value == 7);
    assert(ring_pop(&r, &value) && value == 8);
    return 0;
}
`,
    },
    run: 'make -s test',
    shows: ['proven_by_new_tests'],
  },
  'c: sources moved to another folder': {
    in: ring,
    run: "mkdir lib && git mv src/ring.c src/ring.h lib/ && sed -i 's/src/lib/g' Makefile",
    shows: ['held', 'rewritten'],
  },
  'c: an operator with files of input and output': {
    in: calcC,
    write: {
      ...edit(calcC, 'calc.c', [
        '        default:',
        '        case \'*\': printf("%g\\n", a * b); break;\n        default:',
      ]),
      'tests/products.in': '3 * 4\n0.5 * 3\n',
      'tests/products.out': '12\n1.5\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'c: a change of output that the story asks for, with the expected file': {
    in: calcC,
    write: {
      ...edit(calcC, 'calc.c', ['"%g\\n"', '"%.2f\\n"']),
      'tests/sums.out': '3.00\n-2.00\n',
    },
    names: ['calc.c', 'tests/sums.out'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'sh: a bug fixed under a test with heredocs': {
    in: backup,
    write: edit(backup, 'rotate.sh', ['"+$2"', '"+$(($2 + 1))"']),
    executable: ['rotate.sh'],
    shows: ['proven', 'unproven'],
  },
  'sh: an option with tests in the one script of tests': {
    in: greenBackup,
    write: {
      'rotate.sh': greenBackup.files['rotate.sh']!.replace(
        'cd "$1"',
        'dry=\nif [ "$1" = -n ]; then dry=1; shift; fi\ncd "$1"',
      ).replace(
        '  rm "$file"\n  log removed "$file"',
        '  if [ -n "$dry" ]; then log would-remove "$file"; continue; fi\n  rm "$file"\n  log removed "$file"',
      ),
      'test.sh': greenBackup.files['test.sh']!.replace(
        'echo ok',
        `sh "$here/rotate.sh" -n "$folder" 1 >"$folder.log"
diff - "$folder.log" <<END
would-remove: backup-03
END
rm "$folder.log"
test -f "$folder/backup-03"
echo ok`,
      ),
    },
    executable: ['rotate.sh', 'test.sh'],
    shows: ['proven_by_new_tests'],
  },
  'sh: one of two red tests, with results in TAP': {
    in: tapShell,
    write: { 'slug.sh': '#!/bin/sh\nprintf "%s" "$*" | tr "A-Z" "a-z" | tr -cs "a-z0-9" "-" | sed "s/-*$//"\n' },
    shows: ['proven', 'unproven'],
  },
  'perl: a bug fixed that a test showed': {
    in: perl,
    write: edit(perl, 'lib/Trim.pm', ['s/^\\s+//', 's/^\\s+|\\s+$//g']),
    shows: ['proven'],
  },
  'perl: a function with a new test': {
    in: greenPerl,
    write: {
      'lib/Trim.pm': greenPerl.files['lib/Trim.pm']!.replace('qw(trim)', 'qw(trim squeeze)').replace(
        '\n1;',
        '\nsub squeeze {\n    my ($text) = @_;\n    $text =~ s/\\s+/ /g;\n    return trim($text);\n}\n\n1;',
      ),
      't/squeeze.t':
        'use strict;\nuse warnings;\nuse Test::More;\nuse Trim qw(squeeze);\n\nis(squeeze(" a   b\\n c "), "a b c");\ndone_testing;\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'java: a formula fixed': {
    in: java,
    write: edit(java, 'src/app/Temperature.java', ['fahrenheit - 32 * 5 / 9', '(fahrenheit - 32) * 5 / 9']),
    shows: ['proven'],
  },
  'js: a picture as a fixture with a check of its kind': {
    in: png,
    write: {
      ...edit(png, 'png.js', [
        '  return {',
        "  if (data.toString('latin1', 1, 4) !== 'PNG' && data.readUInt32BE(0) !== 0) throw new TypeError('not a picture')\n  return {",
      ]),
      'test/kinds.test.js': `${requires}const { sizeOf } = require('../png.js')

test('reads a picture', () => assert.deepEqual(sizeOf('test/fixtures/dot.png'), { width: 1, height: 2 }))
test('refuses another file', () => assert.throws(() => sizeOf('test/fixtures/dot.gif'), /not a picture/))
`,
    },
    run: `mkdir -p test/fixtures && printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\001\\0\\0\\0\\002\\b' >test/fixtures/dot.png && printf 'GIF89a\\001\\0\\001\\0\\200\\377\\0\\377\\377\\377\\0\\0\\0\\054\\0\\0\\0\\0' >test/fixtures/dot.gif`,
    shows: ['proven_by_new_tests'],
  },
  'git: a new program under tests that ask git for its mode': {
    in: modes,
    write: { 'bin/stop': '#!/bin/sh\necho stopped\n' },
    executable: ['bin/stop'],
    shows: ['proven'],
  },
  'git: a submodule replaced by files': {
    in: submodule,
    run: "cp third_party/words/words.txt words.txt && git rm --quiet -f third_party/words && rm -rf third_party .gitmodules && sed -i 's#third_party/words/words.txt#words.txt#' count.js",
    shows: ['held', 'rewritten'],
  },
  'git: ends of lines made the same everywhere': {
    in: crlf,
    write: {
      '.gitattributes': '* text=auto eol=lf\n',
      '.editorconfig': 'root = true\n\n[*]\nend_of_line = lf\n',
      'hello.js': crlf.files['hello.js']!.replaceAll('\r', ''),
      'test/hello.test.js': crlf.files['test/hello.test.js']!.replaceAll('\r', ''),
    },
    shows: ['held'],
  },
  'git: a feature in files with names outside of ascii': {
    in: unicode,
    write: {
      'größe.js': 'exports.fläche = (a, b) => a * b\nexports.umfang = (a, b) => 2 * (a + b)\n',
      'test/umfänge.test.js': `${requires}const { umfang } = require('../größe.js')\n\ntest('Umfang', () => assert.equal(umfang(2, 3), 10))\n`,
    },
    shows: ['proven_by_new_tests'],
  },
  'js: one of two red tests of node:test, with results in TAP': {
    in: tapNode,
    write: edit(tapNode, 'text.js', ['text.toLowerCase()', 'text.toUpperCase()']),
    shows: ['proven'],
  },
  'js: one of two red tests of vitest, with a report': {
    in: jsonVitest,
    write: {
      ...edit(jsonVitest, 'text.js', ['=> text\n', "=> [...text].reverse().join('')\n"]),
      'test/empty.test.js':
        "import { expect, test } from 'vitest'\nimport { reverse } from '../text.js'\n\ntest('reverses nothing', () => expect(reverse('')).toBe(''))\n",
    },
    shows: ['proven'],
  },
  'js: one of two red tests of mocha, with results': {
    in: specMocha,
    write: edit(specMocha, 'text.js', ['text.toLowerCase()', 'text.toUpperCase()']),
    shows: ['proven'],
  },
}
