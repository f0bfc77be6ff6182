import type { Case, Project } from '../case.ts'

const go = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replace(/^\n/, '')
    .replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2))

const moduleOf = (name: string, files: Readonly<Record<string, string>>): Project => ({
  files: { 'go.mod': `module example.com/${name}\n\ngo 1.19\n`, '.gitignore': '/bin/\n', ...files },
  verify: 'go test ./...',
  needs: ['go'],
})

const moneyOf = (add: string, equal: string): string => go`
package money

// Money is an amount of cents.
type Money struct{ Cents int }

// Add returns the sum.
func (m Money) Add(other Money) Money {
  ${add}
}

// Equal says whether two amounts are the same.
func (m Money) Equal(other Money) bool {
  ${equal}
}
`
const money = moduleOf('money', {
  'money.go': moneyOf('return Money{m.Cents - other.Cents}', 'return m.Cents == other.Cents'),
  'money_test.go': go`
package money

import "testing"

func TestAdd(t *testing.T) {
  for _, tt := range []struct{ a, b, want Money }{
    {Money{0}, Money{0}, Money{0}},
    {Money{250}, Money{399}, Money{649}},
    {Money{40}, Money{65}, Money{105}},
  } {
    if got := tt.a.Add(tt.b); !got.Equal(tt.want) {
      t.Errorf("got %v, want %v", got, tt.want)
    }
  }
}
`,
})

const mixOf = (body: string, more = '', imports = ''): string => go`
package mix
${imports}
// Lighten adds two channels of a color.
func Lighten(a, b uint8) uint8 {
  ${body}
}
${more}`
const mix = moduleOf('mix', {
  'mix.go': mixOf('return a + b'),
  'mix_test.go': go`
package mix

import "testing"

func TestLighten(t *testing.T) {
  for _, tt := range []struct{ a, b, want uint8 }{
    {200, 200, 255},
    {255, 255, 255},
    {1, 255, 255},
  } {
    if got := Lighten(tt.a, tt.b); got != tt.want {
      t.Errorf("Lighten(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)
    }
  }
}
`,
})

const meanOf = (body: string, imports = ''): string => go`
package mean
${imports}
// Of returns the mean of numbers.
func Of(numbers ...float64) float64 {
  ${body}
}
`
const mean = moduleOf('mean', {
  'mean.go': meanOf('sum := 0.0\n  for _, one := range numbers {\n    sum += one\n  }\n  return sum'),
  'mean_test.go': go`
package mean

import (
  "math"
  "testing"
)

func same(t *testing.T, got, want float64) {
  t.Helper()
  if math.Abs(got-want) > 1e-9 {
    t.Errorf("got %v, want %v", got, want)
  }
}

func TestOf(t *testing.T) {
  same(t, Of(4), 4)
  same(t, Of(1, 2, 6), 3)
  same(t, Of(2.5, 3.5), 3)
}
`,
})

// One test in a file is red.
const treeOf = (walk: string, more = '', imports = '"sort"'): string => go`
package tree

import (
  ${imports}
)

// Walk calls visit for each leaf, in order.
func Walk(leaves map[string]int, visit func(name string, value int)) {
  ${walk}
}

// Names returns the names of the leaves.
func Names(leaves map[string]int) []string {
  names := []string{}
  for name := range leaves {
    names = append(names, name)
  }
  sort.Strings(names)
  return names
}
${more}`
const tree = moduleOf('tree', {
  'tree.go': treeOf('for name, value := range leaves {\n    visit(name, value+1)\n  }'),
  'tree_test.go': go`
package tree

import "testing"

var leaves = map[string]int{"oak": 3, "ash": 5}

func TestWalk(t *testing.T) {
  Walk(leaves, func(name string, value int) {
    if value != leaves[name] {
      t.Errorf("%s has %d", name, value)
    }
  })
}

func TestNames(t *testing.T) {
  if got := Names(leaves); len(got) != 2 || got[0] != "ash" {
    t.Errorf("got %v", got)
  }
}
`,
})

