import { isLanguage, preferredLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { chooseWords } from '@kvitt/ui/language/late-words.ts'
import { speak } from '@kvitt/ui/language/speak.ts'
import { readHash, writeHash } from '@kvitt/ui/routes.ts'
import type { PageStart } from '@kvitt/ui/start/page-start.ts'
import { carryOver } from '@kvitt/ui/start/carry-over.ts'
import { whenIdle } from '@kvitt/ui/start/idle.ts'
import { useLayoutEffect, type ReactNode } from 'react'
import { App, loadPage } from './app.tsx'
import { loginProvidersQuery, queries } from './calls.ts'
import { loadInstance } from './instance.ts'
import { makePage } from './start/react.ts'
import { isPeeking } from './session.ts'
import { ensureStorage } from './start/storage.ts'
import { Surroundings } from './surroundings.tsx'
import { isView } from './views.ts'

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

/** Makes the page beside the prerendered one, and puts it there at once when it is complete. */
function show(root: HTMLElement, page: ReactNode): void {
  const place = document.createElement('div')
  function Whole() {
    useLayoutEffect(() => carryOver(root, place), [])
    return page
  }
  makePage(place, <Whole />)
}

/** The code is asked for in the head: from the cache it is here before the body has been read. */
async function pageRead(): Promise<void> {
  if (document.readyState !== 'loading') return
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
}

/** Not awaited: the pages' chunks import this one, and would wait for it while it waits for them. */
async function start(): Promise<void> {
  ensureStorage()
  // Before anything else is asked for: a ticket is used once, and does not stay in the address.
  const peek =
    /^#.view/.test(location.hash) || isPeeking() ? await import('./peek/peek-banner.tsx') : undefined
  await peek?.openView()
  await pageRead()
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  const { language, refused } = settleLanguage()
  chooseWords(language)
  const [messages, instance] = await Promise.all([
    MESSAGES[language](),
    loadInstance(language),
    (globalThis as PageStart).kvittStyled,
    loadPage(location.hash),
    peek?.words(),
  ])
  speak(language, messages.default)
  if (instance?.loginProviders) queries.setQueryData(loginProvidersQuery.queryKey, instance.loginProviders)
  show(
    root,
    <Surroundings instance={instance}>
      <App Banner={peek?.default} />
    </Surroundings>,
  )
  // It has come: whatever failed before does not count (head.ts).
  sessionStorage.removeItem('lost')
  whenIdle(
    () =>
      void import('./afterwards.ts').then(
        ({ afterwards }) => afterwards(instance, refused),
        () => {},
      ),
  )
}

start().catch((error: unknown) => {
  ;(globalThis as PageStart).kvittLost?.()
  throw error
})
