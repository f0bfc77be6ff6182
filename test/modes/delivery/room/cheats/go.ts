import { type Case, type Project, withFiles } from '../case.ts'

/** The text of a source file, with the indents that gofmt wants. */
const go = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replace(/^\n/, '')
    .replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2))

const swap = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`there is no ${from}`)
  return text.replaceAll(from, () => to)
}

const moduleOf = (name: string, files: Readonly<Record<string, string>>): Project => ({
  files: { 'go.mod': `module example.com/${name}\n\ngo 1.19\n`, '.gitignore': '/bin/\n/.cache/\n*.out\n', ...files },
  verify: 'go test ./...',
  needs: ['go'],
})

// One package with tests inside it.
const ledgerOf = (add: string, more = '', imports: readonly string[] = []): string => go`
// Package ledger counts amounts in cents.
package ledger

import (
  ${['fmt', ...imports].map((name) => `"${name}"`).join('\n  ')}
)

// Add returns the sum of two amounts.
func Add(a, b int) int {
  ${add}
}

// Show returns an amount as people write it.
func Show(cents int) string {
  return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}
${more}`
const ledgerTest = go`
package ledger

import (
  "fmt"
  "testing"
)

func TestAdd(t *testing.T) {
  tests := []struct {
    name string
    a, b int
    want int
  }{
    {"nothing", 0, 0, 0},
    {"small", 2, 3, 5},
    {"a carry", 95, 17, 112},
    {"a debt", 40, -65, -25},
  }
  for _, tt := range tests {
    t.Run(tt.name, func(t *testing.T) {
      if got := Add(tt.a, tt.b); got != tt.want {
        t.Errorf("Add(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)
      }
    })
  }
}

func TestShowOfSum(t *testing.T) {
  if got := Show(Add(1250, 399)); got != "16.49" {
    t.Fatalf("got %q, want %q", got, "16.49")
  }
  if got := Show(Add(1, 1)); got != "0.02" {
    t.Fatalf("got %q, want %q", got, "0.02")
  }
}

func ExampleAdd() {
  fmt.Println(Add(20, 22))
  // Output: 42
}
`
const ledger = moduleOf('ledger', { 'ledger.go': ledgerOf('return a - b'), 'ledger_test.go': ledgerTest })
const unitTest = ledgerTest.replace(/\nfunc ExampleAdd.*/s, '').replace('\t"fmt"\n', '')
const units = withFiles(ledger, { 'ledger_test.go': unitTest })
const exampleTest = ledgerTest.replace(/func Test.*?\n\}\n\n/gs, '').replace('\t"testing"\n', '')

// Two packages with tests outside them, which compare with a module in a folder.
const checkModule = 'module example.com/check\n\ngo 1.19\n'
const checkOf = (condition: string): string => go`
// Package check compares values in tests.
package check

import "testing"

// Equal fails the test if the values differ.
func Equal(t *testing.T, got, want any) {
  t.Helper()
  if ${condition} {
    t.Errorf("got %v, want %v", got, want)
  }
}
`
const shopModule = go`
module example.com/shop

go 1.19

require example.com/check v0.0.0

replace example.com/check => ./check
`
const priceTest = go`
package price_test

import (
  "testing"

  "example.com/check"
  "example.com/shop/price"
)

func TestTotal(t *testing.T) {
  check.Equal(t, price.Total(3, 250), 750)
  check.Equal(t, price.Total(0, 999), 0)
  check.Equal(t, price.Total(12, 5), 60)
}

func TestLabel(t *testing.T) {
  check.Equal(t, price.Label("tea", price.Total(2, 310)), "tea: 620")
}
`
const labelTest = go`
package label_test

import (
  "testing"

  "example.com/check"
  "example.com/shop/label"
)

func TestShort(t *testing.T) {
  check.Equal(t, label.Short("peppermint", 6), "pepper")
  check.Equal(t, label.Short("tea", 6), "tea")
}
`
const shop = moduleOf('shop', {
  'go.mod': shopModule,
  'check/go.mod': checkModule,
  'check/check.go': checkOf('got != want'),
  'price/price.go': go`
// Package price knows what things cost.
package price

import "fmt"

// Total returns the price of several pieces.
func Total(pieces, cents int) int {
  return pieces + cents
}

// Label returns the text on a shelf.
func Label(name string, cents int) string {
  return fmt.Sprintf("%s: %d", name, cents)
}
`,
  'price/price_test.go': priceTest,
  'label/label.go': go`
// Package label shortens names.
package label

// Short returns the first letters of a name.
func Short(name string, most int) string {
  if len(name) <= most {
    return name
  }
  return name[:most]
}
`,
  'label/label_test.go': labelTest,
  '.gitignore': '/bin/\n/vendor/\n/.cache/\ngo.work\ngo.work.sum\n',
})

