import { staffCall } from '@kvitt/office/calls.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, queries } from '../calls.ts'
import { useMe } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import css from './account-page.module.css'
import { FactorPart } from './factor-part.tsx'
import { PasskeysPart } from './passkeys-part.tsx'

const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/account/sessions'), { signal }),
})

/** Somebody's own account: another password, and where they are signed in. */
export default function AccountPage() {
  usePageName(t('account.title'))
  const { person } = useMe()
  return (
    <>
      <Bar title={t('account.title')} facts={`${person.name}, ${person.email}`} />
      <div className={css.page}>
        <FactorPart />
        <PasskeysPart />
        <PasswordPart />
        <SessionsPart />
      </div>
    </>
  )
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

type Faults = { readonly current?: string; readonly password?: string }

function PasswordPart() {
  const { person } = useMe()
  const [faults, setFaults] = useState<Faults>({})
  const change = useMutation({
    mutationFn: (body: { current: string; password: string }) =>
      api.ask(staffCall('PUT', '/client/account/password'), { body }),
    meta: { done: t('account.saved') },
    onError: (error) => {
      if (error instanceof ApiRefusal)
        setFaults({ [error.code === 'password_wrong' ? 'current' : 'password']: error.message })
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form)
    const body = { current: textOf(typed, 'current'), password: textOf(typed, 'password') }
    const mandatory = t('field.mandatoryValidError')
    const missing = {
      ...(body.current === '' ? { current: mandatory } : {}),
      ...(body.password === '' ? { password: mandatory } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0 || change.isPending) return
    change.mutate(body, { onSuccess: () => form.reset() })
  }
  return (
    <section className={css.part} aria-labelledby="password">
      <h2 id="password">{t('account.password')}</h2>
      <form className={css.form} noValidate onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={person.email} readOnly />
        <TextField
          label={t('account.current')}
          name="current"
          type="password"
          autoComplete="current-password"
          error={faults.current}
        />
        <TextField
          label={t('account.new')}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={t('account.rule')}
          error={faults.password}
        />
        <OfficeButton type="submit" look="primary" isBusy={change.isPending}>
          {t('account.save')}
        </OfficeButton>
      </form>
    </section>
  )
}

function SessionsPart() {
  const found = useQuery(sessionsQuery)
  const end = useMutation({
    mutationFn: () => api.ask(staffCall('DELETE', '/client/account/sessions')),
    meta: { done: t('account.ended_others') },
    onSuccess: () => void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <ListWaiting />
  const hasOthers = found.data.some(({ isThis }) => !isThis)
  return (
    <section className={css.part} aria-labelledby="sessions">
      <h2 id="sessions">{t('account.sessions')}</h2>
      <ul className={css.sessions}>
        {found.data.map(({ id, isThis, creditor, signedInAt, usedAt }) => (
          <li key={id}>
            <strong>{isThis ? t('account.this') : (creditor ?? t('account.operator'))}</strong>
            <span>
              {t('account.since', { at: momentText(signedInAt) })}
              <br />
              {t('account.used', { at: momentText(usedAt) })}
            </span>
          </li>
        ))}
      </ul>
      {hasOthers ? (
        <OfficeButton isBusy={end.isPending} onClick={() => end.mutate()}>
          {t('account.end_others')}
        </OfficeButton>
      ) : (
        <p className={css.note}>{t('account.only_here')}</p>
      )}
    </section>
  )
}
