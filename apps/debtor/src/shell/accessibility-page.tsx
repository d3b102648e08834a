import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { Bar } from './bar.tsx'
import { Footer } from './footer.tsx'
import { telHref } from './tel-href.ts'
import css from './message-page.module.css'

/** How well the portal can be used by everybody, and what to do where it cannot. */
export default function AccessibilityPage() {
  const instance = useInstance()
  const contact = instance?.contactInformation
  usePageTitle(t('accessibility.title'), instance?.name)
  return (
    <>
      <Bar signedIn />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{t('accessibility.title')}</h1>
        <p>{t('accessibility.goal')}</p>
        <p>{t('accessibility.means')}</p>
        <h2>{t('accessibility.trouble')}</h2>
        <p>{t('accessibility.tell')}</p>
        {contact && (
          <p className={css.ways}>
            <a className={css.link} href={telHref(contact.phone)}>
              {contact.phone}
            </a>
            <a className={css.link} href={`mailto:${contact.email}`}>
              {contact.email}
            </a>
          </p>
        )}
      </main>
      <Footer />
    </>
  )
}