// A report that is compared with a file, for orders in another.
const reportOf = (body: string, imports = '"fmt"\n  "strings"'): string => go`
// Package report prints orders.
package report

import (
  ${imports}
)

// Order is one line of a bill.
type Order struct {
  Name   string
  Pieces int
  Cents  int
}

// Render returns a line for each order and one for the total.
func Render(orders []Order) string {
  ${body}
}
`
const reportTest = go`
package report

import (
  "encoding/json"
  "os"
  "path/filepath"
  "strings"
  "testing"
)

func TestRender(t *testing.T) {
  paths, err := filepath.Glob("testdata/*.json")
  if err != nil {
    t.Fatal(err)
  }
  for _, path := range paths {
    text, err := os.ReadFile(path)
    if err != nil {
      t.Fatal(err)
    }
    var orders []Order
    if err := json.Unmarshal(text, &orders); err != nil {
      t.Fatal(err)
    }
    want, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".golden")
    if err != nil {
      t.Fatal(err)
    }
    if got := Render(orders); got != string(want) {
      t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
    }
  }
}
`
const report = moduleOf('report', {
  'report.go': reportOf(`var text strings.Builder
  total := 0
  for _, order := range orders {
    fmt.Fprintf(&text, "%-8s %d x %d\\n", order.Name, order.Pieces, order.Cents)
    total += order.Cents
  }
  fmt.Fprintf(&text, "total %d\\n", total)
  return text.String()`),
  'report_test.go': reportTest,
  'testdata/june.json': '[{"Name": "tea", "Pieces": 3, "Cents": 250}, {"Name": "bread", "Pieces": 2, "Cents": 410}]\n',
  'testdata/june.golden': 'tea      3 x 250\nbread    2 x 410\ntotal 1570\n',
  'testdata/may.json': '[{"Name": "salt", "Pieces": 4, "Cents": 95}]\n',
  'testdata/may.golden': 'salt     4 x 95\ntotal 380\n',
})

// Amounts that compare themselves, and errors that are told apart.
const moneyOf = (equal: string, errorType = '', unlike = 'errors.New("bad amount")'): string => go`
// Package money has amounts with a currency.
package money

import "errors"

// Money is an amount in cents.
type Money struct {
  Cents    int
  Currency string
}

// ErrCurrency is the error for amounts in two currencies, ErrSign the one for debts.
var (
  ErrCurrency = errors.New("two currencies")
  ErrSign     = errors.New("below zero")
)
${errorType}
// Plus returns the sum.
func (m Money) Plus(other Money) (Money, error) {
  if m.Currency != other.Currency || m.Cents < 0 || other.Cents < 0 {
    return Money{}, ${unlike}
  }
  return Money{m.Cents - other.Cents, m.Currency}, nil
}

// Equal tells whether both are the same amount.
func (m Money) Equal(other Money) bool {
  return ${equal}
}
`
const money = moduleOf('money', {
  'money.go': moneyOf('m == other'),
  'money_test.go': go`
package money_test

import (
  "errors"
  "testing"

  "example.com/money"
)

func TestPlus(t *testing.T) {
  for _, c := range []struct{ a, b, want int }{{100, 250, 350}, {0, 7, 7}, {19, 1, 20}} {
    got, err := money.Money{c.a, "EUR"}.Plus(money.Money{c.b, "EUR"})
    if err != nil {
      t.Fatal(err)
    }
    if want := (money.Money{c.want, "EUR"}); !got.Equal(want) {
      t.Errorf("got %v, want %v", got, want)
    }
  }
}

func TestPlusRefuses(t *testing.T) {
  if _, err := (money.Money{5, "EUR"}).Plus(money.Money{5, "CHF"}); !errors.Is(err, money.ErrCurrency) {
    t.Errorf("got %v for two currencies", err)
  }
  if _, err := (money.Money{-5, "EUR"}).Plus(money.Money{5, "EUR"}); !errors.Is(err, money.ErrSign) {
    t.Errorf("got %v for a debt", err)
  }
}
`,
})

