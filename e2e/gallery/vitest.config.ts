import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'gallery',
    include: ['e2e/gallery/gallery.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
