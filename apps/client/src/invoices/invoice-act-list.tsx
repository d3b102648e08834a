import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { KeyCap } from '@kvitt/office/parts/key-cap.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useState } from 'react'
import { api } from '../calls.ts'
import { useMe } from '../shell/me.ts'
import { t } from '../text.ts'
import { actsFor, bodyOf, formOf, RULES, type InvoiceAct } from './invoice-acts.ts'
import { reloadInvoices, type Invoice } from './invoice-calls.ts'
import css from './invoice-act-list.module.css'

/** Every act that is open, each with what it means; pressed, it asks for what it needs. */
export function InvoiceActs({ invoice }: { invoice: Invoice }) {
  const { rights } = useMe()
  const [open, setOpen] = useState<InvoiceAct>()
  const acts = actsFor(invoice, rights)
  useKeys(
    Object.fromEntries(
      acts.flatMap((act) => {
        const { key } = RULES[act]
        return key ? [[key, () => setOpen(act)]] : []
      }),
    ),
  )
  if (acts.length === 0) return null
  return (
    <section className={css.acts}>
      <h2>{t('act.title')}</h2>
      <ul className={css.list}>
        {acts.map((act) => {
          const { title } = formOf(act, invoice)
          const { key } = RULES[act]
          return (
            <li key={act}>
              <button type="button" className={css.act} onClick={() => setOpen(act)}>
                <span className={css.cap}>{key && <KeyCap>{key.toUpperCase()}</KeyCap>}</span>
                <span>
                  <span className={css.name}>{title}</span>
                  <span className={css.hint}>{t(`act.${act}.hint`)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {open && (
        <ActDialog
          form={formOf(open, invoice)}
          onCommit={(values, key) => perform(invoice, open, { values, key })}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            const isGone = open === 'remove'
            setOpen(undefined)
            if (isGone) goTo(hashOf({ view: 'invoices' }, { tab: 'drafts' }))
            void reloadInvoices()
          }}
        />
      )}
    </section>
  )
}

type Given = { readonly values: Readonly<Record<string, string>>; readonly key: string }

function perform({ id }: Invoice, act: InvoiceAct, { values, key }: Given): Promise<unknown> {
  const path = `/client/invoices/${encodeURIComponent(id)}`
  const headers = { 'Idempotency-Key': key }
  if (act === 'remove') return api.ask({ method: 'DELETE', path }, { headers })
  const body = bodyOf(act, values)
  const sent = Object.keys(body).length === 0 && act === 'approve' ? { headers } : { headers, body }
  return api.ask({ method: 'POST', path: `${path}/${act}` }, sent)
}
