import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { startPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useState } from 'react'
import { api } from '../calls.ts'
import { t } from '../text.ts'

type Ticket = AnswerOf<typeof startPeek>

const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(currentLanguage(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

/** Asks why somebody wants to see the debtor's portal, and hands out the link that opens it once. */
export function ViewAsDebtor({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const [ticket, setTicket] = useState<Ticket>()
  return (
    <>
      <OfficeButton onClick={() => setOpen(true)}>{t('peek.button')}</OfficeButton>
      {isOpen && (
        <ActDialog
          form={{
            title: t('peek.title', { name }),
            consequence: t('peek.text'),
            fields: [
              {
                name: 'reason',
                type: 'text',
                label: t('audit.reason'),
                hint: t('peek.reason_hint'),
                mandatory: true,
              },
            ],
            commit: t('peek.commit'),
            done: '',
            isSilent: true,
          }}
          onCommit={async ({ reason = '' }) => {
            const call = staffCall('POST', '/admin/debtors/:id/view', { id })
            setTicket(await api.ask(call, { body: { reason } }))
          }}
          onDone={() => setOpen(false)}
          onClose={() => setOpen(false)}
        />
      )}
      {ticket && <OpenLink ticket={ticket} name={name} onClose={() => setTicket(undefined)} />}
    </>
  )
}

type OpenProps = { ticket: Ticket; name: string; onClose: () => void }

/** A link, because a tab that opens by itself after an answer is blocked; without an opener, so that nothing of this tab goes along. */
function OpenLink({ ticket: { address, openUntil, endsAt }, name, onClose }: OpenProps) {
  return (
    <Dialog
      title={t('peek.title', { name })}
      onClose={onClose}
      actions={
        <>
          <OfficeLink
            look="primary"
            size="large"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onClose}
          >
            {t('peek.open')}
          </OfficeLink>
          <OfficeButton size="large" onClick={onClose}>
            {t('peek.close')}
          </OfficeButton>
        </>
      }
    >
      <p>{t('peek.ready', { time: timeOf(openUntil), end: timeOf(endsAt) })}</p>
    </Dialog>
  )
}
