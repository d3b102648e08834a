import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { FactList } from '@kvitt/ui/values/fact-list.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { planQuery } from '../debts/part-calls.ts'
import { useInstance } from '../instance.ts'
import css from '../payments/confirmation/confirmation-page.module.css'
import { CreditorStrip, useSubject } from '../payments/confirmation/confirmed-debt.tsx'
import { OutcomeSign } from '../payments/confirmation/outcome-sign.tsx'
import type { DebtKey } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import { t } from '../text.ts'
import { debtHash } from '../views.ts'

/** A plan has been started: when the first part is due, and that each comes as an invoice of its own. */
export default function PlanStartedPage({ debtKey }: { debtKey: DebtKey }) {
  const instance = useInstance()
  const plan = useQuery(planQuery(debtKey))
  const subject = useSubject(debtKey)
  usePageTitle(t('part.started'), instance?.name)
  const back = debtKey.claimNumber === undefined ? 'payment.return_to_invoice' : 'claim.return'
  return (
    <>
      <Bar signedIn place="invoices" />
      <main tabIndex={-1}>
        {subject && <CreditorStrip debtKey={debtKey} subject={subject} />}
        <div className={`page ${css.page}`}>
          <OutcomeSign outcome="booked" />
          <h1 tabIndex={-1}>{t('part.started')}</h1>
          <p className={css.lead}>
            {t('plan.part_invoices')} {t('plan.first_part_invoice')}
          </p>
          {plan.isPending && <Skeleton height={10} />}
          {plan.data && <PlanFacts plan={plan.data} />}
          <div className={`${css.block} ${css.actions}`}>
            <Button wide onClick={() => goTo(debtHash(debtKey))}>
              {t(back)}
            </Button>
          </div>
        </div>
      </main>
      <Footer />
    </>
  )
}

function PlanFacts({ plan }: { plan: PlanAnswer }) {
  const language = currentLanguage()
  const money = (amount: number) => formatMoney(minorOf(amount), plan.currency, language)
  const [first] = plan.instalments
  const facts = [
    ...(first
      ? [
          { id: 'day', name: t('plan.first_due'), value: formatDay(first.dueDate) },
          { id: 'amount', name: t('plan.first_amount'), value: money(first.amount) },
        ]
      : []),
    { id: 'count', name: t('plan.count'), value: String(plan.instalments.length) },
    { id: 'total', name: t('part.total_to_pay'), value: money(plan.totalToPay) },
    ...(plan.withdrawUntil === null
      ? []
      : [{ id: 'withdraw', name: t('plan.withdraw_until'), value: formatDay(plan.withdrawUntil) }]),
  ]
  return (
    <div className={`${css.block} ${css.facts}`}>
      <FactList facts={facts} />
    </div>
  )
}