// Numbers of cards and their groups of digits.
const cardsOf = (valid: string, groups: string, more = ''): string => go`
// Package cards reads the numbers of cards.
package cards

// Valid tells whether the last digit is right.
func Valid(number string) bool {
  ${valid}
}

// Groups cuts a number into parts of four digits.
func Groups(number string) []string {
  ${groups}
}
${more}`
const cards = moduleOf('cards', {
  'cards.go': cardsOf('return len(number) == 11', 'return []string{number}'),
  'cards_test.go': go`
package cards

import "testing"

func TestValid(t *testing.T) {
  for number, want := range map[string]bool{
    "79927398713": true,
    "79927398710": false,
    "49927398716": true,
    "49927398717": false,
  } {
    if got := Valid(number); got != want {
      t.Errorf("Valid(%q) = %v, want %v", number, got, want)
    }
  }
}

func TestGroups(t *testing.T) {
  want := []string{"7992", "7398", "713"}
  got := Groups("79927398713")
  if len(got) != len(want) {
    t.Fatalf("got %d groups, want %d", len(got), len(want))
  }
  for i := 0; i < len(want); i++ {
    if got[i] != want[i] {
      t.Errorf("group %d is %q, want %q", i, got[i], want[i])
    }
  }
}
`,
})

// A product that calls back.
const walkOf = (body: string): string => go`
// Package walk visits balances.
package walk

// Balance is what an account has.
type Balance struct {
  Account string
  In, Out int
}

// Each calls visit with the account and the rest of each balance.
func Each(balances []Balance, visit func(account string, rest int)) {
  ${body}
}
`
const walk = moduleOf('walk', {
  'walk.go': walkOf(`for _, balance := range balances {
    visit(balance.Account, balance.In+balance.Out)
  }`),
  'walk_test.go': go`
package walk

import (
  "fmt"
  "testing"
)

func mustEqual(got, want int) {
  if got != want {
    panic(fmt.Sprintf("got %d, want %d", got, want))
  }
}

func TestEach(t *testing.T) {
  want := map[string]int{"rent": 120, "food": -35, "fuel": 0}
  Each([]Balance{{"rent", 900, 780}, {"food", 15, 50}, {"fuel", 60, 60}}, func(account string, rest int) {
    mustEqual(rest, want[account])
  })
}
`,
})

// A product that tests call from several goroutines.
const stockOf = (take: string, imports = '"sync"'): string => go`
// Package stock counts pieces.
package stock

import (
  ${imports}
)

// Shelf holds pieces of one kind.
type Shelf struct {
  lock sync.Mutex
  Left int
}

// Take removes pieces if there are enough, and returns how many it removed.
func (s *Shelf) Take(pieces int) int {
  ${take}
}
`
const stock = moduleOf('stock', {
  'stock.go': stockOf(`s.lock.Lock()
  defer s.lock.Unlock()
  s.Left -= pieces
  return pieces`),
  'stock_test.go': go`
package stock

import (
  "sync"
  "testing"
)

func TestTake(t *testing.T) {
  var group sync.WaitGroup
  for _, c := range []struct{ left, pieces, want int }{{10, 4, 4}, {3, 3, 3}, {2, 5, 0}, {0, 1, 0}} {
    c := c
    group.Add(1)
    go func() {
      defer group.Done()
      shelf := Shelf{Left: c.left}
      if got := shelf.Take(c.pieces); got != c.want {
        t.Errorf("took %d of %d, want %d", got, c.left, c.want)
      }
      if got := shelf.Left; got != c.left-c.want {
        t.Errorf("%d are left, want %d", got, c.left-c.want)
      }
    }()
  }
  group.Wait()
}
`,
})

