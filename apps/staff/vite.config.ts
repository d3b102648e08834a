import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from '../../packages/ui/vite/compress.ts'
import { headScript } from '../../packages/ui/vite/head-script.ts'
import { languageChunks } from '../../packages/ui/vite/language-chunks.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const packages = fileURLToPath(new URL('../../packages', import.meta.url))

const FIRST = ['main.tsx', 'tasks/to-do-page.tsx'].map((name) => `${here}src/${name}`)

/** Comes late, and may be needed on any page. */
const NEW_VERSION = `${packages}/ui/src/feedback/new-version.ts`

export default defineConfig(({ command }) => ({
  root: here,
  // Where the portal stands is known at each visit: its files find one another.
  base: './',
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  plugins: [
    react(),
    languageChunks({
      folders: [`${packages}/ui/src/language`, `${packages}/office/src/language`, `${here}src/language`],
      sources: [`${packages}/ui/src`, `${packages}/office/src`, `${here}src`],
      packages,
      // Whoever opens the portal waits for the to-do list alone.
      parts: [
        { name: 'language', files: [...FIRST, NEW_VERSION], waits: /(?:)/ },
        { name: 'words', files: [], waits: /withWords\($/ },
      ],
    }),
    headScript(`${packages}/office/src/session/arrival.ts`),
    compressAssets(),
  ],
  build: {
    outDir: 'dist',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
}))
