import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'two releases',
    include: ['e2e/releases/two-releases.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
