import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import type { Case, Project } from './case.ts'
import { judgeCase } from './judge-case.ts'
import { caseEnvironment, layOut } from './lay-out.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const nodeTest = (body: string): string =>
  `const test = require('node:test')\nconst assert = require('node:assert')\n\n${body}\n`

/** A manifest and its lock, as `npm install` writes it for a folder of the repository. */
const manifestOf = (dependencies: Record<string, string>) => {
  const own = { name: 'shop', version: '1.0.0', scripts: { test: 'node --test "test/*.test.js"' }, dependencies }
  const links = Object.entries(dependencies).flatMap(([name, where]) => {
    const folder = where.replace('file:', '')
    return [
      [folder, { version: '1.0.0' }],
      [`node_modules/${name}`, { resolved: folder, link: true }],
    ]
  })
  const root = { name: 'shop', version: '1.0.0', dependencies }
  return {
    'package.json': json(own),
    'package-lock.json': json({
      name: 'shop',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': root, ...Object.fromEntries(links) },
    }),
  }
}

/** Its tests hang as soon as a comment is added to them, as a suite does that is slower than the story's time allows. */
const slow: Project = {
  files: {
    'sum.js': 'exports.sum = (one, other) => one - other\n',
    'sum.test.js': nodeTest("const { sum } = require('./sum.js')\n\ntest('adds', () => assert.equal(sum(1, 2), 3))"),
  },
  verify: 'if grep -q "^// " sum.test.js; then sleep 600; fi; node --test',
  needs: ['node'],
}
const added = { 'sum.js': 'exports.sum = (one, other) => one + other\n' }

describe.runIf(canMountHere)('a story whose time is up while its tests are tried', () => {
  test('is done without a proof, once, because its commands are green', async () => {
    const story = await judgeCase({ in: slow, write: added }, '--story-time', '12s', '--attempts', '4')
    expect(story, story.said).toMatchObject({ evidence: 'unproven', because: expect.stringContaining('time was up') })
    expect(story.said).toContain('after 1 attempt')
  })

  test('is rewritten if it changed tests', async () => {
    const changed = {
      'sum.test.js': `${slow.files['sum.test.js']}test('adds more', () => assert.equal(sum(2, 2), 4))\n`,
    }
    const green = {
      ...slow,
      files: { ...slow.files, ...added },
      verify: 'if grep -q "a, b" sum.js && ! grep -q more sum.test.js; then sleep 600; fi; node --test',
    }
    const write = { 'sum.js': 'exports.sum = (a, b) => a + b\n', ...changed }
    const story = await judgeCase({ in: green, write }, '--story-time', '12s')
    expect(story, story.said).toMatchObject({ evidence: 'rewritten', because: expect.stringContaining('time was up') })
  })

  test('fails with --strict-evidence', async () => {
    const { evidence, said } = await judgeCase({ in: slow, write: added }, '--story-time', '12s', '--strict-evidence')
    expect(evidence, said).toBe('failed')
  })
})

