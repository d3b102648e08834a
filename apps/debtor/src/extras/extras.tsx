/** What a provider may have besides the portal: fetched when everything else is there, begun as the visitor agrees. */
import { createRoot } from 'react-dom/client'
import type { PageInstance } from '../instance.ts'
import { listChoices } from '../shell/consent.ts'
import { t } from '../text.ts'
import { showChat } from './chat.ts'
import { ConsentBanner } from './consent-banner.tsx'
import { countPageViews } from './page-views.ts'
import { readConsent, type Consent } from './kept-consent.ts'
import { isTestHost } from './test-host.ts'

const SAMPLING = 0.1

async function watchErrors(dsn: string): Promise<void> {
  const { reportErrors } = await import('./error-reports.ts')
  await reportErrors(dsn, SAMPLING)
}

async function beginAgreed(instance: PageInstance, watching: Promise<void> | undefined): Promise<void> {
  if (instance.clientAnalyticsCode) countPageViews(instance.clientAnalyticsCode)
  showChat(instance, t('consent.chat_title'))
  if (!watching || Math.random() >= SAMPLING) return
  await watching
  const { recordSession } = await import('./record-session.ts')
  recordSession()
}

/** Begins what needs no consent, and what has it; asks for it where that is missing. */
export function startExtras(instance: PageInstance): void {
  const { errorReporting } = instance
  const watching =
    errorReporting && !isTestHost(location.hostname) ? watchErrors(errorReporting.dsn) : undefined
  const choices = listChoices(instance)
  if (choices.length === 0) return
  let said = readConsent(choices)
  if (said === 'given') void beginAgreed(instance, watching)
  const onSaid = (now: Consent) => {
    // What runs already cannot be called back from the page, so the page begins anew without it.
    if (said === 'given' && now === 'refused') location.reload()
    else if (said !== 'given' && now === 'given') void beginAgreed(instance, watching)
    said = now
  }
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<ConsentBanner provider={instance.name} choices={choices} onSaid={onSaid} />)
}
