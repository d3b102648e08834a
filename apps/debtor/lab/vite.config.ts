/** `npm run lab`: the parts that portals are made of, each in every state. Nothing of it is in a build. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { languageChunks } from '../../../packages/ui/vite/language-chunks.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const packages = fileURLToPath(new URL('../../../packages', import.meta.url))

export default defineConfig({
  root: here,
  base: '/_lab/',
  cacheDir: fileURLToPath(new URL('../../../.cache/lab', import.meta.url)),
  plugins: [
    react(),
    languageChunks({
      folders: [`${packages}/ui/src/language`],
      sources: [`${packages}/ui/src`],
      packages,
      parts: [{ name: 'language', files: [], waits: /(?:)/ }],
    }),
  ],
  // Of its own accord it looks for a free port from 5173 on, and says which.
  server: { fs: { allow: ['../../..'] } },
})
