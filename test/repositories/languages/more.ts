import type { Language } from '../recipe.ts'

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

export const phpunit: Language = {
  files: ({ name, value, uses }) => ({
    [`src/${capital(name)}.php`]: [
      '<?php',
      '',
      'namespace Ada\\Words;',
      '',
      `final class ${capital(name)}`,
      '{',
      '    public static function value(): int',
      '    {',
      `        return ${uses ? `${capital(uses)}::value() + 1` : value};`,
      '    }',
      '}',
      '',
    ].join('\n'),
    [`tests/${capital(name)}Test.php`]: [
      '<?php',
      '',
      'use PHPUnit\\Framework\\TestCase;',
      '',
      `final class ${capital(name)}Test extends TestCase`,
      '{',
      '    public function testValue(): void',
      '    {',
      `        $this->assertSame(${value}, Ada\\Words\\${capital(name)}::value());`,
      '    }',
      '}',
      '',
    ].join('\n'),
  }),
  test: (name) => `tests/${capital(name)}Test.php`,
}

/** `folder` is that of the application, with a slash at its end. */
export const exunit = (folder = ''): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}lib/${name}.ex`]: [
      `defmodule ${capital(name)} do`,
      `  def value, do: ${uses ? `${capital(uses)}.value() + 1` : value}`,
      'end',
      '',
    ].join('\n'),
    [`${folder}test/${name}_test.exs`]: [
      `defmodule ${capital(name)}Test do`,
      '  use ExUnit.Case',
      '',
      '  test "has its value" do',
      `    assert ${capital(name)}.value() == ${value}`,
      '  end',
      'end',
      '',
    ].join('\n'),
  }),
  test: (name) => `${folder}test/${name}_test.exs`,
})

export const eunit: Language = {
  files: ({ name, value, uses }) => ({
    [`src/${name}.erl`]: [
      `-module(${name}).`,
      '-export([value/0]).',
      '',
      `value() -> ${uses ? `${uses}:value() + 1` : value}.`,
      '',
    ].join('\n'),
    [`test/${name}_tests.erl`]: [
      `-module(${name}_tests).`,
      '-include_lib("eunit/include/eunit.hrl").',
      '',
      `value_test() -> ?assertEqual(${value}, ${name}:value()).`,
      '',
    ].join('\n'),
  }),
  test: (name) => `test/${name}_tests.erl`,
}

export const perl: Language = {
  files: ({ name, value, uses }) => ({
    [`lib/${capital(name)}.pm`]: [
      `package ${capital(name)};`,
      'use strict;',
      'use warnings;',
      ...(uses === undefined ? [] : [`use ${capital(uses)};`]),
      '',
      `sub value { return ${uses ? `${capital(uses)}::value() + 1` : value} }`,
      '',
      '1;',
      '',
    ].join('\n'),
    [`t/${name}.t`]: [
      'use strict;',
      'use warnings;',
      'use Test::More tests => 1;',
      `use ${capital(name)};`,
      '',
      `is(${capital(name)}::value(), ${value});`,
      '',
    ].join('\n'),
  }),
  test: (name) => `t/${name}.t`,
}

/** C units with tests that a shell loop compiles and starts. */
export const c: Language = {
  files: ({ name, value, uses }) => ({
    [`units/${name}.h`]: [
      ...(uses === undefined ? [] : [`#include "${uses}.h"`, '']),
      `static inline int ${name}(void) { return ${uses ? `${uses}() + 1` : value}; }`,
      '',
    ].join('\n'),
    [`tests/${name}.c`]: [
      `#include "../units/${name}.h"`,
      '',
      `int main(void) { return ${name}() == ${value} ? 0 : 1; }`,
      '',
    ].join('\n'),
  }),
  test: (name) => `tests/${name}.c`,
}

export const busted: Language = {
  files: ({ name, value, uses }) => ({
    [`src/${name}.lua`]:
      uses === undefined
        ? `return function() return ${value} end\n`
        : `local ${uses} = require("src.${uses}")\nreturn function() return ${uses}() + 1 end\n`,
    [`spec/${name}_spec.lua`]: [
      `local ${name} = require("src.${name}")`,
      '',
      `describe("${name}", function()`,
      `  it("has its value", function() assert.are.equal(${value}, ${name}()) end)`,
      'end)',
      '',
    ].join('\n'),
  }),
  test: (name) => `spec/${name}_spec.lua`,
}

/** `folder` holds src/main and src/test, with a slash at its end. */
export const junit = (folder = ''): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}src/main/java/words/${capital(name)}.java`]: [
      'package words;',
      '',
      `public final class ${capital(name)} {`,
      '    public static int value() {',
      `        return ${uses ? `${capital(uses)}.value() + 1` : value};`,
      '    }',
      '}',
      '',
    ].join('\n'),
    [`${folder}src/test/java/words/${capital(name)}Test.java`]: [
      'package words;',
      '',
      'import static org.junit.Assert.assertEquals;',
      '',
      'import org.junit.Test;',
      '',
      `public class ${capital(name)}Test {`,
      '    @Test',
      '    public void hasItsValue() {',
      `        assertEquals(${value}, ${capital(name)}.value());`,
      '    }',
      '}',
      '',
    ].join('\n'),
  }),
  test: (name) => `${folder}src/test/java/words/${capital(name)}Test.java`,
})