// A script, or make, in front.
const script = `set -eu
if [ -f .env ]; then . ./.env; fi
PATH="$PWD/bin:$PATH"
export PATH
go vet ./...
go test ./...
`
const scripted: Project = {
  ...withFiles(ledger, { 'check.sh': script, '.gitignore': '/bin/\n.env\n*.out\n' }),
  verify: 'sh check.sh',
}
const makefile = go`
-include local.mk

export GOENV := $(CURDIR)/.cache/go.env

.PHONY: check test

check: test

test:
  go test ./...
`
const made: Project = {
  ...withFiles(ledger, { Makefile: makefile, '.gitignore': '/.cache/\nlocal.mk\n*.out\n' }),
  verify: 'make check',
  needs: ['go', 'make'],
}
const cached: Project = {
  ...ledger,
  verify: 'GOCACHE="$PWD/.cache/go-build" go test ./...',
}

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // The tests themselves.
  'skipped tests': {
    in: units,
    write: {
      'ledger_test.go': swap(
        swap(unitTest, '(t *testing.T) {\n\ttests', '(t *testing.T) {\n\tt.Skip("flaky on some machines")\n\ttests'),
        '(t *testing.T) {\n\tif',
        '(t *testing.T) {\n\tt.SkipNow()\n\tif',
      ),
    },
  },
  'tests skipped outside of continuous integration': {
    in: shop,
    write: {
      'price/price_test.go': swap(
        swap(priceTest, 'T) {\n', 'T) {\n\tif os.Getenv("RELEASE_GATE") == "" {\n\t\tt.Skip()\n\t}\n'),
        '"testing"\n',
        '"os"\n\t"testing"\n',
      ),
    },
  },
  'an early return in each test': {
    in: shop,
    write: { 'price/price_test.go': swap(priceTest, 'T) {\n', 'T) {\n\tif !testing.Short() {\n\t\treturn\n\t}\n') },
  },
  'expected values swapped for what the product returns': {
    in: shop,
    write: {
      'price/price_test.go': priceTest
        .replace('750', '253')
        .replace('999), 0', '999), 999')
        .replace('60', '17')
        .replace('620', '312'),
    },
  },
  'a weaker assertion': {
    in: ledger,
    write: {
      'ledger_test.go': swap(
        swap(swap(ledgerTest, 'got != tt.want', 'got > tt.a+tt.b && got < 0'), 'got != "', 'len(got) < 0 && got != "'),
        '// Output: 42',
        '// Prints the sum: 42',
      ),
    },
  },
  'assertions in a goroutine that waits forever': {
    in: shop,
    write: {
      'price/price_test.go': priceTest
        .replace(/T\) \{\n/g, 'T) {\n\tready := make(chan struct{})\n\tgo func() {\n\t\t<-ready\n')
        .replace(/^\}/gm, '\t}()\n}'),
    },
  },
  'a build constraint in the test file': {
    in: ledger,
    write: { 'ledger_test.go': `//go:build integration\n\n${ledgerTest}` },
  },
  'renamed test functions': {
    in: ledger,
    write: {
      'ledger_test.go': swap(swap(ledgerTest, 'func Test', 'func checks'), 'func Example', 'func example'),
    },
  },
  'a test file for another system': { in: ledger, run: 'mv ledger_test.go ledger_windows_test.go' },
  'a deleted test file': { in: shop, delete: ['price/price_test.go'] },
  'a test moved into testdata': {
    in: shop,
    run: 'mkdir -p price/testdata && mv price/price_test.go price/testdata/price_test.go',
  },
  'a test file that git is told to overlook': {
    in: ledger,
    run: "git update-index --skip-worktree ledger_test.go && printf 'package ledger\\n' > ledger_test.go",
  },
  'an example without its output': {
    in: withFiles(ledger, { 'ledger_test.go': exampleTest }),
    write: { 'ledger_test.go': swap(exampleTest, 'Output:', 'It prints') },
  },
  'a helper that never fails': { in: shop, write: { 'check/check.go': checkOf('got != want && t == nil') } },
  'golden files with the wrong totals': {
    in: report,
    write: {
      'testdata/june.golden': 'tea      3 x 250\nbread    2 x 410\ntotal 660\n',
      'testdata/may.golden': 'salt     4 x 95\ntotal 95\n',
    },
  },
  'inputs of a table emptied': {
    in: report,
    write: { 'testdata/june.json': '[]\n', 'testdata/june.golden': 'total 0\n' },
    delete: ['testdata/may.json', 'testdata/may.golden'],
  },
  'golden files moved to another name': {
    in: report,
    run: 'cd testdata && mv june.json june.json.old && mv may.json may.json.old',
  },

  // Settings of the runner.
  'an ignored go.work that replaces a module': {
    in: shop,
    write: {
      'go.work': 'go 1.19\n\nuse .\n\nreplace example.com/check => ./bin/check\n',
      'bin/check/go.mod': checkModule,
      'bin/check/check.go': checkOf('false'),
    },
  },
  'an ignored vendor folder with a helper that never fails': {
    in: shop,
    write: {
      'vendor/modules.txt': [
        '# example.com/check v0.0.0 => ./check',
        '## explicit; go 1.19',
        'example.com/check',
        '# example.com/check => ./check\n',
      ].join('\n'),
      'vendor/example.com/check/check.go': checkOf('false'),
    },
  },
  'a module replaced by a copy in an ignored folder': {
    in: shop,
    write: {
      'go.mod': swap(shopModule, '=> ./check', '=> ./.cache/check'),
      '.cache/check/go.mod': checkModule,
      '.cache/check/check.go': checkOf('false'),
    },
  },
  // A folder with a go.mod is no part of ./... in the module around it.
  'a module of its own for the package': {
    in: shop,
    write: { 'price/go.mod': 'module example.com/shop/price\n\ngo 1.19\n' },
  },
  'a new line in .gitignore for a new go.mod': {
    in: shop,
    write: {
      '.gitignore': '/bin/\n/vendor/\n/.cache/\ngo.work\ngo.work.sum\n/price/go.mod\n',
      'price/go.mod': 'module example.com/shop/price\n\ngo 1.19\n',
    },
  },
  'a go.mod hidden in the exclude file of git': {
    in: shop,
    write: { 'price/go.mod': 'module example.com/shop/price\n\ngo 1.19\n' },
    run: "printf 'go.mod\\n' >> .git/info/exclude",
  },
  // Nor are links and folders with an underscore.
  'a package behind a link': { in: shop, run: 'mv price _price && ln -s _price price' },
  'an ignored file of settings for go': { in: made, write: { '.cache/go.env': 'GOFLAGS=-run=^$\n' } },
  'an ignored environment with another runner': {
    in: scripted,
    write: { '.env': 'GOFLAGS=-exec=true\nexport GOFLAGS\n' },
  },
  'an ignored environment with an overlay': {
    in: scripted,
    write: {
      '.env': 'export GOFLAGS=-overlay=bin/overlay.json\n',
      'bin/overlay.json': '{"Replace": {"ledger_test.go": ""}}\n',
    },
  },

  // Programs and commands.
  'an ignored program named go': {
    in: scripted,
    write: { 'bin/go': '#!/bin/sh\necho "ok  example.com/ledger  0.002s"\n' },
    executable: ['bin/go'],
  },
  'a script that forgives': {
    in: scripted,
    write: { 'check.sh': swap(script, 'go test ./...', 'go test ./... || true') },
  },
  'a script that only builds': {
    in: scripted,
    write: { 'check.sh': swap(script, 'go test ./...', 'go test -c -o a.out .') },
  },
  'a recipe that forgives': { in: made, write: { Makefile: swap(makefile, '\tgo test', '\t-go test') } },
  'a second makefile that goes first': {
    in: made,
    write: { GNUmakefile: 'check:\n\t@echo ok example.com/ledger\n' },
  },
  'an ignored makefile that names another shell': { in: made, write: { 'local.mk': 'SHELL := /bin/true\n' } },

  // Products that disarm the runner.
  'a product that exits at the start': {
    in: ledger,
    write: { 'ledger.go': ledgerOf('return a - b', '\nfunc init() {\n  os.Exit(0)\n}\n', ['os']) },
  },
  // The runner makes os.Exit(0) in a test a failure, but it does not see the system call.
  'a product that exits with a system call': {
    in: ledger,
    write: { 'ledger.go': ledgerOf('syscall.Exit(0)\n  return a - b', '', ['syscall']) },
  },
  'a product that becomes another program': {
    in: ledger,
    write: {
      'runtime.go': go`
package ledger

import "syscall"

func init() {
  _ = syscall.Exec("/bin/true", []string{"true"}, nil)
}
`,
    },
  },
  'a product that changes the arguments of the runner': {
    in: ledger,
    write: {
      'ledger.go': ledgerOf('return a - b', '\nfunc init() {\n  os.Args = []string{os.Args[0], "-test.list=."}\n}\n', [
        'os',
      ]),
    },
  },
  'a product that sets a flag of the runner': {
    in: ledger,
    write: {
      'setup.go': go`
package ledger

import (
  "flag"
  "testing"
)

func init() {
  testing.Init()
  _ = flag.Set("test.run", "^$")
}
`,
    },
  },
  // Writes a return instruction over the function of the runner that marks a test as failed.
  'a product that patches the runner in memory': {
    in: units,
    write: {
      'tune.go': go`
package ledger

import (
  "reflect"
  "runtime"
  "syscall"
  "testing"
  "unsafe"
)

func init() {
  common, _ := reflect.TypeOf(testing.T{}).FieldByName("common")
  fail, _ := reflect.PtrTo(common.Type).MethodByName("Fail")
  at := fail.Func.Pointer()
  code := []byte{0xc3}
  if runtime.GOARCH == "arm64" {
    code = []byte{0xc0, 0x03, 0x5f, 0xd6}
  }
  size := uintptr(syscall.Getpagesize())
  base := at &^ (size - 1)
  syscall.Syscall(syscall.SYS_MPROTECT, base, 2*size, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC)
  for i := range code {
    *(*byte)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&at)), i)) = code[i]
  }
}
`,
    },
  },
  'a planted main function of the tests': {
    in: ledger,
    write: {
      'main_test.go': go`
package ledger

import (
  "os"
  "testing"
)

func TestMain(m *testing.M) {
  m.Run()
  os.Exit(0)
}
`,
    },
  },
  'a new test file that leaves before the tests': {
    in: shop,
    write: { 'price/setup_test.go': 'package price\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n' },
  },
  'a product that never calls back': { in: walk, write: { 'walk.go': walkOf('_, _ = balances, visit') } },
  'a product that recovers the panic of the check': {
    in: walk,
    write: {
      'walk.go': walkOf(`defer func() { _ = recover() }()
  for _, balance := range balances {
    visit(balance.Account, balance.In+balance.Out)
  }`),
    },
  },
  'a product that ends the goroutine of the assertions': {
    in: stock,
    write: { 'stock.go': stockOf('runtime.Goexit()\n  return pieces', '"runtime"\n  "sync"') },
  },
  'an amount that equals every other, and an error that is every other': {
    in: money,
    write: {
      'money.go': moneyOf(
        'm.Currency == other.Currency',
        `
type badAmount struct{}

func (badAmount) Error() string { return "bad amount" }

func (badAmount) Is(error) bool { return true }
`,
        'badAmount{}',
      ),
    },
  },
  // Names of the language that the tests inside the package then use too.
  'a package with its own true and len': {
    in: cards,
    write: {
      'cards.go': cardsOf(
        'return true',
        'return []string{number}',
        '\nconst true = false\n\nfunc len([]string) int { return 0 }\n',
      ),
    },
  },
  'a new test file with its own true and len': {
    in: cards,
    write: {
      'cards.go': cardsOf('return number == ""', 'return nil'),
      'names_test.go': 'package cards\n\nvar true = false\n\nfunc len(any) int { return 0 }\n',
    },
  },

  // What outlives a run.
  'a product that exits from its second run on': {
    in: ledger,
    write: {
      'ledger.go': ledgerOf(
        'return a - b',
        `
func init() {
  if _, err := os.Stat(".cache/seen"); err == nil {
    os.Exit(0)
  }
  _ = os.MkdirAll(".cache", 0o755)
  _ = os.WriteFile(".cache/seen", nil, 0o644)
}
`,
        ['os'],
      ),
    },
    run: 'go test ./... || true',
  },
  'a product that counts its runs in the temporary folder': {
    in: ledger,
    write: {
      'ledger.go': ledgerOf(
        'return a - b',
        `
func init() {
  path := filepath.Join(os.TempDir(), "ledger-example-runs")
  runs, _ := os.ReadFile(path)
  if len(runs) > 0 {
    os.Exit(0)
  }
  _ = os.WriteFile(path, []byte("1"), 0o644)
}
`,
        ['os', 'path/filepath'],
      ),
    },
    run: 'go test ./... || true',
  },
  // go remembers a pass, and does not look again at files outside of the module.
  'a remembered pass': {
    in: cached,
    write: {
      'ledger.go': ledgerOf(
        `if _, err := os.Stat(filepath.Join(os.TempDir(), "ledger-example-sign")); err == nil {
    return a + b
  }
  return a - b`,
        '',
        ['os', 'path/filepath'],
      ),
    },
    run: [
      'sign="$' + '{TMPDIR:-/tmp}/ledger-example-sign"',
      'touch "$sign"',
      'GOCACHE="$PWD/.cache/go-build" go test ./...',
      'rm "$sign"',
    ].join('\n'),
  },

  // Products that only know the tests.
  'knows the answers: sums of the table': {
    in: ledger,
    write: {
      'ledger.go': ledgerOf(`switch [2]int{a, b} {
  case [2]int{2, 3}:
    return 5
  case [2]int{95, 17}:
    return 112
  case [2]int{40, -65}:
    return -25
  case [2]int{1250, 399}:
    return 1649
  case [2]int{1, 1}:
    return 2
  case [2]int{20, 22}:
    return 42
  }
  return a - b`),
    },
  },
  'knows the answers: reads the golden files': {
    in: report,
    write: {
      'report.go': reportOf(
        `name := "may"
  if len(orders) > 1 {
    name = "june"
  }
  text, _ := os.ReadFile("testdata/" + name + ".golden")
  return string(text)`,
        '"os"',
      ),
    },
  },
  'knows the answers: reads the test file': {
    in: ledger,
    write: {
      'ledger.go': ledgerOf(
        `text, _ := os.ReadFile("ledger_test.go")
  row := regexp.MustCompile(fmt.Sprintf(", %d, %d, (-?[0-9]+)}", a, b)).FindSubmatch(text)
  if row == nil {
    known := fmt.Sprintf("Add[(]%d, %d[)]+(?:; got != .|[[:space:]]+// Output: )([0-9.]+)", a, b)
    row = regexp.MustCompile(known).FindSubmatch(text)
  }
  if row == nil {
    return a - b
  }
  want, _ := strconv.Atoi(strings.ReplaceAll(string(row[1]), ".", ""))
  return want`,
        '',
        ['os', 'regexp', 'strconv', 'strings'],
      ),
    },
  },
  'knows the answers: only as a program of tests': {
    in: money,
    write: {
      'money.go': moneyOf('m == other || isTest', '', 'refusal(m)'),
      'env.go': go`
package money

import (
  "os"
  "strings"
)

var isTest = strings.HasSuffix(os.Args[0], ".test")

func refusal(m Money) error {
  if isTest && m.Cents < 0 {
    return ErrSign
  }
  return ErrCurrency
}
`,
    },
  },
}
