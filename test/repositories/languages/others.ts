import type { Language } from '../recipe.ts'

const snake = (name: string): string => name.replace(/S(\d)$/, '_S$1')
const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** Tests of a crate's public functions, one file each. The functions are in modules that Cargo finds by path. */
export const rust = (folder = ''): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}units/${name}.rs`]:
      uses === undefined
        ? `#[allow(non_snake_case)]\npub fn ${name}() -> i32 {\n    ${value}\n}\n`
        : `include!("${uses}.rs");\n\n#[allow(non_snake_case)]\npub fn ${name}() -> i32 {\n    ${uses}() + 1\n}\n`,
    [`${folder}tests/${name}.rs`]: [
      `include!("../units/${name}.rs");`,
      '',
      '#[test]',
      '#[allow(non_snake_case)]',
      `fn test_${name}() {`,
      `    assert_eq!(${name}(), ${value});`,
      '}',
      '',
    ].join('\n'),
  }),
  test: (name) => `${folder}tests/${name}.rs`,
})

/** Functions in modules below `folder`; `from` is the package that tests import. */
export const pytest = (folder: string, from: string): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}/${name}.py`]: python(name, value, uses && `${from}.${uses}`, uses),
    [`tests/test_${name}.py`]: [
      `from ${from}.${name} import ${name}`,
      '',
      '',
      `def test_${name}():`,
      `    assert ${name}() == ${value}`,
      '',
    ].join('\n'),
  }),
  test: (name) => `tests/test_${name}.py`,
})

/** Test cases as Django's and Python's own runner find them. */
export const unittest = (folder: string, base: string): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}/${name}.py`]: python(name, value, uses && `${folder}.${uses}`, uses),
    [`${folder}/test_${name}.py`]: [
      base,
      '',
      `from ${folder}.${name} import ${name}`,
      '',
      '',
      `class ${capital(name)}Test(TestCase):`,
      '    def test_value(self):',
      `        self.assertEqual(${name}(), ${value})`,
      '',
    ].join('\n'),
  }),
  test: (name) => `${folder}/test_${name}.py`,
})

const python = (name: string, value: number, from: string | undefined, uses: string | undefined): string =>
  uses === undefined
    ? `def ${name}():\n    return ${value}\n`
    : `from ${from} import ${uses}\n\n\ndef ${name}():\n    return ${uses}() + 1\n`

export const go: Language = {
  files: ({ name, value, uses }) => ({
    [`${snake(name)}.go`]: `package text\n\nfunc ${capital(name)}() int {\n\treturn ${uses ? `${capital(uses)}() + 1` : value}\n}\n`,
    [`${snake(name)}_test.go`]: [
      'package text',
      '',
      'import "testing"',
      '',
      `func Test${capital(name)}(t *testing.T) {`,
      `\tif got := ${capital(name)}(); got != ${value} {`,
      `\t\tt.Fatalf("got %d", got)`,
      '\t}',
      '}',
      '',
    ].join('\n'),
  }),
  test: (name) => `${snake(name)}_test.go`,
}

export const minitest: Language = {
  files: ({ name, value, uses }) => ({
    [`lib/words/${name}.rb`]: ruby(name, value, uses),
    [`test/test_${name}.rb`]: [
      '# frozen_string_literal: true',
      '',
      'require "minitest/autorun"',
      `require_relative "../lib/words/${name}"`,
      '',
      `class Test${capital(name)} < Minitest::Test`,
      '  def test_value',
      `    assert_equal ${value}, ${capital(name)}.value`,
      '  end',
      'end',
      '',
    ].join('\n'),
  }),
  test: (name) => `test/test_${name}.rb`,
}

export const rspec: Language = {
  files: ({ name, value, uses }) => ({
    [`lib/words/${name}.rb`]: ruby(name, value, uses),
    [`spec/${name}_spec.rb`]: [
      '# frozen_string_literal: true',
      '',
      `require_relative "../lib/words/${name}"`,
      '',
      `RSpec.describe ${capital(name)} do`,
      `  it("has its value") { expect(described_class.value).to eq(${value}) }`,
      'end',
      '',
    ].join('\n'),
  }),
  test: (name) => `spec/${name}_spec.rb`,
}

const ruby = (name: string, value: number, uses: string | undefined): string =>
  [
    '# frozen_string_literal: true',
    '',
    ...(uses === undefined ? [] : [`require_relative "${uses}"`, '']),
    `module ${capital(name)}`,
    `  def self.value = ${uses ? `${capital(uses)}.value + 1` : value}`,
    'end',
    '',
  ].join('\n')
