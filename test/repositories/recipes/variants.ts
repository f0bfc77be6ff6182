import { nodeModules } from '../languages/javascript.ts'
import type { Variant } from '../recipe.ts'

const files = [
  'mkdir lib test',
  `printf '{ "name": "words", "scripts": { "test": "node --test" } }\\n' > package.json`,
  `printf "export const zero = () => 0\\n" > lib/zero.mjs`,
  `printf "import test from 'node:test'\\nimport '../lib/zero.mjs'\\n\\ntest('zero', () => {})\\n" > test/zero.test.mjs`,
]
const commit = ['git add --all', 'git commit --quiet --no-verify --message first']
const create = ['mkdir repo', 'cd repo', 'git init --quiet', ...files]
const config = (...lines: string[]): readonly string[] => lines.map((line) => `git config --global ${line}`)

const variant = (name: string, make: readonly string[], more: Partial<Variant> = {}): Variant => ({
  ecosystem: 'git',
  name,
  make,
  gates: ['npm test'],
  suite: 'node --test',
  language: nodeModules('lib', 'test'),
  ...more,
})

/** The same small repository under everything that git, its user and its host can do to one. */
export const variants: readonly Variant[] = [
  variant('plain', [...create, ...commit]),
  variant('ignored', [...create, 'echo .pawl/ > .gitignore', ...commit]),
  variant('ignored-exclude', [...create, ...commit, 'echo .pawl >> .git/info/exclude']),
  variant('ignored-by-user', [
    ...config(`core.excludesFile '~/ignore'`),
    'echo "**/.pawl/" > home/ignore',
    ...create,
    ...commit,
  ]),
  variant('ignored-dots', [...create, 'printf ".*\\n!.gitignore\\n" > .gitignore', ...commit]),
  variant(
    'monorepo',
    [
      'mkdir -p repo/packages/words',
      'cd repo',
      'git init --quiet',
      'echo .pawl/ > .gitignore',
      `printf '{ "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\\n' > package.json`,
      'cd packages/words',
      ...files,
      'cd ../..',
      ...commit,
    ],
    { cwd: 'packages/words', language: nodeModules('packages/words/lib', 'packages/words/test') },
  ),
  variant('husky', [
    ...create,
    'mkdir -p .husky/_ && printf "#!/bin/sh\\necho refused by a hook >&2\\nexit 1\\n" > .husky/_/pre-commit',
    'cp .husky/_/pre-commit .husky/_/commit-msg && chmod +x .husky/_/*',
    'git config core.hooksPath .husky/_',
    ...commit,
  ]),
  variant('eol-crlf', [
    ...create,
    'echo "* text=auto eol=crlf" > .gitattributes',
    ...commit,
    'git rm -rq --cached .',
    'git reset --hard --quiet',
  ]),
  variant('autocrlf', [
    ...config('core.autocrlf true', 'core.safecrlf false'),
    ...create,
    ...commit,
    'git rm -rq --cached .',
    'git reset --hard --quiet',
  ]),
  variant('lfs-attributes', [
    ...create,
    'echo "*.bin filter=lfs diff=lfs merge=lfs -text" > .gitattributes',
    'printf "version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 1\\n" > data.bin',
    ...commit,
  ]),
  variant('lfs-configured', [
    ...config(
      `filter.lfs.clean 'git-lfs clean -- %f'`,
      `filter.lfs.smudge 'git-lfs smudge -- %f'`,
      `filter.lfs.process 'git-lfs filter-process'`,
    ),
    ...create,
    'echo "*.bin filter=lfs diff=lfs merge=lfs -text" > .gitattributes',
    ...commit,
  ]),
  variant('filter', [
    ...create,
    `git config filter.upper.clean 'tr a-z A-Z' && git config filter.upper.smudge 'tr A-Z a-z'`,
    'echo "*.up filter=upper" > .gitattributes && echo hello > a.up',
    ...commit,
  ]),
  variant('submodule', [
    ...config('protocol.file.allow always'),
    'git init --quiet other && git -C other commit --quiet --allow-empty --message other',
    ...create,
    'git submodule --quiet add ../other vendor/other',
    ...commit,
  ]),
  variant(
    'inside-submodule',
    [
      ...config('protocol.file.allow always'),
      ...create,
      ...commit,
      'cd .. && git init --quiet whole && cd whole',
      'git submodule --quiet add ../repo words && git commit --quiet --message whole',
      'cd words && git switch --quiet -C work',
    ],
    { folder: 'whole/words' },
  ),
  variant(
    'shallow',
    [
      ...create,
      ...commit,
      'git commit --quiet --allow-empty -m two',
      'cd ..',
      'git clone --quiet --depth 1 "file://$PWD/repo" shallow',
    ],
    {
      folder: 'shallow',
    },
  ),
  variant(
    'partial',
    [
      ...create,
      ...commit,
      'git config uploadpack.allowFilter true',
      'cd ..',
      'git clone --quiet --filter=blob:none "file://$PWD/repo" partial',
    ],
    {
      folder: 'partial',
    },
  ),
  variant('worktree', [...create, ...commit, 'git worktree add --quiet -b other ../tree'], { folder: 'tree' }),
  variant(
    'bare-worktree',
    [
      ...create,
      ...commit,
      'cd ..',
      'git clone --quiet --bare repo bare.git',
      'git -C bare.git worktree add --quiet -b other ../tree',
    ],
    {
      folder: 'tree',
    },
  ),
  variant('branch', [...create, ...commit, 'git switch --quiet --create feature/words-1']),
  variant(
    'path',
    [
      'mkdir "Mes projets"',
      'cd "Mes projets"',
      ...create.map((line) => line.replaceAll('repo', "'été (wörk) 100%'")),
      ...commit,
    ],
    {
      folder: 'Mes projets/été (wörk) 100%',
    },
  ),
  variant('symlink', [...create, ...commit, 'ln -s repo ../link'], { folder: 'link' }),
  variant('gpgsign', [
    ...create,
    ...commit,
    ...config('commit.gpgSign true', 'tag.gpgSign true', 'gpg.program false', 'user.signingKey 1234'),
  ]),
  variant('sparse', [
    ...create,
    'mkdir big && echo 1 > big/file',
    ...commit,
    'git sparse-checkout set lib test docs .pawl',
  ]),
  variant('sha256', [
    ...create.map((line) => line.replace('init --quiet', 'init --quiet --object-format=sha256')),
    ...commit,
  ]),
  variant('split-index', [
    ...config('core.splitIndex true', 'index.version 4', 'core.untrackedCache true', 'feature.manyFiles true'),
    ...create,
    ...commit,
  ]),
  variant('config', [
    ...config(
      'status.showUntrackedFiles no',
      'status.short true',
      'color.ui always',
      'diff.noprefix true',
      'diff.external false',
      'diff.mnemonicPrefix true',
      'log.showSignature true',
      'log.decorate full',
      'core.pager false',
      'core.quotePath false',
      'core.fileMode false',
      'core.commentChar "*"',
      'core.editor false',
      'commit.verbose true',
      'commit.cleanup scissors',
      'commit.template ~/no-such-file',
      'i18n.commitEncoding latin1',
      'i18n.logOutputEncoding latin1',
      'push.default nothing',
      'advice.detachedHead false',
      'format.pretty oneline',
      'core.abbrev 4',
    ),
    ...create,
    ...commit.map((line) => line.replace('git commit', 'git commit --template=')),
  ]),
  variant('new-account', [...create, ...commit, 'rmdir ../home/.cache']),
  variant(
    'red-suite',
    [
      ...create,
      `printf "import test from 'node:test'\\n\\ntest('red', () => { throw new Error('red') })\\n" > test/red.test.mjs`,
      // With results of single tests, a red suite is no question.
      `sed -i 's/node --test/node --test --test-reporter=dot/' package.json`,
      ...commit,
    ],
    {
      isRed: true,
      suite: 'node --test test/*S*.mjs test/zero.test.mjs',
    },
  ),
  variant('large-ignored', [
    ...create,
    'echo node_modules > .gitignore',
    ...commit,
    'mkdir -p node_modules/a && cd node_modules/a && seq 3000 | xargs touch',
  ]),
]
