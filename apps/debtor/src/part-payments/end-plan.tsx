import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, debtCall, queries, reloadDebt } from '../calls.ts'
import { methodsQuery } from '../debts/part-calls.ts'
import { ActButton } from '../shell/act-button.tsx'
import type { DebtKey } from '../session.ts'
import { t } from '../text.ts'
import css from './plan-card.module.css'

type Ending = 'repay' | 'withdraw'

const ENDINGS = {
  repay: { path: '/part-payment/repay', title: 'plan.repay', done: 'plan.repaid' },
  withdraw: { path: '/part-payment/withdraw', title: 'plan.withdraw_plan', done: 'plan.withdrawn' },
} as const

type EndPlanProps = { debtKey: DebtKey; plan: PlanAnswer }

/** The two ways out of a plan before its time: the debtor's right to change their mind, and to pay early. */
export function EndPlan({ debtKey, plan }: EndPlanProps) {
  const [ending, setEnding] = useState<Ending>()
  const canRepay = plan.status === 'ACTIVE' && plan.notInvoiced > 0
  if (!canRepay && !plan.canWithdraw) return null
  return (
    <div className={css.ways}>
      {plan.canWithdraw && plan.withdrawUntil !== null && (
        <p className={css.text}>{t('plan.withdraw_until_day', { day: formatDay(plan.withdrawUntil) })}</p>
      )}
      <p className={css.actions}>
        {canRepay && (
          <Button look="text" onClick={() => setEnding('repay')}>
            {t('plan.repay')}
          </Button>
        )}
        {plan.canWithdraw && (
          <Button look="text" onClick={() => setEnding('withdraw')}>
            {t('plan.withdraw_plan')}
          </Button>
        )}
      </p>
      {ending && (
        <EndDialog debtKey={debtKey} plan={plan} ending={ending} onClose={() => setEnding(undefined)} />
      )}
    </div>
  )
}

/** What no instalment has billed: the credit, and the start fee as long as the first one has not gone out. */
function leftToBill({ instalments, notInvoiced }: PlanAnswer): number {
  const [first, second] = instalments
  const isBilled = first?.invoiceNumber !== null
  return minorOf(notInvoiced) + (isBilled ? 0 : minorOf(first.fees) - minorOf(second?.fees ?? 0))
}

function consequencesOf(ending: Ending, plan: PlanAnswer): readonly (readonly [IconName, string])[] {
  // Most plans cost fees alone: of interest is spoken where there is some.
  const interest = plan.instalments.some((instalment) => instalment.interest > 0) ? 'yes' : 'no'
  if (ending === 'withdraw') {
    return [
      ['parts', t('plan.withdraw_ends')],
      ['calendar', t('plan.withdraw_due', { interest })],
    ]
  }
  const amount = formatMoney(leftToBill(plan), plan.currency, currentLanguage())
  return [
    ['document', t('plan.repay_bill', { amount, interest })],
    ['tick', t('plan.repay_saves', { interest })],
    ...(plan.instalments.some(({ balance }) => balance) ? [['receipt', t('plan.repay_rest')] as const] : []),
  ]
}

/** Says what follows, and asks. The same call twice ends the plan once. */
function EndDialog(props: EndPlanProps & { ending: Ending; onClose: () => void }) {
  const { debtKey, plan, ending, onClose } = props
  const { path, title, done } = ENDINGS[ending]
  const end = useMutation({
    mutationFn: () => api.ask(debtCall('POST', debtKey, path)),
    onSuccess: () => {
      showToast(t(done))
      onClose()
      // What could be chosen before the plan: it is not offered a second time.
      queries.removeQueries({ queryKey: methodsQuery(debtKey).queryKey })
      void reloadDebt(debtKey)
    },
  })
  return (
    <Dialog
      title={t(title)}
      onClose={onClose}
      actions={
        <>
          <ActButton busy={end.isPending ? t('dispute.busy') : undefined} onClick={() => end.mutate()}>
            {t(title)}
          </ActButton>
          <Button look="text" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {t('nav.back')}
          </Button>
        </>
      }
    >
      <div className={css.asked}>
        {end.error && (
          <MessageBox tone="warn" role="alert">
            <p>{end.error instanceof ApiRefusal ? end.error.message : t('plan.end_no_answer')}</p>
          </MessageBox>
        )}
        <ul className={css.follows}>
          {consequencesOf(ending, plan).map(([icon, text]) => (
            <li key={icon}>
              <Icon name={icon} size={20} />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
