import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../debts/part-calls.ts'
import { useInstance } from '../instance.ts'
import type { Debt } from '../debts/debt.ts'
import { telHref } from '../shell/tel-href.ts'
import { t } from '../text.ts'
import css from './no-methods.module.css'
import TransferMethod from './transfer-method.tsx'

/** Nothing can be paid with here: who helps, and the account that a transfer reaches all the same. */
export default function NoMethods({ debt }: { debt: Debt }) {
  const contact = useInstance()?.contactInformation
  const account = useQuery(accountQuery(debt.key))
  return (
    <div className={css.card}>
      <p className={account.data ? undefined : css.none}>{t('payment.none_available')}</p>
      {account.data && (
        <>
          <p className={css.none}>{t('payment.none_transfer')}</p>
          <TransferMethod debt={debt} />
        </>
      )}
      {contact && (
        <>
          <p>{t('payment.none_help')}</p>
          <p className={css.ways}>
            <a href={telHref(contact.phone)}>
              <Icon name="phone" size={20} />
              {contact.phone}
            </a>
            <a href={`mailto:${contact.email}`}>
              <Icon name="mail" size={20} />
              {contact.email}
            </a>
          </p>
        </>
      )}
    </div>
  )
}
