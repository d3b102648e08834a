import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { PersonExports } from './person-exports.tsx'
import {
  askForExport,
  erasePerson,
  personErasureQuery,
  saveErasureLetter,
  type PersonErasure,
  type PersonExport,
} from './retention-calls.ts'

type PersonDataProps = { id: string; name: string; today: string }

/** What an operator does when somebody wants their data, or to be forgotten: a copy of all of it; what may go, and what has to stay. */
export function PersonData(props: PersonDataProps) {
  return (
    <section>
      <h2 className={css.head}>{t('person_data.title')}</h2>
      <div className={css.person}>
        <PersonParts {...props} />
      </div>
    </section>
  )
}

/** The same without its heading, beside what the person has asked. */
export function PersonParts({ id, name, today }: PersonDataProps) {
  const [open, setOpen] = useState<'export' | 'erase'>()
  const mayErase = useRight('erase')
  const found = useQuery(personErasureQuery(id))
  const close = () => setOpen(undefined)
  const letter = useMutation({
    mutationFn: () => saveErasureLetter(id, `${t('person_data.letter')}.pdf`),
    meta: { done: t('funds.saved') },
  })
  return (
    <>
      <div>
        {found.data && <WhatGoes told={found.data} today={today} />}
        <div className={css.acts}>
          <OfficeButton onClick={() => setOpen('export')}>{t('person_data.export')}</OfficeButton>
          <OfficeButton isBusy={letter.isPending} onClick={() => letter.mutate()}>
            {t('person_data.letter')}
          </OfficeButton>
          {mayErase && found.data && found.data.goes.length > 0 && (
            <OfficeButton onClick={() => setOpen('erase')}>{t('person_data.erase')}</OfficeButton>
          )}
        </div>
        <PersonExports id={id} />
      </div>
      {open === 'export' && (
        <ActDialog
          form={exportForm()}
          onCommit={({ file, reason = '' }, key) =>
            askForExport(id, { format: file as PersonExport['format'], reason }, key)
          }
          onDone={close}
          onClose={close}
        />
      )}
      {open === 'erase' && (
        <ActDialog
          form={{
            title: t('person_data.erase_title', { name }),
            consequence: t('person_data.erase_text'),
            fields: [reasonField()],
            commit: t('retention.approve_commit'),
            isFinal: true,
            done: t('person_data.erased'),
          }}
          remedyFor={remedyFor}
          onCommit={({ reason = '' }) => erasePerson(id, reason)}
          onDone={close}
          onClose={close}
        />
      )}
    </>
  )
}

const reasonField = () =>
  ({
    name: 'reason',
    type: 'text',
    label: t('audit.reason'),
    hint: t('person_data.reason_hint'),
    mandatory: true,
  }) as const

const exportForm = () => ({
  title: t('person_data.export_title'),
  consequence: t('person_data.export_text'),
  fields: [
    {
      name: 'file',
      type: 'text' as const,
      look: 'choice' as const,
      label: t('person_data.kind'),
      initial: 'pdf',
      choices: (['pdf', 'json'] as const).map((value) => ({
        value,
        text: t(`person_data.kind.${value}`),
      })),
    },
    reasonField(),
  ],
  commit: t('person_data.export_commit'),
  done: t('person_data.export_asked'),
})

function WhatGoes({ told: { goes, stays }, today }: { told: PersonErasure; today: string }) {
  return (
    <ul className={css.stays}>
      {goes.map(({ kind }) => (
        <li key={kind}>{t('person_data.goes', { what: t(`retention.kind.${kind}`) })}</li>
      ))}
      {stays.map(({ kind, ground, until }) => (
        <li key={`${kind} ${ground} ${until}`}>
          {stayText({ kind, ground }, until && dayText(until, today))}
        </li>
      ))}
    </ul>
  )
}

function stayText(
  { kind, ground }: Pick<PersonErasure['stays'][number], 'kind' | 'ground'>,
  day: string | null,
): string {
  if (kind === 'HOLD')
    return day === null ? t('person_data.held', { ground }) : t('person_data.held_until', { ground, day })
  if (kind === 'REQUEST') return t('person_data.asked')
  if (kind === 'ANSWER') return t('person_data.to_answer')
  if (kind === 'OPEN') return t('person_data.open')
  const what = t(`retention.kind.${kind}`)
  return day === null ? t('person_data.stays_open', { what }) : t('person_data.stays', { what, day })
}
