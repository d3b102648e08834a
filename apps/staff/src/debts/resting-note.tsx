import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { isAdmin } from '../shell/portal.ts'
import { t } from '../text.ts'

/** The debtor's debts rest: to a creditor no more than that, to the operator's people where the reason stands. */
export function RestingNote({ debtorId }: { debtorId?: string }) {
  return (
    <MessageBox tone="info" role="status">
      <p>{t(isAdmin ? 'flag.resting_admin' : 'flag.resting')}</p>
      {isAdmin && debtorId && <a href={hashOf({ view: 'debtors', id: debtorId })}>{t('flag.open_debtor')}</a>}
    </MessageBox>
  )
}
