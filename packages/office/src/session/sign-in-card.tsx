import { useEffect, type ReactNode } from 'react'
import { LanguageList } from '../frame/language-list.tsx'
import { Mark } from '../frame/mark.tsx'
import type { OfficeProvider } from '../provider.ts'
import { t } from '../text.ts'
import css from './sign-in-card.module.css'

type CardProps = {
  provider: OfficeProvider
  title: string
  /** The way for debtors, who have nothing to do here. */
  debtorPortal: string
  children: ReactNode
}

/** The one card of everything before a session: no header, no sidebar, no footer. */
export function SignInCard({ provider, title, debtorPortal, children }: CardProps) {
  useEffect(() => {
    document.title = `${title} – ${provider.name}`
  }, [title, provider.name])
  return (
    <main className={css.page}>
      <div className={css.column}>
        <section className={css.card}>
          <div className={css.owner}>
            <Mark logo={provider.logo} />
            <div>
              <p className={css.name}>{provider.name}</p>
              <p className={css.for}>{t('sign_in.for_staff')}</p>
            </div>
          </div>
          <h1 className={css.title} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </section>
        <div className={css.ways}>
          <p>
            {t('sign_in.got_a_letter')}
            <a href={debtorPortal}>{t('sign_in.pay_or_ask')}</a>
          </p>
          {provider.phone && (
            <p>
              {t('sign_in.trouble')}
              <a href={`tel:${provider.phone.replaceAll(/[^\d+]/g, '')}`}>{provider.phone}</a>
            </p>
          )}
        </div>
        <nav className={css.languages} aria-label={t('nav.select_language')}>
          <LanguageList />
        </nav>
      </div>
    </main>
  )
}
