import { groupInFours } from '@kvitt/domain/references.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { leaveSession } from '../calls.ts'
import { useInstance } from '../instance.ts'
import { isIdentified, readStanding, type DebtKey, type InvoiceKey } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import css from '../shell/message-page.module.css'
import { t } from '../text.ts'
import { dashboardHash, debtHash } from '../views.ts'

/** A reference within a sentence: its groups do not part at the end of a line. */
const inOnePiece = ({ reference }: InvoiceKey): string => groupInFours(reference).replaceAll(' ', '\u00a0')

/** A link may not silently put another invoice in place of the one somebody is looking at (threat csrf.sessionswap). */
export default function SwitchInvoicePage({ next }: { next: DebtKey }) {
  // Nothing when somebody is signed in who has not opened anything yet.
  const current = readStanding()
  // Whoever is here leaves before anybody else comes in; then the same address is asked for by nobody.
  const switchOver = () => {
    void leaveSession()
    goTo(location.hash, { replace: true })
  }
  const instance = useInstance()
  const isClaim = next.claimNumber !== undefined
  const title = t(isClaim ? 'switch.title_claim' : 'switch.title')
  usePageTitle(title, instance?.name)
  return (
    <>
      <Bar signedIn />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{title}</h1>
        <p className={css.lead}>
          {isIdentified() || !current
            ? t('switch.not_yours', { next: inOnePiece(next) })
            : t('switch.explanation', {
                current: inOnePiece(current),
                next: inOnePiece(next),
              })}
        </p>
        <div className={css.actions}>
          <Button wide onClick={switchOver}>
            {t(isClaim ? 'switch.open_claim' : 'switch.open_other')}
          </Button>
          <Button
            wide
            look="secondary"
            onClick={() => goTo(current ? debtHash(current) : dashboardHash(), { replace: true })}
          >
            {t('switch.stay')}
          </Button>
        </div>
      </main>
      <Footer />
    </>
  )
}