describe.runIf(canMountHere)('dependencies', () => {
  const shop: Project = {
    files: {
      ...manifestOf({}),
      'price.js': 'exports.price = (cents) => String(cents)\n',
      'test/price.test.js': nodeTest(
        "const { price } = require('../price.js')\n\ntest('prints', () => assert.equal(price(250), '2.50'))",
      ),
      'packages/money/package.json': json({ name: 'money', version: '1.0.0', main: 'money.js' }),
      'packages/money/money.js': 'exports.print = (cents) => (cents / 100).toFixed(2)\n',
      '.gitignore': 'node_modules\n',
    },
    ignored: { 'node_modules/.package-lock.json': json({ name: 'shop', lockfileVersion: 3, packages: {} }) },
    config: { setup: ['npm ci --offline --no-audit --no-fund'] },
    verify: 'npm test',
    needs: ['node'],
  }
  const uses = { 'price.js': "const { print } = require('money')\n\nexports.price = print\n" }

  test('of a story are installed in the room, whatever the agent has installed', async () => {
    const story = { in: shop, write: { ...uses, ...manifestOf({ money: 'file:packages/money' }) } }
    const { evidence, runs, said } = await judgeCase(story)
    expect(evidence, said).toBe('proven')
    expect(runs.slice(0, 3)).toEqual(['new-dependencies red', 'new-dependencies-again red', 'commented green'])
  })

  test('that are only in the work tree do not count', async () => {
    const planted = { 'node_modules/money/index.js': 'exports.print = () => "2.50"\n' }
    expect(await judgeCase({ in: shop, write: { ...uses, ...planted } })).toMatchObject({ evidence: 'failed' })
  })

  test('that no command installs are told to be the reason', async () => {
    const story = {
      in: { ...shop, config: { setup: [] } },
      write: { ...uses, ...manifestOf({ money: 'file:packages/money' }) },
    }
    const { evidence, because } = await judgeCase(story)
    expect([evidence, because]).toEqual(['failed', expect.stringMatching(/package.*changed, and no setup command/)])
  })

  test('are found by the lock file, and installed first where the work tree has none', async () => {
    const { ignored: _, config: _config, ...fresh } = shop
    const files = { ...fresh.files, ...manifestOf({ money: 'file:packages/money' }) }
    const { evidence, said } = await judgeCase({ in: { ...fresh, files }, write: uses })
    expect(said).toContain('If dependencies change: npm ci')
    expect(evidence, said).toBe('proven')
  })

  test('that alone make the commands pass prove nothing, whatever the manifest', async () => {
    const python: Project = {
      files: {
        'requirements.txt': 'words\n',
        'install.sh':
          'rm -rf .deps && mkdir .deps && for name in $(cat requirements.txt); do cp libs/$name.py .deps/; done\n',
        'libs/words.py': 'x = 1\n',
        'app/count.py': 'def count(text):\n    return 0\n',
        'test/test_count.py':
          'import unittest\nfrom count import count\n\nclass Count(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(count("a b"), 2)\n',
        '.gitignore': '.deps\n__pycache__\n',
      },
      ignored: { '.deps/words.py': 'x = 1\n' },
      config: { setup: ['sh install.sh'] },
      verify: 'PYTHONPATH=.deps:app python3 -m unittest discover -s test',
      needs: ['python3'],
    }
    const solved = 'def count(text):\n    return len(text.split())\n'
    const planted = await judgeCase({
      in: python,
      write: { 'requirements.txt': 'words\ncount\n', 'libs/count.py': solved },
    })
    expect([planted.evidence, planted.because]).toEqual(['failed', expect.stringContaining('new dependencies alone')])
    const uses = {
      'libs/split.py': 'def split(text):\n    return text.split()\n',
      'requirements.txt': 'words\nsplit\n',
    }
    const product = { 'app/count.py': 'from split import split\n\ndef count(text):\n    return len(split(text))\n' }
    const honest = await judgeCase({ in: python, write: { ...uses, ...product } })
    expect(honest.evidence, honest.said).toBe('proven')
  })

  test('that cannot be installed fail the attempt, and the critique shows why', async () => {
    const broken = { ...manifestOf({ money: 'file:packages/money' }), 'package-lock.json': '{}\n' }
    const { evidence, because } = await judgeCase({ in: shop, write: { ...uses, ...broken } })
    expect([evidence, because]).toEqual(['failed', expect.stringContaining('"npm ci --offline')])
  })
})

describe.runIf(canMountHere)('commands around the verification', () => {
  const built: Project = {
    files: {
      'src/sum.js': 'exports.sum = (a, b) => a - b\n',
      'build.sh': 'mkdir -p dist && cp src/sum.js dist/sum.js\n',
      'test/sum.test.js': nodeTest(
        "const { sum } = require('../dist/sum.js')\n\ntest('adds', () => assert.equal(sum(2, 3), 5))",
      ),
      '.gitignore': 'dist\n',
    },
    verify: 'node --test "test/*.test.js"',
    needs: ['node'],
  }
  const honest: Omit<Case, 'in'> = {
    write: { 'src/sum.js': 'exports.sum = (a, b) => a + b\n' },
    run: 'sh build.sh',
  }

  test('prepare builds what the tests import; without it, ignored output of the agent is named', async () => {
    const prepared = await judgeCase({ in: { ...built, config: { prepare: ['sh build.sh'] } }, ...honest })
    expect(prepared.evidence, prepared.said).toBe('proven')
    const { evidence, workspace } = await judgeCase({ in: built, ...honest })
    expect(evidence).toBe('failed')
    const runs = join(workspace, '.pawl', 'runs')
    const [run = ''] = fs.readdirSync(runs).filter((name) => name !== '.gitignore')
    expect(fs.readFileSync(join(runs, run, 'critique.md'), 'utf8')).toContain('- dist/')
  })

  test('reset runs before prepare, each time', async () => {
    const config = { reset: ['echo reset > order'], prepare: ['echo prepare >> order'] }
    const project = {
      files: { 'README.md': '# Work\n', '.gitignore': 'order\n' },
      needs: ['sh'],
      config,
      verify: 'test "$(tr "\\n" " " < order)" = "reset prepare " && test -s done.txt',
    }
    const { evidence, because, said } = await judgeCase({ in: project, write: { 'done.txt': 'x\n' } })
    expect(evidence, `${because} ${said}`).toBe('proven')
  })

  test('format is applied in the room, with the settings from before the story, and committed', async () => {
    const formatter = 'sed -i "s/;$//" $(cat .formatted) && echo new > unformatted.txt'
    const files = { ...built.files, '.formatted': 'src/sum.js\n' }
    const project = { ...built, files, config: { prepare: ['sh build.sh'], format: [formatter] } }
    const write = { 'src/sum.js': 'exports.sum = (a, b) => a + b;\n', '.formatted': 'build.sh\n' }
    const { evidence, workspace, commit, said } = await judgeCase({ in: project, write })
    const show = (path: string): string =>
      execFileSync('git', ['show', `${commit}:${path}`], { cwd: workspace, encoding: 'utf8' })
    expect(evidence, said).toBe('proven')
    expect([show('src/sum.js'), show('.formatted')]).toEqual(['exports.sum = (a, b) => a + b\n', 'build.sh\n'])
    expect(fs.readFileSync(join(workspace, 'src', 'sum.js'), 'utf8')).toBe('exports.sum = (a, b) => a + b\n')
    expect(fs.existsSync(join(workspace, 'unformatted.txt'))).toBe(false)
  })
})

