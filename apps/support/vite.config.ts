import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { sitePages } from '../../packages/site/vite/site-pages.ts'
import { compressAssets } from '../../packages/ui/vite/compress.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig(({ isSsrBuild }) => ({
  root: here,
  // Where the site stands is known at each visit: its files find one another.
  base: './',
  plugins: [sitePages('support'), compressAssets()],
  build: {
    outDir: 'dist',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: { main: `${here}src/main.ts`, worker: `${here}src/worker.ts` },
          // The worker keeps its name: its place says which pages it may answer for.
          output: {
            entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
          },
        },
  },
}))
