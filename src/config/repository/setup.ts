import type { Repository } from './repository.ts'

/** How to install dependencies, by the lock file that the repository has. The first row of a kind decides. */
const installers: readonly (readonly { readonly file: string; readonly command: string; readonly with?: string }[])[] =
  [
    [
      { file: 'package-lock.json', command: 'npm ci' },
      { file: 'npm-shrinkwrap.json', command: 'npm ci' },
      { file: 'pnpm-lock.yaml', command: 'pnpm install --frozen-lockfile' },
      { file: 'yarn.lock', command: 'yarn install --immutable', with: '.yarnrc.yml' },
      { file: 'yarn.lock', command: 'yarn install --frozen-lockfile' },
      { file: 'bun.lock', command: 'bun install --frozen-lockfile' },
      { file: 'package.json', command: 'npm install --no-package-lock', with: 'node_modules' },
    ],
    [
      { file: 'uv.lock', command: 'uv sync --frozen' },
      { file: 'poetry.lock', command: 'poetry install --no-interaction' },
      { file: 'pdm.lock', command: 'pdm install --frozen-lockfile' },
      {
        file: 'requirements-dev.txt',
        command: '.venv/bin/python -m pip install -r requirements-dev.txt',
        with: '.venv',
      },
      { file: 'requirements.txt', command: '.venv/bin/python -m pip install -r requirements.txt', with: '.venv' },
    ],
    [{ file: 'Gemfile.lock', command: 'bundle install' }],
    [{ file: 'composer.lock', command: 'composer install --no-interaction' }],
    [{ file: 'Cargo.lock', command: 'cargo fetch' }],
    [{ file: 'go.sum', command: 'go mod download' }],
  ]

/** Finds the commands that install the dependencies of a repository. `make deps` wins, because somebody wrote it for this. */
export function findSetup({ has, text }: Repository): readonly string[] {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find(has)
  if (makefile !== undefined && /^deps\s*:(?!=)/m.test(text(makefile))) return ['make deps']
  return installers.flatMap((kind) => {
    const found = kind.find((row) => has(row.file) && (row.with === undefined || has(row.with)))
    return found ? [found.command] : []
  })
}
