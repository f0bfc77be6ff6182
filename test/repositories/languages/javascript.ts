import type { Language } from '../recipe.ts'

/** Modules whose tests are run by node itself. */
export const nodeModules = (folder: string, tests: string, end = 'mjs'): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}/${name}.${end}`]: esm(name, value, uses && `./${uses}.${end}`),
    [`${tests}/${name}.test.${end}`]: [
      `import assert from 'node:assert'`,
      `import { test } from 'node:test'`,
      `import { ${name} } from '${relate(tests)}${folder}/${name}.${end}'`,
      '',
      `test('${name} is ${value}', () => assert.equal(${name}(), ${value}))`,
      '',
    ].join('\n'),
  }),
  test: (name) => `${tests}/${name}.test.${end}`,
})

/** CommonJS, as older generators write it. */
export const commonJs = (folder: string, tests: string): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}/${name}.js`]: commonJsUnit(value, uses),
    [`${tests}/${name}.test.js`]: [
      `const assert = require('node:assert')`,
      `const { test } = require('node:test')`,
      `const ${name} = require('${relate(tests)}${folder}/${name}')`,
      '',
      `test('${name} is ${value}', () => assert.equal(${name}(), ${value}))`,
      '',
    ].join('\n'),
  }),
  test: (name) => `${tests}/${name}.test.js`,
})

/** CommonJS with the global functions of jest. */
export const jest: Language = {
  files: ({ name, value, uses }) => ({
    [`lib/${name}.js`]: commonJsUnit(value, uses),
    [`lib/${name}.test.js`]: `const ${name} = require('./${name}')\n\ntest('${name} is ${value}', () => expect(${name}()).toBe(${value}))\n`,
  }),
  test: (name) => `lib/${name}.test.js`,
}

/** TypeScript beside its test, with `test` and `expect` from a runner, or from nowhere if they are globals. */
export const typeScript = (folder: string, runner: string | undefined, kind = 'test'): Language => ({
  files: ({ name, value, uses }) => ({
    [`${folder}/${name}.ts`]:
      uses === undefined
        ? `export function ${name}(): number {\n  return ${value};\n}\n`
        : `import { ${uses} } from './${uses}';\n\nexport function ${name}(): number {\n  return ${uses}() + 1;\n}\n`,
    [`${folder}/${name}.${kind}.ts`]: [
      ...(runner === undefined ? [] : [`import { expect, it } from '${runner}';`]),
      `import { ${name} } from './${name}';`,
      '',
      `it('${name} is ${value}', () => {`,
      `  expect(${name}()).toBe(${value});`,
      '});',
      '',
    ].join('\n'),
  }),
  test: (name) => `${folder}/${name}.${kind}.ts`,
})

/** TypeScript with the tests of mocha and chai in a folder of their own. */
export const mocha: Language = {
  files: ({ name, value, uses }) => ({
    [`src/${name}.ts`]:
      uses === undefined
        ? `export function ${name}(): number {\n  return ${value}\n}\n`
        : `import {${uses}} from './${uses}.js'\n\nexport function ${name}(): number {\n  return ${uses}() + 1\n}\n`,
    [`test/${name}.test.ts`]: [
      `import {expect} from 'chai'`,
      '',
      `import {${name}} from '../src/${name}.js'`,
      '',
      `describe('${name}', () => {`,
      `  it('is ${value}', () => {`,
      `    expect(${name}()).to.equal(${value})`,
      '  })',
      '})',
      '',
    ].join('\n'),
  }),
  test: (name) => `test/${name}.test.ts`,
}

const commonJsUnit = (value: number, uses: string | undefined): string =>
  uses === undefined
    ? `module.exports = () => ${value}\n`
    : `const ${uses} = require('./${uses}')\n\nmodule.exports = () => ${uses}() + 1\n`

const esm = (name: string, value: number, uses: string | undefined): string =>
  uses === undefined
    ? `export const ${name} = () => ${value}\n`
    : `import * as earlier from '${uses}'\n\nexport const ${name} = () => Object.values(earlier)[0]() + 1\n`

const relate = (folder: string): string => '../'.repeat(folder.split('/').length)
