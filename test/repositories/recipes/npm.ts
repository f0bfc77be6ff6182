import { commonJs, jest, mocha, nodeModules, typeScript } from '../languages/javascript.ts'
import type { Recipe } from '../recipe.ts'

const needs = ['npm', 'npx'] as const
const install = 'cd repo && npm install'
const npm = { ecosystem: 'npm', needs } as const
const vite = (template: string): readonly string[] => [
  `npx create-vite@9.3.0 repo --template ${template} --no-interactive`,
  install,
]

/** Repositories whose generators are packages on npm. */
export const npmRecipes: readonly Recipe[] = [
  {
    ...npm,
    name: 'vite-react-ts',
    make: vite('react-ts'),
    gates: ['npm run lint', 'npm run build'],
    suite: 'node --test',
    language: nodeModules('helpers', 'tests'),
  },
  {
    ...npm,
    name: 'vite-vue',
    make: vite('vue'),
    gates: ['npm run build'],
    suite: 'node --test',
    language: nodeModules('helpers', 'tests'),
  },
  {
    ...npm,
    name: 'vite-svelte-vitest',
    make: [
      ...vite('svelte-ts'),
      'npm install -D vitest@5.1.0',
      'npm pkg set scripts.test="vitest run --passWithNoTests"',
    ],
    gates: ['npm run check', 'npm run build', 'npm test'],
    suite: 'npm test',
    language: typeScript('src/lib', 'vitest'),
  },
  {
    ...npm,
    name: 'next',
    make: [
      `npx create-next-app@16.4.3 repo --ts --eslint --app --no-tailwind --no-src-dir --import-alias '@/*' --use-npm --disable-git --empty --yes`,
    ],
    gates: ['npm run lint', 'npm run build'],
    suite: 'node --test',
    language: nodeModules('helpers', 'tests'),
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  },
  {
    ...npm,
    name: 'sveltekit',
    make: ['npx sv@0.17.1 create repo --template minimal --types ts --no-add-ons --no-install', install],
    gates: ['npm run check', 'npm run build'],
    suite: 'node --test',
    language: nodeModules('helpers', 'tests'),
  },
  {
    ...npm,
    name: 'fastify',
    make: ['npx fastify-cli@8.0.2 generate repo', install],
    gates: ['npm test'],
    suite: 'npm test',
    language: commonJs('lib', 'test/lib'),
  },
  {
    ...npm,
    name: 'express',
    make: ['npx express-generator@4.16.1 --no-view --git repo', install],
    gates: [],
    suite: 'node --test',
    language: commonJs('lib', 'test'),
  },
  {
    ...npm,
    name: 'nest',
    make: ['npx @nestjs/cli@12.0.8 new repo --skip-install --package-manager npm', install],
    gates: ['npm run lint', 'npm run build', 'npm test'],
    suite: 'npm test',
    language: typeScript('src', 'vitest', 'spec'),
  },
  {
    ...npm,
    name: 'nx',
    make: [
      'npx create-nx-workspace@23.2.1 repo --preset=ts --nxCloud=skip --skipGit --packageManager=npm --interactive=false',
    ],
    gates: [],
    suite: 'node --test',
    language: nodeModules('packages', 'tests'),
    env: { NX_DAEMON: 'false' },
  },
  {
    ...npm,
    name: 'oclif',
    make: ['npx oclif@6.0.0 generate repo --yes'],
    gates: ['npm run lint', 'npm run build', 'npm test'],
    // Not `npm test`: it lints as well, and the linter refuses file names with a story's id.
    suite: 'npx mocha --forbid-only "test/**/*.test.ts"',
    language: mocha,
  },
  {
    ...npm,
    name: 'vue',
    make: ['npx create-vue@3.24.0 repo --ts --vitest --bare', install],
    gates: ['npm run type-check', 'npm run build', 'npm run test:unit'],
    suite: 'npm run test:unit',
    language: typeScript('src', 'vitest', 'spec'),
  },
  {
    ...npm,
    name: 'angular',
    make: ['npx @angular/cli@22.2.6 new repo --skip-git --skip-install --defaults', install],
    gates: ['npm run build', 'npm test'],
    suite: 'npm test -- --watch=false',
    language: typeScript('src/app', undefined, 'spec'),
    env: { NG_CLI_ANALYTICS: 'false' },
  },
  {
    ...npm,
    name: 'docusaurus',
    make: ['npx create-docusaurus@3.10.2 repo classic --typescript --skip-install', install],
    gates: ['npm run typecheck', 'npm run build'],
    suite: 'node --test tests',
    language: nodeModules('helpers', 'tests'),
  },
  {
    ...npm,
    name: 'npm-init-jest',
    make: [
      'mkdir repo && cd repo && npm init --yes && npm install -D jest@30.5.2 && npm pkg set scripts.test=jest',
      'echo node_modules > .gitignore && printf "test(\'adds\', () => expect(1 + 1).toBe(2))\\n" > sum.test.js',
    ],
    gates: ['npm test'],
    suite: 'npm test',
    language: jest,
  },
  {
    ...npm,
    name: 'pnpm-workspace',
    make: [
      'mkdir -p repo/packages/words && cd repo && npm init --yes && npm pkg set packageManager=pnpm@12.18.0 scripts.test="pnpm -r test"',
      'printf "packages:\\n  - packages/*\\n" > pnpm-workspace.yaml && echo node_modules > .gitignore',
      'cd packages/words && npm init --yes && npm pkg set scripts.test="node --test"',
      'cd ../.. && npm install --prefix ../tools pnpm@12.18.0 && ../tools/node_modules/.bin/pnpm install',
    ],
    gates: ['pnpm test'],
    suite: 'pnpm test',
    language: nodeModules('packages/words/lib', 'packages/words/test'),
  },
]
