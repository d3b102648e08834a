import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { readStanding } from '../session.ts'
import { t } from '../text.ts'
import { debtHash, homeHash } from '../views.ts'
import { AnswerLink } from './answer-link.tsx'
import { Bar } from './bar.tsx'
import { Footer } from './footer.tsx'
import css from './message-page.module.css'

export default function NotFoundPage() {
  const instance = useInstance()
  const session = readStanding()
  usePageTitle(t('error.not_found'), instance?.name)
  return (
    <>
      <Bar signedIn={session !== undefined} />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{t('error.not_found')}</h1>
        <p className={css.lead}>{t('error.not_found_why')}</p>
        <p className={css.actions}>
          {session && (
            <a className={css.link} href={debtHash(session)}>
              {t(session.claimNumber === undefined ? 'payment.return_to_invoice' : 'claim.return')}
            </a>
          )}
          <a className={css.link} href={homeHash()}>
            {t('error.to_start')}
          </a>
          <AnswerLink article="lost-letter" text="support.lost_letter" />
        </p>
      </main>
      <Footer />
    </>
  )
}
