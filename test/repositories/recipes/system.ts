import { busted, c, eunit, exunit, junit, perl, phpunit } from '../languages/more.ts'
import { go, minitest, pytest, rspec, rust, unittest } from '../languages/others.ts'
import type { Recipe } from '../recipe.ts'

const inPlace = (...commands: string[]): readonly string[] => ['mkdir repo', 'cd repo', ...commands]

const rustRecipe = (kind: string): Recipe => ({
  name: `cargo-${kind}`,
  ecosystem: 'rust',
  needs: ['cargo'],
  make: inPlace(`cargo init --${kind} --name words`, 'cargo test --offline'),
  gates: ['cargo test'],
  suite: 'cargo test --offline',
  language: rust(),
})

const gem = (test: string): readonly string[] => [
  `bundle gem repo --test=${test} --no-ci --no-mit --no-coc --no-linter --no-changelog`,
  'cd repo',
  // The gemspec is not valid before its author has filled it in.
  `sed -i 's|"[^"]*TODO[^"]*"|"https://example.org"|' repo.gemspec`,
  `sed -i 's/assert false/assert true/; s/expect(false)/expect(true)/' test/test_repo.rb spec/repo_spec.rb 2>/dev/null || true`,
  'bundle install --local',
]

/** Repositories whose generators are part of a toolchain or of a Linux distribution. */
export const systemRecipes: readonly Recipe[] = [
  rustRecipe('lib'),
  rustRecipe('bin'),
  {
    ...rustRecipe('lib'),
    name: 'cargo-workspace',
    make: inPlace(
      `printf '[workspace]\\nresolver = "2"\\nmembers = ["words", "tool"]\\n' > Cargo.toml`,
      'cargo init --lib --vcs none words',
      'cargo init --bin --vcs none tool',
      'echo target > .gitignore',
      'cargo test --offline',
    ),
    language: rust('words/'),
  },
  {
    name: 'flit',
    ecosystem: 'python',
    needs: ['flit', 'python3', 'pytest-3'],
    make: inPlace(
      'mkdir words tests',
      `printf '"""Words"""\\n__version__ = "0.1"\\n' > words/__init__.py`,
      `printf 'words\\nAda\\nada@example.org\\nhttps://example.org\\n1\\n' | flit init`,
      `printf '[project.optional-dependencies]\\ntest = ["pytest"]\\n' >> pyproject.toml`,
      'printf "__pycache__/\\n" > .gitignore && touch tests/conftest.py tests/__init__.py',
      'printf "def test_version():\\n    import words\\n    assert words.__version__\\n" > tests/test_version.py',
    ),
    gates: ['pytest'],
    suite: 'python3 -m pytest',
    language: pytest('words', 'words'),
  },
  {
    name: 'poetry',
    ecosystem: 'python',
    needs: ['poetry', 'pytest-3'],
    make: [
      'poetry new --name words repo',
      'cd repo',
      'printf "__pycache__/\\n" > .gitignore',
      'printf "def test_import():\\n    import words\\n" > tests/test_words.py',
    ],
    gates: [],
    suite: 'python3 -m pytest',
    language: pytest('words', 'words'),
  },
  {
    name: 'django',
    ecosystem: 'python',
    needs: ['django-admin', 'python3'],
    make: inPlace(
      'django-admin startproject site_one .',
      'python3 manage.py startapp words',
      'printf "__pycache__/\\n*.sqlite3\\n" > .gitignore',
    ),
    gates: ['python3 manage.py test'],
    suite: 'python3 manage.py test',
    language: unittest('words', 'from django.test import TestCase'),
  },
  {
    name: 'go',
    ecosystem: 'go',
    needs: ['go'],
    make: inPlace('go mod init example.org/text', 'printf "package text\\n" > doc.go'),
    gates: ['go vet ./...', 'go test ./...'],
    suite: 'go test ./...',
    language: go,
  },
  {
    name: 'gem-minitest',
    ecosystem: 'ruby',
    needs: ['bundle', 'ruby'],
    make: gem('minitest'),
    gates: ['bundle exec rake test'],
    suite: 'bundle exec rake test',
    language: minitest,
  },
  {
    name: 'gem-rspec',
    ecosystem: 'ruby',
    needs: ['bundle', 'rspec'],
    make: gem('rspec'),
    gates: ['bundle exec rspec'],
    suite: 'bundle exec rspec',
    language: rspec,
  },
  {
    name: 'composer',
    ecosystem: 'php',
    needs: ['composer', 'phpunit'],
    make: inPlace(
      'composer init --no-interaction --name=ada/words --autoload=src/',
      'composer config scripts.test phpunit',
      'composer dump-autoload',
      'mkdir tests && touch tests/.gitkeep src/.gitkeep',
      "printf '\\n\\n\\n\\n' | phpunit --generate-configuration",
      `sed -i 's/forceCoversAnnotation="true"/forceCoversAnnotation="false"/' phpunit.xml`,
      'printf "vendor/\\n.phpunit.cache/\\n" > .gitignore',
    ),
    gates: ['composer run test'],
    suite: 'composer run test',
    language: phpunit,
  },
  {
    name: 'mix',
    ecosystem: 'elixir',
    needs: ['mix'],
    make: ['mix new repo --app words'],
    gates: ['mix format --check-formatted', 'mix test'],
    suite: 'mix test',
    language: exunit(),
  },
  {
    name: 'mix-umbrella',
    ecosystem: 'elixir',
    needs: ['mix'],
    make: ['mix new repo --umbrella --app words_all', 'cd repo/apps && mix new words'],
    gates: ['mix format --check-formatted', 'mix test'],
    suite: 'mix test',
    language: exunit('apps/words/'),
  },
  {
    name: 'rebar3',
    ecosystem: 'erlang',
    needs: ['rebar3'],
    make: ['rebar3 new lib repo'],
    gates: ['rebar3 eunit'],
    suite: 'rebar3 eunit',
    language: eunit,
  },
  {
    name: 'module-starter',
    ecosystem: 'perl',
    needs: ['module-starter', 'prove'],
    make: [
      'module-starter --module=Words --author=Ada --email=ada@example.org --dir=repo --ignores=git',
      'rm -rf repo/xt',
    ],
    gates: ['prove -lr t'],
    suite: 'prove -lr t',
    language: perl,
  },
  {
    name: 'meson',
    ecosystem: 'c',
    needs: ['meson', 'ninja', 'cc'],
    make: inPlace('meson init --name words --language c', 'mkdir tests units', 'echo build > .gitignore'),
    gates: [],
    suite:
      'for t in tests/*.c; do [ ! -e "$t" ] || { mkdir -p build && cc -o build/one "$t" && build/one; } || exit 1; done',
    language: c,
  },
  {
    name: 'busted',
    ecosystem: 'lua',
    needs: ['busted'],
    make: inPlace(
      'mkdir spec src && printf "test:\\n\\tbusted\\n" > Makefile',
      `printf 'describe("lua", function() it("adds", function() assert.are.equal(2, 1 + 1) end) end)\\n' > spec/lua_spec.lua`,
    ),
    gates: ['make test'],
    suite: 'make test',
    language: busted,
  },
  {
    name: 'maven',
    ecosystem: 'java',
    needs: ['mvn'],
    make: inPlace(
      `printf '${[
        '<project xmlns="http://maven.apache.org/POM/4.0.0">',
        '<modelVersion>4.0.0</modelVersion><groupId>words</groupId><artifactId>words</artifactId><version>1.0</version>',
        '<properties><maven.compiler.release>17</maven.compiler.release></properties>',
        '<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>',
        '<scope>test</scope></dependency></dependencies></project>',
      ].join('\\n')}\\n' > pom.xml`,
      "mkdir .mvn && printf -- '-o\\n-Dmaven.repo.local=/usr/share/maven-repo\\n' > .mvn/maven.config",
      'echo target > .gitignore',
    ),
    gates: ['mvn -B test'],
    suite: 'mvn -B -q test',
    language: junit(),
  },
]
