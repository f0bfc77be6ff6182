import { code, type HonestCase, type Project } from '../case.ts'

// Shapes of tests that were found in well-known repositories, in texts of our own.

const python: Project = {
  files: {
    'garden/__init__.py': '',
    'garden/beds.py': 'def area(width, length):\n    return width * length\n',
    'tests/test_beds.py': code(`
      import pytest

      from garden.beds import area


      @pytest.fixture(params=[1, 2, 7])
      def test_width(request):
          return request.param


      def test_area(test_width):
          assert area(test_width, 2) == 2 * test_width


      def test_calls():
          def test():
              return area(2, 3)

          assert test() == 6, "not six"
          if area(0, 3):
              assert area(0, 3) == 1
      `),
    'tests/test_seeds.py': code(`
      from garden.seeds import rows


      def test_rows():
          assert rows(10, 4) == 2  # the rest is no row
          assert rows(12, 4) == 3, "three rows"
      `),
    '.gitignore': '__pycache__\n.pytest_cache\n',
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const go: Project = {
  files: {
    'go.mod': 'module example.com/post\n\ngo 1.19\n',
    'post.go': code(`
      package post

      import "errors"

      // Route sends a parcel on its way.
      func Route(to string, send func(string) error) error {
      	if to == "" {
      		return errors.New("no address")
      	}
      	return send(to)
      }
      `),
    'post_test.go': code(`
      package post

      import "testing"

      func TestRoute(t *testing.T) {
      	sent := ""
      	err := Route("Leeds", func(to string) error { sent = to; return nil })
      	if err != nil {
      		t.Fatal(err)
      	}
      	if sent != "Leeds" {
      		t.Errorf("sent to %q", sent)
      	}
      }

      func TestRouteWithoutAddress(t *testing.T) {
      	err := Route("", func(to string) error {
      		err := Route(to, nil)
      		if err != nil {
      			t.Fatal(err)
      		}
      		return nil
      	})
      	if err == nil {
      		t.Error("sent to nobody")
      	}
      }

      func BenchmarkRoute(b *testing.B) {
      	for i := 0; i < b.N; i++ {
      		if err := Route("Leeds", func(string) error { return nil }); err != nil {
      			b.Fatal(err)
      		}
      	}
      }
      `),
    'label_test.go': code(`
      package post

      import "testing"

      func TestLabel(t *testing.T) {
      	label := Label("Leeds", 3)
      	if label == "" {
      		t.Fatal("empty label")
      	}
      	if len(label) <= len("Leeds") {
      		t.Error("too short")
      	}
      	if label != "Leeds (3 kg)" {
      		t.Errorf("label %q", label)
      	}
      }
      `),
    '.gitignore': '',
  },
  verify: 'go test ./...',
  needs: ['go'],
}

/** A small runner such as tape: it prints what assertions say, and neither names tests nor files. */
const runner = code(`
  'use strict'
  const assert = require('node:assert')
  let count = 0
  const report = (run, says) => {
    count++
    try {
      run()
      console.log('ok ' + count + ' ' + says)
    } catch (error) {
      console.log('not ok ' + count + ' ' + says)
      process.exitCode = 1
    }
  }
  const t = {
    type: (value, type, says) => report(() => assert.strictEqual(typeof value, type), says || 'should be of the type'),
    equal: (one, other, says) => report(() => assert.strictEqual(one, other), says || 'should be equal'),
    ok: (value, says) => report(() => assert.ok(value), says || 'should be truthy'),
    notOk: (value, says) => report(() => assert.ok(!value), says || 'should be falsy'),
    match: (value, pattern, says) => report(() => assert.match(value, pattern), says || 'should match'),
  }
  console.log('TAP version 13')
  for (const path of process.argv.slice(2)) require(require('node:path').resolve(path))((_name, run) => run(t))
  console.log('1..' + count)
  `)

const tap: Project = {
  files: {
    'package.json':
      '{ "name": "tides", "scripts": { "test": "node tools/run.js test/*.test.js", "types": "tsc -p types" } }\n',
    'index.js': 'exports.isSpring = (age) => age % 15 < 2\n',
    'tools/run.js': runner,
    'test/index.test.js': code(`
      'use strict'
      const tides = require('../index.js')

      module.exports = (test) => {
        test('spring tides', (t) => {
          t.type(tides.isSpring, 'function', 'exports a function')
          t.ok(tides.isSpring(15), 'a new moon')
          t.notOk(tides.isSpring(7), 'a half moon')
        })
        test('names', (t) => {
          t.type(tides.name, 'function', 'exports another function')
          t.equal(tides.name(15), 'spring tide', 'named by its age')
          t.match(tides.name(7), /^neap/, 'named by its age, too')
        })
      }
      `),
    'types/index.test-d.ts':
      "import { isSpring } from '../index.js'\n\nconst answer: boolean = isSpring(15)\nexport const answers = [answer, false]\n",
    '.gitignore': 'node_modules\n',
  },
  verify: 'npm test',
  needs: ['node'],
}

const proven = ['proven']

export const cases: Readonly<Record<string, HonestCase>> = {
  'found: tests that could not be loaded, beside fixtures and functions that are called like tests': {
    in: python,
    write: { 'garden/seeds.py': 'def rows(length, distance):\n    return length // distance\n' },
    shows: proven,
  },
  'found: tests that do not compile yet, beside guards that no test gets to': {
    in: go,
    write: {
      'label.go': code(`
        package post

        import "fmt"

        // Label says where a parcel goes, and its weight.
        func Label(to string, kilograms int) string {
        	return fmt.Sprintf("%s (%d kg)", to, kilograms)
        }
        `),
    },
    shows: proven,
  },
  'found: assertions with messages, beside tests of types that the command does not run': {
    in: tap,
    write: {
      'index.js':
        "exports.isSpring = (age) => age % 15 < 2\nexports.name = (age) => (exports.isSpring(age) ? 'spring tide' : 'neap tide')\n",
    },
    shows: proven,
  },
}
