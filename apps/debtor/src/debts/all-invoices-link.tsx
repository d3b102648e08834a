import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t } from '../text.ts'
import { cameFromDashboard, dashboardHash } from '../views.ts'
import css from './all-invoices-link.module.css'

/** The banner above an invoice on wide screens; on narrow ones the menu and the arrow of the bar do its work. */
export function AllInvoicesLink() {
  const goBack = (event: React.MouseEvent) => {
    if (!cameFromDashboard() || event.ctrlKey || event.metaKey || event.shiftKey) return
    // The list as it was left: its page and its place.
    event.preventDefault()
    history.back()
  }
  return (
    <p className={css.banner}>
      <a className={css.link} href={dashboardHash()} onClick={goBack}>
        <Icon name="arrow-left" size={20} />
        {t('nav.show_all_invoices')}
      </a>
    </p>
  )
}
