import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type { getOfficeDebtor } from '@kvitt/domain/people/office-debtor.contract.ts'
import type { enterRepresentative } from '@kvitt/domain/people/representative.contract.ts'
import type { FlagKind } from '@kvitt/domain/people/debtor-flag.ts'
import { lastDaysOf, NEEDS_GUARDIAN } from '@kvitt/domain/people/representative.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useState } from 'react'
import { api } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import css from './flags.module.css'

type Representative = AnswerOf<typeof getOfficeDebtor>['representatives'][number]
type Body = BodyOf<typeof enterRepresentative>
type Props = {
  /** A process of the release before tells of none. */
  debtor: {
    id: string
    name: string
    representatives?: readonly Representative[]
    flags?: readonly { kind: FlagKind; endedOn: string | null }[]
  }
  today: string
}

/** Who acts for a debtor and gets their letters. A creditor's people see that there is one, and the name. */
export function Representatives({ debtor, today }: Props) {
  const [isEntering, setEntering] = useState(false)
  const may = useRight('answer_flag') && isAdmin
  const { representatives: all = [] } = debtor
  const acts = all.some(({ endedOn }) => endedOn === null)
  // Nobody acts for whom nothing says that they need it.
  const isNeeded = (debtor.flags ?? []).some(
    ({ kind, endedOn }) => endedOn === null && NEEDS_GUARDIAN.includes(kind),
  )
  const mayEnter = may && !acts && isNeeded
  if (!mayEnter && all.length === 0) return null
  return (
    <section className={css.flags} aria-labelledby="representatives">
      <div className={css.head}>
        <div>
          <h2 id="representatives">{t('guardian.title')}</h2>
          <p>{t('guardian.text')}</p>
        </div>
        {mayEnter && <OfficeButton onClick={() => setEntering(true)}>{t('guardian.enter')}</OfficeButton>}
      </div>
      {all.length > 0 && (
        <ul className={css.list}>
          {all.map((one) => (
            <Row key={one.id} one={one} mayEnd={may} />
          ))}
        </ul>
      )}
      {isEntering && (
        <ActDialog
          form={enterForm(debtor.name, today)}
          remedyFor={remedyFor}
          onCommit={(values, key) =>
            api.ask(staffCall('POST', '/admin/debtors/:id/representatives', { id: debtor.id }), {
              headers: { 'Idempotency-Key': key },
              body: bodyOf(values),
            })
          }
          onClose={() => setEntering(false)}
          onDone={() => {
            setEntering(false)
            reloadAll()
          }}
        />
      )}
    </section>
  )
}

function Row({ one, mayEnd }: { one: Representative; mayEnd: boolean }) {
  const [isEnding, setEnding] = useState(false)
  const { id, name, until, endedOn, source, email, phone, address } = one
  return (
    <li>
      <h3>
        {name} {endedOn === null && <Chip tone="outline">{t('guardian.acts')}</Chip>}
      </h3>
      <Facts
        rows={[
          { id: 'until', name: t('guardian.until'), value: until && formatDay(until) },
          {
            id: 'ended',
            name: t('flag.state'),
            value: endedOn && t('flag.state.ended', { day: formatDay(endedOn) }),
          },
          { id: 'address', name: t('debtor.address'), value: address },
          { id: 'email', name: t('debtor.email'), value: email },
          { id: 'phone', name: t('debtor.phone'), value: phone },
          { id: 'source', name: t('guardian.source'), value: source },
        ]}
      />
      {mayEnd && endedOn === null && (
        <div className={css.acts}>
          <OfficeButton onClick={() => setEnding(true)}>{t('guardian.end')}</OfficeButton>
        </div>
      )}
      {isEnding && (
        <ActDialog
          form={{
            title: t('guardian.end_title', { name }),
            consequence: t('guardian.end_text'),
            fields: [{ name: 'reason', type: 'text', label: t('act.reason'), mandatory: true }],
            commit: t('guardian.end'),
            done: t('flag.end_done'),
          }}
          remedyFor={remedyFor}
          onCommit={({ reason = '' }, key) =>
            api.ask(staffCall('POST', '/admin/representatives/:id/end', { id }), {
              headers: { 'Idempotency-Key': key },
              body: { reason },
            })
          }
          onClose={() => setEnding(false)}
          onDone={() => {
            setEnding(false)
            reloadAll()
          }}
        />
      )}
    </li>
  )
}

const COUNTRIES = ['SE', 'NO', 'DK', 'FI'] as const

/** What stands empty is left out. */
function bodyOf(values: Readonly<Record<string, string>>): Body {
  const of = (name: string): string => (values[name] ?? '').trim()
  const more = (['email', 'phone', 'address2', 'until'] as const).filter((name) => of(name) !== '')
  return {
    kind: 'GUARDIAN',
    name: of('name'),
    address: of('address'),
    zip: of('zip'),
    city: of('city'),
    countryCode: of('countryCode'),
    source: of('source'),
    ...Object.fromEntries(more.map((name) => [name, of(name)])),
  }
}

function enterForm(name: string, today: string): ActForm {
  const days = lastDaysOf(today as CalendarDate)
  const line = (id: string, label: string) => ({ name: id, type: 'text' as const, label, mandatory: true })
  return {
    title: t('guardian.enter_title', { name }),
    consequence: t('guardian.enter_text'),
    fields: [
      line('name', t('debtor.name')),
      line('address', t('debtor.address')),
      { name: 'address2', type: 'text', label: t('guardian.address2') },
      line('zip', t('debtor.zip')),
      line('city', t('debtor.city')),
      {
        name: 'countryCode',
        type: 'text',
        look: 'choice',
        label: t('client.country'),
        initial: 'SE',
        choices: COUNTRIES.map((value) => ({ value, text: t(`client.country.${value}`) })),
      },
      { name: 'email', type: 'email', label: t('debtor.email') },
      { name: 'phone', type: 'text', label: t('debtor.phone') },
      { ...line('source', t('guardian.source')), hint: t('guardian.source_hint') },
      {
        name: 'until',
        type: 'date',
        look: 'date',
        label: t('guardian.until'),
        hint: t('guardian.until_hint'),
        min: days.from,
        max: days.to,
      },
    ],
    commit: t('guardian.enter'),
    done: t('guardian.enter_done'),
  }
}