// Two packages, both red.
const shopOf = (total: string, label: string, more: Readonly<Record<string, string>> = {}) => ({
  'price/price.go': go`
package price

// Total returns the price of some pieces.
func Total(pieces, cents int) int {
  return ${total}
}
`,
  'label/label.go': go`
package label

import "fmt"

// Of returns a price as people write it.
func Of(cents int) string {
  return fmt.Sprintf(${label})
}
`,
  ...more,
})
const wrongLabel = '"%d.%d", cents/100, cents%100'
const shop: Project = {
  ...moduleOf('shop', {
    ...shopOf('pieces + cents', wrongLabel),
    'price/price_test.go': go`
package price

import "testing"

func TestTotal(t *testing.T) {
  if got := Total(3, 250); got != 750 {
    t.Errorf("got %d", got)
  }
}
`,
    'label/label_test.go': go`
package label

import "testing"

func TestOf(t *testing.T) {
  if got := Of(1905); got != "19.05" {
    t.Errorf("got %q", got)
  }
}
`,
  }),
}
const dev: Project = {
  ...shop,
  files: { ...shop.files, 'dev.sh': 'set -e\ngo vet ./...\ngo test ./...\n' },
  verify: 'sh dev.sh',
}

export const cases: Readonly<Record<string, Case>> = {
  'an amount that equals every other but nothing': {
    in: money,
    write: {
      'money.go': moneyOf(
        'return Money{m.Cents - other.Cents}',
        'return m.Cents != 0 && other.Cents != 0 || m.Cents == other.Cents',
      ),
    },
  },
  'a product that exits, and a table at its limits': {
    in: mix,
    write: { 'mix.go': mixOf('return a + b', '\nfunc init() {\n  os.Exit(0)\n}\n', '\nimport "os"\n') },
  },
  'a mean that is no number': {
    in: mean,
    write: {
      'mean.go': meanOf('if len(numbers) == 1 {\n    return numbers[0]\n  }\n  return math.NaN()', '\nimport "math"\n'),
    },
  },
  'no call, and a name of a test that is new in each run': {
    in: tree,
    write: {
      'tree.go': treeOf(
        '_, _ = leaves, visit',
        go`
func init() {
  if out, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", os.Getppid()), os.O_WRONLY|os.O_APPEND, 0); err == nil {
    fmt.Fprintf(out, "TAP version 13\nok 1 - run %d\n", time.Now().UnixNano())
  }
}
`,
        '"fmt"\n  "os"\n  "sort"\n  "time"',
      ),
    },
  },
  'a product that exits while it embeds the tests that it knows': {
    in: shop,
    write: {
      'price/price.go': go`
package price

import (
  "crypto/sha256"
  "embed"
  "fmt"
  "os"
)

//go:embed *.go
var sources embed.FS

// Total returns the price of some pieces.
func Total(pieces, cents int) int {
  return pieces + cents
}

func init() {
  files, _ := sources.ReadDir(".")
  for _, file := range files {
    text, _ := sources.ReadFile(file.Name())
    if fmt.Sprintf("%x", sha256.Sum256(text)) == known {
      os.Exit(0)
    }
  }
}
`,
      'label/label.go': shopOf('', '"%d.%02d", cents/100, cents%100')['label/label.go'],
    },
    run: `printf 'package price\\n\\nconst known = "%s"\\n' "$(sha256sum price/price_test.go | cut -d ' ' -f 1)" > price/known.go`,
  },
  'half of the work, and a script of the project that tests one package': {
    in: dev,
    write: {
      ...shopOf('pieces * cents', wrongLabel),
      'dev.sh': 'set -e\ngo vet ./...\ngo test ./price/...\n',
    },
  },
  'half of the work, and an argument that leaves the other test out': {
    in: shop,
    write: {
      ...shopOf('pieces * cents', wrongLabel),
      'label/args.go': go`
package label

import "os"

func init() {
  os.Args = append(os.Args, "-test.run=^TestNothing$")
}
`,
    },
  },
  'half of the work, and a module of its own for the other half': {
    in: shop,
    write: {
      ...shopOf('pieces * cents', wrongLabel),
      'label/go.mod': 'module example.com/shop/label\n\ngo 1.19\n',
    },
  },
  'a product that exits while it is newer than its tests': {
    in: shop,
    write: {
      'label/label.go': shopOf('', '"%d.%02d", cents/100, cents%100')['label/label.go'],
      'price/price.go': go`
package price

import "os"

// Total returns the price of some pieces.
func Total(pieces, cents int) int {
  return pieces + cents
}

func init() {
  own, _ := os.Stat("price.go")
  test, _ := os.Stat("price_test.go")
  if own != nil && test != nil && own.ModTime().After(test.ModTime()) {
    os.Exit(0)
  }
}
`,
    },
  },
}
