import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import type { Debt } from '../debts/debt.ts'
import { t } from '../text.ts'
import css from './dispute-dialog.module.css'

export type SubjectProps = { debt: Debt; about: InvoiceAnswer | ClaimAnswer; logo: string | null }

/** What a dialog is about: who, which number, how much. */
export function DebtSubject({ debt, about, logo }: SubjectProps) {
  const heading =
    'invoiceNumber' in about
      ? t('invoice.heading', { number: about.invoiceNumber })
      : t('claim.heading', { number: about.collectionBatchNumber })
  return (
    <div className={css.subject}>
      <CreditorPlate name={about.clientName} logo={logo} />
      <div className={css.who}>
        <p className={css.client}>{about.clientName}</p>
        <p className={css.number}>{heading}</p>
      </div>
      <p className={css.amount}>{formatMoney(debt.balanceMinor, debt.currency, currentLanguage())}</p>
    </div>
  )
}

/** What follows once it is sent. */
export function Consequences({ lines }: { lines: readonly (readonly [IconName, string])[] }) {
  return (
    <div className={css.then}>
      <h3>{t('dispute.then')}</h3>
      <ul>
        {lines.map(([icon, text]) => (
          <li key={icon}>
            <Icon name={icon} size={20} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
