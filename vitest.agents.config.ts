import { defineConfig } from 'vitest/config'

/** The suite of the real agents: `npm run agents`. They are started one by one, as they take a core each. */
export default defineConfig({
  test: {
    include: ['test/agents/*.agents.test.ts'],
    reporters: ['verbose', './scripts/closing-line.ts'],
    globalSetup: ['./test/build-once.ts', './test/system-tools.ts', './test/agents/install-once.ts'],
    testTimeout: 90_000,
  },
})
