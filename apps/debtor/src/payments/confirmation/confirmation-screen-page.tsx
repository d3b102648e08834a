import { latePage } from '../../late-page.tsx'
import type { InvoiceKey } from '../../session.ts'
import { LoadFailedPage } from '../../shell/load-failed-page.tsx'
import { OpeningPage } from '../../shell/opening-page.tsx'
import { InvoiceDoor } from '../../sign-in/invoice-door.tsx'
import { withMoreWords } from '../../words.ts'
import ConfirmationPage from './confirmation-page.tsx'
import { confirmsPlan } from './confirms-plan.ts'

const PlanStartedPage = latePage(() => withMoreWords(import('../../part-payments/plan-started-page.tsx')), {
  waiting: <OpeningPage />,
  failed: LoadFailedPage,
})

/** What became of a payment or a plan, behind the door of its invoice. */
export default function ConfirmationScreen({ address }: { address: InvoiceKey }) {
  return (
    <InvoiceDoor address={address} autologin>
      {(key, { isPartPayment }) =>
        confirmsPlan(isPartPayment) ? <PlanStartedPage debtKey={key} /> : <ConfirmationPage debtKey={key} />
      }
    </InvoiceDoor>
  )
}