test.runIf(canMountHere)('a report of results that the command did not write counts for nothing', async () => {
  const reporters = '--test-reporter=junit --test-reporter-destination=out/report.xml'
  const suite: Project = {
    files: {
      'sum.js': 'exports.sum = () => 0\nexports.product = () => 0\n',
      'test/sum.test.js': nodeTest(
        "const { sum, product } = require('../sum.js')\n\ntest('sum', () => assert.equal(sum(2, 3), 5))\ntest('product', () => assert.equal(product(2, 3), 6))",
      ),
      'out/.gitkeep': '',
    },
    verify: `node --test ${reporters} "test/*.test.js"`,
    needs: ['node'],
    config: { results: 'out/report.xml' },
  }
  const report = ['sum', 'product'].map((name) => {
    const ended = name === 'sum' ? '/>' : '><failure/></testcase>'
    return `<testcase name="${name}" classname="test" file="test/sum.test.js"${ended}`
  })
  const forged = { 'out/report.xml': `<testsuites>${report.join('\n')}</testsuites>\n` }
  // The runner dies before it writes its own report.
  const killing = { 'sum.js': "process.kill(process.ppid, 'SIGKILL')\n" }
  expect(await judgeCase({ in: suite, write: { ...forged, ...killing } })).toMatchObject({ evidence: 'failed' })
  const half = { 'sum.js': 'exports.sum = (a, b) => a + b\nexports.product = () => 0\n' }
  expect(await judgeCase({ in: suite, write: half })).toMatchObject({ evidence: 'proven' })
})

test.runIf(canMountHere)('with results, each story is judged by its own tests in a suite that stays red', async () => {
  const here = newWorkspace({
    config: {
      agent: 'scripted',
      agent_script: 'agent.yml',
      results: 'tap',
      gates: ['node --test --test-reporter=tap "test/*.test.js"'],
    },
    agent: [
      { when: { task: 'S1' }, write: { 'sum.js': 'exports.sum = (a, b) => a + b\n' } },
      { when: { task: 'S2' }, write: { 'product.js': 'exports.product = (a, b) => a * b\n' } },
    ],
    env: caseEnvironment,
    // The suite is red until the last story.
    elsewhere: false,
  })
  const testOf = (name: string, expected: number): string =>
    nodeTest(
      `const { ${name} } = require('../${name}.js')\n\ntest('${name}', () => assert.equal(${name}(2, 3), ${expected}))`,
    )
  const project: Project = {
    files: {
      'prd.md': '## Acceptance Criteria\n\n- **AC-01:** There is a sum.\n- **AC-02:** There is a product.\n',
      'sum.js': 'exports.sum = () => 0\n',
      'product.js': 'exports.product = () => 0\n',
      'test/sum.test.js': testOf('sum', 5),
      'test/product.test.js': testOf('product', 6),
      '.gitignore': '.pawl\n',
    },
    verify: '',
    needs: [],
  }
  layOut(project, here.workspace, here.env)
  const { code, out, err } = await here.run('deliver', 'prd.md', '--trust', '--red-baseline', 'accept')
  expect(code, out + err).toBe(0)
  const result = JSON.parse(fs.readFileSync(join(here.dirOf(), 'result.json'), 'utf8'))
  const altered = expect.objectContaining({ run: 'altered-values', ended: 'red' })
  expect(result.stories).toMatchObject([
    { evidence: 'proven', attempts: 1, verified_in: 'clean_room', runs: expect.arrayContaining([altered]) },
    { evidence: 'proven', attempts: 1 },
  ])
  expect((await here.run('why')).code).toBe(0)
  expect((await here.run('show')).out).toContain('proven')
})

test.runIf(canMountHere)('a command that writes a gigabyte into the room leaves nothing behind', async () => {
  const project: Project = {
    files: { 'a.txt': 'a\n' },
    verify: 'head -c 1073741824 /dev/zero > big && test -s done.txt',
    needs: [],
  }
  const { evidence, workspace, said } = await judgeCase({ in: project, write: { 'done.txt': 'x\n' } })
  expect(evidence, said).toBe('proven')
  const [kilobytes] = execFileSync('du', ['-sk', workspace], { encoding: 'utf8' }).split('\t')
  expect(Number(kilobytes)).toBeLessThan(20_000)
})
