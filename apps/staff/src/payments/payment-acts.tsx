import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { report } from '@kvitt/office/messages/messages.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { AskGateway } from './ask-gateway.tsx'
import { actOnPayment, foresee, type Foreseen, type MovedTo, type Payment } from './payment-calls.ts'
import css from './payment-page.module.css'

const LONGEST = 500
const UNDER_WAY: readonly string[] = ['CREATED', 'IN_PROGRESS', 'AUTHORIZED']

/** What an operator's people do with money that stands on the wrong debt, or did not come: first what changes, then the deed. */
export function PaymentActs({ payment }: { payment: Payment }) {
  const { id, way, status } = payment
  const may = useRight('bank_files')
  const [isAsking, setAsking] = useState(false)
  const [foreseen, setForeseen] = useState<Foreseen>()
  const look = useMutation({
    mutationFn: () => foresee(id),
    meta: { isSilent: true },
    onSuccess: (seen) => setForeseen(seen),
  })
  if (UNDER_WAY.includes(status))
    return (
      <div className={css.acts}>
        <AskGateway
          id={id}
          onAnswer={(answer) => {
            // Once it is booked it stands in the list as what the books have of it.
            if (!UNDER_WAY.includes(answer.status)) goTo(hashOf({ view: 'payments' }))
          }}
        />
      </div>
    )
  if (!may || status !== 'COMPLETED' || way === 'DIRECT') return null
  return (
    <div className={css.acts}>
      <OfficeButton onClick={() => setAsking(true)}>{t('payment.move')}</OfficeButton>
      {way === 'GATEWAY' && (
        <OfficeButton onClick={() => look.mutate()} isBusy={look.isPending}>
          {t('payment.back')}
        </OfficeButton>
      )}
      {isAsking && (
        <ActDialog
          form={whereForm(payment)}
          onCommit={async ({ where = '', to: number = '' }) => {
            const named = { invoice: { invoice: number }, claim: { collectionBatch: number } }
            const to: MovedTo = where === 'suspense' ? { suspense: true } : named[where as 'invoice']
            setForeseen(await foresee(id, to))
          }}
          onClose={() => setAsking(false)}
          onDone={() => setAsking(false)}
        />
      )}
      {foreseen && <Deed payment={payment} foreseen={foreseen} onClose={() => setForeseen(undefined)} />}
    </div>
  )
}

const sumOf = (amount: number, currency: string): string =>
  formatMoney(minorOf(amount), currency, currentLanguage())

function whereForm({ way }: Payment): ActForm {
  const places = ['invoice', 'claim', ...(way === 'BANK' ? (['suspense'] as const) : [])] as const
  const fields: ActField[] = [
    {
      name: 'where',
      type: 'text',
      look: 'choice',
      label: t('payment.move.where'),
      initial: 'invoice',
      choices: places.map((value) => ({ value, text: t(`payment.move.${value}`) })),
    },
    // As the server names what is wrong with it.
    {
      name: 'to',
      type: 'text',
      label: t('payment.move.number'),
      ...(way === 'BANK' ? { hint: t('payment.move.number_hint') } : {}),
    },
  ]
  return {
    title: t('payment.move.title'),
    consequence: t('payment.move.ask'),
    fields,
    commit: t('payment.move.look'),
    done: '',
    isSilent: true,
  }
}

type DeedProps = { payment: Payment; foreseen: Foreseen; onClose: () => void }

/** Says what it changes, asks why, and does it. */
function Deed({ payment: { id, debtor }, foreseen, onClose }: DeedProps) {
  const { to, amount, currency, needsAnother } = foreseen
  const kind = to ? 'move' : 'back'
  const sum = sumOf(amount, currency)
  const form: ActForm = {
    title: t(`payment.${kind}.title`),
    consequence: t(`payment.${kind}.text`, { amount: sum, name: debtor.name }),
    more: <Changes foreseen={foreseen} />,
    commit: needsAnother ? t('proposal.propose') : t(`payment.${kind}.commit`, { amount: sum }),
    done: '',
    isSilent: true,
    fields: [
      {
        name: 'reason',
        type: 'text',
        look: 'area',
        label: t('act.reason'),
        mandatory: true,
        check: (value) =>
          value.length > LONGEST ? t('field.tooLongValidError', { max: LONGEST }) : undefined,
      },
    ],
  }
  return (
    <ActDialog
      form={form}
      remedyFor={remedyFor}
      onCommit={async ({ reason = '' }, key) => {
        const answer = await actOnPayment(id, foreseen, reason.trim(), key)
        report('ok', 'proposedAt' in answer ? t('proposal.proposed') : t(`payment.${kind}.done`))
      }}
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadAll()
      }}
    />
  )
}

function Changes({ foreseen: { debts, currency, owedBack, needsAnother, to } }: { foreseen: Foreseen }) {
  return (
    <section className={css.changes}>
      <h3>{t('payment.changes')}</h3>
      <Facts
        rows={[
          ...debts.map(({ id, type, number, owed, owedThen }) => ({
            id,
            name: t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number }),
            value: t('payment.change', { from: sumOf(owed, currency), to: sumOf(owedThen, currency) }),
          })),
          { id: 'suspense', name: t('view.suspense'), value: to?.suspense && t('payment.waits') },
          {
            id: 'back',
            name: t('payment.owed_back'),
            value: minorOf(owedBack) > 0 && sumOf(owedBack, currency),
          },
        ]}
      />
      {needsAnother && <p>{t('payment.another')}</p>}
    </section>
  )
}
