import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { OrderBySeed } from './tools/gate/order-by-seed.ts'

const serverSetup = 'apps/server/src/testing/global-setup.ts'

export default defineConfig({
  test: {
    // One more than cores: a test of the server waits for its database by turns.
    maxWorkers: 3,
    // A worker keeps what it has imported. Read anew for each file it took 494 s of a whole run, of 2815 s in tests.
    isolate: false,
    sequence: { sequencer: OrderBySeed },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            'apps/{sandbox,debtor,staff,home,support}/**/*.test.{ts,tsx}',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
          // The house rules read every file, which takes long beside other work.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          setupFiles: ['apps/server/src/testing/each-file.ts'],
          globalSetup: existsSync(serverSetup) ? [serverSetup] : [],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: ['e2e/testing/global-setup.ts'],
          exclude: ['**/node_modules/**'],
          // After all others. The files of a worker share a browser and most of them a product, and wait for them half of the time. With four
          // workers journeys fail that wait for the clock.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
