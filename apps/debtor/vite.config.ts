import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from '../../packages/ui/vite/compress.ts'
import { languageChunks } from '../../packages/ui/vite/language-chunks.ts'
import { startPage } from '../../packages/ui/vite/start-page.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** What the first screen does without, and each language: chunks of their own. */
const LATER =
  /debtor\/src\/(?:extras|invoices|part-payments|claims|sign-in\/(?:eid-|switch-|browser-banner)|payments|documents|help|shell\/(?:creditor-plate|device|not-found|due-tag|event-names|open-from|save-file|accessibility-page|all-invoices|debt|method-name))|components\/(?:amount|button-link|fact-list|copy-value|dialog|pager|qr-code|tag)\.|form\/text-area|domain\/src\/(?:form|people|payments)|node_modules\/(?:uqr|@sentry|web-vitals)|date-text|^\0(?:language|words):/

export default defineConfig({
  root: here,
  plugins: [
    react(),
    languageChunks({
      folders: [`${here}../../packages/ui/src/language`, `${here}src/language`],
      sources: [`${here}../../packages/ui/src`, `${here}src`],
      isLater: (file) => LATER.test(file),
    }),
    startPage({
      head: 'src/start/head.ts',
      prerender: 'src/start/prerender-page.tsx',
      views: {
        invoice: 'src/invoices/invoice-page.tsx',
        confirmation: 'src/payments/confirmation-page.tsx',
        'collection-batch': 'src/claims/claim-screen-page.tsx',
        dashboard: 'src/invoices/dashboard-page.tsx',
        customerService: 'src/help/customer-service-page.tsx',
        accessibility: 'src/shell/accessibility-page.tsx',
      },
    }),
    compressAssets(),
  ],
  build: {
    outDir: 'dist',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file for what every page needs, one for what several share: fewer requests before the screen.
        codeSplitting: {
          groups: [
            { name: 'base', test: (id: string) => !LATER.test(id) },
            { name: 'parts', test: (id: string) => !/^\0|@sentry|web-vitals/.test(id), minShareCount: 2 },
          ],
        },
      },
    },
  },
})
