import { readPlace } from '@kvitt/office/place.ts'
import { readProvider } from '@kvitt/office/provider.ts'
import { report } from '@kvitt/office/messages/messages.ts'
import type { GateState } from '@kvitt/office/session/gate.tsx'
import { finishSignIn, type Arrived } from '@kvitt/office/session/sign-in.ts'
import type { Arrival } from '@kvitt/office/session/take-arrival.ts'
import { isSignedIn } from '@kvitt/office/session/tokens.ts'
import { chooseWords } from '@kvitt/ui/language/late-words.ts'
import { preferredLanguage, rememberLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { speak } from '@kvitt/ui/language/speak.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { queries } from './calls.ts'
import { LANDING, SIGN_IN } from './shell/portal.ts'
import { t } from './text.ts'

const MESSAGES = {
  sv: () => import('virtual:language/sv'),
  en: () => import('virtual:language/en'),
  nb: () => import('virtual:language/nb'),
  da: () => import('virtual:language/da'),
  fi: () => import('virtual:language/fi'),
}

/** The language of the address is kept from then on. */
function settleLanguage(): Language {
  const { language } = readPlace(location.hash)
  if (language) rememberLanguage(language)
  return language ?? preferredLanguage(document.documentElement.lang)
}

/** Takes what a sign-in has brought; the address then says where one is, and nothing else. */
async function arrive(): Promise<Arrived> {
  const { kvittArrival: arrival = {} } = globalThis as { kvittArrival?: Arrival }
  const arrived = await finishSignIn(SIGN_IN, arrival).catch((): Arrived => 'failed')
  if (typeof arrived === 'object') {
    history.replaceState(null, '', location.pathname + (arrived.wanted || LANDING))
  }
  return arrived
}

function gateFor(arrived: Arrived): GateState | 'open' {
  const { view } = readPlace(location.hash)
  if (view === 'logout') return 'signed-out'
  const isAsked = new URLSearchParams(location.search).has('interaction')
  if (isAsked) return 'login'
  if (arrived === 'failed') return 'failed'
  return isSignedIn() && view !== 'login' ? 'open' : 'asking'
}

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  const language = settleLanguage()
  chooseWords(language)
  const [messages, arrived] = await Promise.all([MESSAGES[language](), arrive()])
  speak(language, messages.default)
  const gate = gateFor(arrived)
  const asked = new URLSearchParams(location.hash.split('?')[1]).get('lng')
  if (asked && readPlace(location.hash).language === undefined) {
    report('bad', t('office.language_not_supported', { x: asked.slice(0, 10) }))
  }
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App provider={readProvider()} gate={gate} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
