import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those have a command of their own: npm run agents.
    exclude: [...configDefaults.exclude, '**/*.agents.test.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    setupFiles: ['./test/support/every-file.ts'],
    // A process of its own for every file would cost a third of the time. Tests put back what they change.
    isolate: false,
    globalSetup: ['./test/build-once.ts', './test/system-tools.ts', './test/database-once.ts'],
    // Times are shown in local time.
    env: { TZ: 'UTC' },
    // Most of the time is spent waiting for processes: as many workers as cores would leave a small machine half idle.
    maxWorkers: 4,
    // Long enough for a busy machine: a test that hangs is reported late, and none fails for being slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
