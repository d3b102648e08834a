import {
  daysOfFlag,
  isRestingFlag,
  RESTING_FLAGS,
  type RestingFlag,
} from '@kvitt/domain/people/debtor-flag.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useState } from 'react'
import { RestingNote } from '../debts/resting-note.tsx'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { FlagActs } from './flag-acts.tsx'
import { setFlag, type ListedFlag } from './flag-calls.ts'
import { stateText } from './flag-state.ts'
import { ProtectIdentity } from './protect-identity.tsx'
import css from './flags.module.css'

type DebtorFlagsProps = {
  debtor: {
    id: string
    name: string
    isResting: boolean
    isProtected: boolean
    flags: readonly ListedFlag[]
  }
  today: string
}

/** What is known of a person so that all their debts rest, or that where they live is hidden. A creditor's people see what they have reported, and that it rests. */
export function DebtorFlags({ debtor, today }: DebtorFlagsProps) {
  const [isSetting, setSetting] = useState(false)
  const may = useRight('flag')
  const { flags, isResting } = debtor
  return (
    <section className={css.flags} aria-labelledby="flags">
      <div className={css.head}>
        <div>
          <h2 id="flags">{t('flag.title')}</h2>
          <p>{t(isAdmin ? 'flag.text' : 'flag.report_text')}</p>
        </div>
        <div className={css.acts}>
          {isAdmin && <ProtectIdentity debtor={debtor} fields={fieldsOf(today)} />}
          {may && (
            <OfficeButton onClick={() => setSetting(true)}>
              {t(isAdmin ? 'flag.set' : 'flag.report')}
            </OfficeButton>
          )}
        </div>
      </div>
      {isResting && !isAdmin && <RestingNote />}
      {isAdmin && flags.length === 0 && <p className={css.quiet}>{t('flag.none')}</p>}
      {flags.length > 0 && (
        <ul className={css.list}>
          {flags.map((flag) => (
            <FlagRow key={flag.id} flag={flag} today={today} />
          ))}
        </ul>
      )}
      {isSetting && <SetFlag debtor={debtor} today={today} onClose={() => setSetting(false)} />}
    </section>
  )
}

/** It keeps everything back. */
const stands = ({ answer, endedOn }: ListedFlag): boolean => endedOn === null && answer !== 'GO_ON'

function FlagRow({ flag, today }: { flag: ListedFlag; today: string }) {
  const { kind, from, source, reportedBy } = flag
  return (
    <li>
      <h3>
        {t(`flag.kind.${kind}`)}{' '}
        {stands(flag) && (
          <Chip tone="warn">{t(isRestingFlag(kind) ? 'flag.standing' : 'protected.chip')}</Chip>
        )}
      </h3>
      <Facts
        rows={[
          { id: 'from', name: t('flag.from'), value: formatDay(from) },
          { id: 'source', name: t('flag.source'), value: source },
          {
            id: 'by',
            name: t('column.creditor'),
            value: isAdmin && reportedBy && t('flag.reported_by', { name: reportedBy }),
          },
          { id: 'state', name: t('flag.state'), value: stateText(flag) },
        ]}
      />
      {isAdmin && <FlagActs flag={flag} today={today} />}
    </li>
  )
}

function SetFlag({ debtor, today, onClose }: DebtorFlagsProps & { onClose: () => void }) {
  return (
    <ActDialog
      form={setForm(debtor.name, today)}
      remedyFor={remedyFor}
      onCommit={({ kind, from = '', source = '' }, key) =>
        setFlag(debtor.id, { kind: kind as RestingFlag, from, source }, key)
      }
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadAll()
      }}
    />
  )
}

const LONGEST_SOURCE = 200

/** Since when it is so, and from where it is known. */
const fieldsOf = (today: string): readonly ActField[] => [
  {
    name: 'from',
    type: 'date',
    look: 'date',
    label: t('flag.from'),
    mandatory: true,
    initial: today,
    min: daysOfFlag(today as CalendarDate).from,
    max: today,
    check: (value) => (value <= today ? undefined : t('act.date_future')),
  },
  {
    name: 'source',
    type: 'text',
    label: t('flag.source'),
    hint: t('flag.source_hint'),
    mandatory: true,
    check: (value) =>
      value.length > LONGEST_SOURCE ? t('field.tooLongValidError', { max: LONGEST_SOURCE }) : undefined,
  },
]

const setForm = (name: string, today: string): ActForm => ({
  title: t('flag.set_title', { name }),
  consequence: t(isAdmin ? 'flag.set_text' : 'flag.report_set_text'),
  fields: [
    {
      name: 'kind',
      type: 'text',
      look: 'choice',
      label: t('flag.kind'),
      initial: RESTING_FLAGS[0],
      choices: RESTING_FLAGS.map((value) => ({ value, text: t(`flag.kind.${value}`) })),
    },
    ...fieldsOf(today),
  ],
  commit: t(isAdmin ? 'flag.set' : 'flag.report'),
  done: t(isAdmin ? 'flag.set_done' : 'flag.report_done'),
})
