import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { isSignedIn } from '../session.ts'
import { t } from '../text.ts'
import { dashboardHash, homeHash, type FailureState } from '../views.ts'
import { AnswerLink } from './answer-link.tsx'
import { Bar } from './bar.tsx'
import css from './message-page.module.css'
import { telHref } from './tel-href.ts'

function BrokenDocument() {
  return (
    <svg className={css.sign} viewBox="0 0 52 58" aria-hidden="true">
      <rect className={css.paper} x="1" y="1" width="39" height="51" rx="7" />
      <path className={css.lines} d="M10 15h20M10 23h12" />
      <circle className={css.badge} cx="36" cy="42" r="14" />
      <path className={css.mark} d="M36 35v8M36 48.5v.1" />
    </svg>
  )
}

/** How soon a browser has left a page that it goes back from. */
const LEFT_MS = 500

/** Where one came from; in a tab that has nothing behind it, the list, or the start page. */
function goBack(): void {
  const timer = setTimeout(
    () => goTo(isSignedIn() ? dashboardHash() : homeHash(), { replace: true }),
    LEFT_MS,
  )
  for (const event of ['popstate', 'pagehide']) {
    addEventListener(event, () => clearTimeout(timer), { once: true })
  }
  history.back()
}

/** The page for our own faults. Works without branding, because the provider may be what failed. */
export default function ErrorPage() {
  const instance = useInstance()
  const traceId = (history.state as Partial<FailureState> | null)?.traceId
  const phone = instance?.contactInformation.phone
  usePageTitle(t('error.short'), instance?.name)
  return (
    <>
      <Bar branded={false} />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <BrokenDocument />
        <h1 tabIndex={-1}>{t('error.short')}</h1>
        <p className={css.lead}>{t('error.title')}.</p>
        <MessageBox tone="ok" heading={t('error.nothing_changed')}>
          <p>{t('error.details_kept')}</p>
        </MessageBox>
        <div className={css.actions}>
          <Button wide onClick={goBack}>
            {t('error.go_back')}
          </Button>
          <a className={css.link} href={homeHash()}>
            {t('error.to_start')}
          </a>
          <AnswerLink article="other-question" />
        </div>
        {(phone || traceId) && (
          <div className={css.help}>
            <p className={css.helpHead}>{t('help.title')}</p>
            {phone && (
              <p>
                {t('error.call_us')} <a href={telHref(phone)}>{phone}</a>
              </p>
            )}
            {traceId && (
              <p>
                {t('error.number')} <strong className={css.number}>{traceId}</strong>
              </p>
            )}
          </div>
        )}
      </main>
    </>
  )
}
