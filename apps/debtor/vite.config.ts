import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHints } from '../../packages/ui/vite/compile-hints.ts'
import { compressAssets } from '../../packages/ui/vite/compress.ts'
import { languageChunks } from '../../packages/ui/vite/language-chunks.ts'
import { reachOf } from '../../packages/ui/vite/reach.ts'
import { startPage } from '../../packages/ui/vite/start-page.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const packages = fileURLToPath(new URL('../../packages', import.meta.url))
const sourceOf = (name: string): string => `${here}src/${name}`

/** The page of each view that is not the start page, by the view's segment in the address. */
const VIEWS = {
  invoice: 'invoices/invoice-screen-page.tsx',
  confirmation: 'payments/confirmation/confirmation-screen-page.tsx',
  'collection-batch': 'claims/claim-screen-page.tsx',
  dashboard: 'invoices/dashboard-page.tsx',
  customerService: 'help/customer-service-page.tsx',
  accessibility: 'shell/accessibility-page.tsx',
}

const FIRST = ['main.tsx'].map(sourceOf)
const PAGES = [
  ...Object.values(VIEWS),
  'shell/not-found-page.tsx',
  'shell/error-page.tsx',
  'peek/peek-banner.tsx',
].map(sourceOf)

/** The page itself and its style, which bring the program. */
const PAGE = /debtor\/(?:index\.html|src\/start\.css)$|^\0vite\//

/** Two thirds of the first load: a file of its own, fetched beside the rest and run before it, in another task. */
const REACT = /node_modules\/(?:react|react-dom|scheduler)\/|debtor\/src\/start\/react\.ts$/

/** What is there before a page, and before the page of an invoice or claim. */
const BESIDE_PAGE = /\/(?:index|react)-/
const BESIDE_SCREEN = /\/(?:index|react|parts|debt)-/

/** Comes late, and may be needed on any page. */
const NEW_VERSION = `${packages}/ui/src/feedback/new-version.ts`

const first = reachOf(FIRST, packages)
const list = reachOf([sourceOf(VIEWS.dashboard)], packages)
// The card of an invoice that is settled comes late, but what it shares with the confirmation belongs to both.
const invoice = reachOf([VIEWS.invoice, 'invoices/settled-card.tsx'].map(sourceOf), packages)

export default defineConfig(({ command }) => ({
  root: here,
  // Nobody looks at the built portal with React's tools.
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  plugins: [
    react(),
    languageChunks({
      folders: [`${packages}/ui/src/language`, `${here}src/language`],
      sources: [`${packages}/ui/src`, `${here}src`],
      packages,
      parts: [
        { name: 'language', files: [...FIRST, `${here}src/afterwards.ts`, NEW_VERSION], waits: /(?:)/ },
        { name: 'words', files: PAGES, waits: /withWords\($|^$/ },
        { name: 'more', files: [], waits: /withMoreWords\($/ },
      ],
    }),
    startPage({
      head: 'src/start/head.ts',
      prerender: 'src/start/prerender-page.tsx',
      views: Object.fromEntries(Object.entries(VIEWS).map(([view, file]) => [view, `src/${file}`])),
    }),
    compileHints(/\/(?:index|react|parts|debt|invoice-screen-page)-/),
    compressAssets(),
  ],
  build: {
    outDir: 'dist',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    assetsInlineLimit: 0,
    // What came first is there when anything else is asked for.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostId }) =>
        needed.filter((name) => !(/screen-page-/.test(hostId) ? BESIDE_SCREEN : BESIDE_PAGE).test(name)),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: `${here}index.html`, react: sourceOf('start/react.ts') },
      output: {
        // What every page needs, what the list shares with other pages, what an invoice shares with them: few
        // requests before the screen, and little that is not for it.
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT },
            { name: 'base', test: (id: string) => first.has(id) || PAGE.test(id) },
            { name: 'parts', test: (id: string) => list.has(id), minShareCount: 2 },
            { name: 'debt', test: (id: string) => invoice.has(id), minShareCount: 2 },
          ],
        },
      },
    },
  },
}))
