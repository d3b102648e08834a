import { groupInFours } from '@kvitt/domain/references.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { isIdentified, type InvoiceKey } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import css from '../shell/message-page.module.css'
import { t } from '../text.ts'
import { dashboardHash, invoiceHash } from '../views.ts'

/** A reference within a sentence: its groups do not part at the end of a line. */
const inOnePiece = ({ reference }: InvoiceKey): string => groupInFours(reference).replaceAll(' ', '\u00a0')

/** A link may not silently put another invoice in place of the one somebody is looking at. */
export default function SwitchInvoicePage(props: {
  /** Undefined when somebody is signed in who has not opened an invoice yet. */
  current: InvoiceKey | undefined
  next: InvoiceKey
  onSwitch: () => void
}) {
  const { current, next, onSwitch } = props
  const instance = useInstance()
  usePageTitle(t('switch.title'), instance?.name)
  return (
    <>
      <Bar signedIn />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{t('switch.title')}</h1>
        <p className={css.lead}>
          {isIdentified() || !current
            ? t('switch.not_yours', { next: inOnePiece(next) })
            : t('switch.explanation', {
                current: inOnePiece(current),
                next: inOnePiece(next),
              })}
        </p>
        <div className={css.actions}>
          <Button wide onClick={onSwitch}>
            {t('switch.open_other')}
          </Button>
          <Button
            wide
            look="secondary"
            onClick={() => goTo(current ? invoiceHash(current) : dashboardHash(), { replace: true })}
          >
            {t('switch.stay')}
          </Button>
        </div>
      </main>
      <Footer />
    </>
  )
}
