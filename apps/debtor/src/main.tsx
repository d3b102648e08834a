import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { isLanguage, preferredLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { speak } from '@kvitt/ui/language/speak.ts'
import { readHash, writeHash } from '@kvitt/ui/routes.ts'
import { showToast } from '@kvitt/ui/components/toast.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loginProvidersQuery, queries } from './calls.ts'
import { InstanceContext, loadInstance } from './instance.ts'
import { isView } from './views.ts'
import { t } from './text.ts'

const MESSAGES = {
  sv: () => import('virtual:language/sv'),
  en: () => import('virtual:language/en'),
  nb: () => import('virtual:language/nb'),
  da: () => import('virtual:language/da'),
  fi: () => import('virtual:language/fi'),
}

/**
 * The language of the address, and the address with it written in. A first segment that is no language of
 * ours is reported, and Swedish takes its place; an address without a language gets the preferred one.
 */
function settleLanguage(): { language: Language; refused: string | undefined } {
  const { language, segments, query } = readHash(location.hash)
  if (isLanguage(language)) return { language, refused: undefined }
  const missing = language === undefined || isView(language)
  const settled = missing ? preferredLanguage(document.documentElement.lang) : 'sv'
  const views = language !== undefined && missing ? [language, ...segments] : segments
  history.replaceState(history.state, '', writeHash(settled, views, Object.fromEntries(query)))
  return { language: settled, refused: missing ? undefined : language }
}

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

const { language, refused } = settleLanguage()
const [messages, instance] = await Promise.all([MESSAGES[language](), loadInstance(language)])
speak(language, messages.default)
if (instance?.loginProviders) queries.setQueryData(loginProvidersQuery.queryKey, instance.loginProviders)
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <InstanceContext value={instance}>
          <App />
        </InstanceContext>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
if (refused !== undefined) showToast(t('error.language_not_supported', { x: refused.slice(0, 10) }), true)
