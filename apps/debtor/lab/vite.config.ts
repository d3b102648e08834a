/** `npm run lab`: the parts that portals are made of, each in every state. Nothing of it is in a build. */
import { createReadStream } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { languageChunks } from '../../../packages/ui/vite/language-chunks.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const source = fileURLToPath(new URL('../src', import.meta.url))
const packages = fileURLToPath(new URL('../../../packages', import.meta.url))
const pictures = fileURLToPath(new URL('../../server/demo/files', import.meta.url))

/** The logos of the demo, under the address that the server keeps them at. */
const logos: Plugin = {
  name: 'logos',
  configureServer(server) {
    server.middlewares.use('/api/storage', (request, response) => {
      response.setHeader('Content-Type', 'image/svg+xml')
      createReadStream(join(pictures, basename(request.url ?? '')))
        .on('error', () => response.writeHead(404).end())
        .pipe(response)
    })
  },
}

/** Every message stands in the last chunk, which the page loads before anything is shown. */
const anything = { files: [], waits: /(?:)/ }

export default defineConfig({
  root: here,
  base: '/_lab/',
  cacheDir: fileURLToPath(new URL('../../../.cache/lab', import.meta.url)),
  plugins: [
    react(),
    logos,
    languageChunks({
      folders: [`${packages}/ui/src/language`, `${source}/language`],
      sources: [`${packages}/ui/src`, source],
      packages,
      parts: ['language', 'words', 'more'].map((name) => ({ name, ...anything })),
    }),
  ],
  // Of its own accord it looks for a free port from 5173 on, and says which.
  server: { fs: { allow: ['../../..'] } },
})
