import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { sitePages } from '../../packages/site/vite/site-pages.ts'
import { compressAssets } from '../../packages/ui/vite/compress.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** By language, what the worker says where nothing is kept and there is no network: it loads no book of texts. */
function offlineTexts(): Record<string, Record<'title' | 'text' | 'none', string>> {
  const read = (language: string) => {
    const file = `${here}../../packages/site/src/language/${language}.json`
    const book = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    const of = (key: string): string => book[key] ?? ''
    return { title: of('offline.title'), text: of('offline.text'), none: of('offline.none') }
  }
  return Object.fromEntries(['sv', 'en', 'nb', 'da', 'fi'].map((language) => [language, read(language)]))
}

export default defineConfig(({ isSsrBuild }) => ({
  root: here,
  // Where the site stands is known at each visit: its files find one another.
  base: './',
  define: { OFFLINE_TEXTS: JSON.stringify(offlineTexts()) },
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
