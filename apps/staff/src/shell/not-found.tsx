import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { t } from '../text.ts'
import css from './not-found.module.css'
import { usePageName } from './use-page-name.ts'

/** An address that leads nowhere; the navigation stays. */
export function NotFound() {
  usePageName(t('not_found.title'))
  return (
    <div className={css.page}>
      <h1 tabIndex={-1}>{t('not_found.title')}</h1>
      <p>{t('not_found.text')}</p>
      <OfficeLink href={hashOf({ view: 'invoices' })}>{t('view.invoices')}</OfficeLink>
    </div>
  )
}
