import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { seeProtected } from '@kvitt/domain/people/debtor-flag.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { useState } from 'react'
import { api } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { setFlag } from './flag-calls.ts'
import css from './flags.module.css'

type Reached = AnswerOf<typeof seeProtected>['reached']
type Person = { id: string; name: string; isProtected: boolean }

/** Hides how a person is reached; or, of one whose identity is protected, shows it to whoever may see it. */
export function ProtectIdentity({ debtor, fields }: { debtor: Person; fields: readonly ActField[] }) {
  const mayFlag = useRight('flag')
  const maySee = useRight('see_protected')
  if (debtor.isProtected) return maySee && <ShowReached debtor={debtor} />
  return mayFlag && <Protect debtor={debtor} fields={fields} />
}

function Protect({ debtor: { id, name }, fields }: { debtor: Person; fields: readonly ActField[] }) {
  const [isOpen, setOpen] = useState(false)
  const form: ActForm = {
    title: t('protected.title', { name }),
    consequence: t('protected.text'),
    fields: fields.map((field) =>
      field.name === 'source' ? { ...field, hint: t('protected.source_hint') } : field,
    ),
    commit: t('protected.set'),
    done: t('protected.done'),
  }
  return (
    <>
      <OfficeButton onClick={() => setOpen(true)}>{t('protected.set')}</OfficeButton>
      {isOpen && (
        <ActDialog
          form={form}
          remedyFor={remedyFor}
          onCommit={({ from = '', source = '' }, key) =>
            setFlag(id, { kind: 'PROTECTED', from, source }, key)
          }
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            reloadAll()
          }}
        />
      )}
    </>
  )
}

function ShowReached({ debtor: { id, name } }: { debtor: Person }) {
  const [isAsking, setAsking] = useState(false)
  const [reached, setReached] = useState<Reached>()
  return (
    <>
      <OfficeButton onClick={() => setAsking(true)}>{t('protected.show')}</OfficeButton>
      {isAsking && (
        <ActDialog
          form={{
            title: t('protected.show_title', { name }),
            consequence: t('protected.show_text'),
            fields: [{ name: 'reason', type: 'text', label: t('audit.reason'), mandatory: true }],
            commit: t('protected.show'),
            done: '',
            isSilent: true,
          }}
          onCommit={async ({ reason = '' }) => {
            const call = staffCall('POST', '/admin/debtors/:id/protected', { id })
            setReached((await api.ask(call, { body: { reason } })).reached)
          }}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
      {reached && (
        <Dialog
          title={t('protected.show_title', { name })}
          onClose={() => setReached(undefined)}
          actions={
            <OfficeButton look="primary" size="large" onClick={() => setReached(undefined)}>
              {t('peek.close')}
            </OfficeButton>
          }
        >
          <ul className={css.list}>
            {reached.map((one) => (
              <li key={one.creditor ?? one.guardian ?? ''}>
                <h3>{one.creditor ?? one.guardian ?? t('protected.first')}</h3>
                <Facts rows={rowsOf(one)} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

function rowsOf({ address, address2, zip, city, email, phone }: Reached[number]) {
  const place = [address, address2, [zip, city].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [
    { id: 'address', name: t('debtor.address'), value: place },
    { id: 'email', name: t('debtor.email'), value: email },
    { id: 'phone', name: t('debtor.phone'), value: phone },
  ]
}
