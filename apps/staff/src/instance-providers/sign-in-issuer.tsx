import { readDomains } from '@kvitt/domain/staff/issuer.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { OfficeField, TicksField } from '@kvitt/office/form/office-field.tsx'
import { useFields, type FieldSpecs } from '@kvitt/office/form/use-fields.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import { issuerQuery, proposeIssuer, tryIssuer, type OwnIssuer, type Tried } from './issuer-calls.ts'
import css from './instance-provider-page.module.css'

const OPTIONS = ['isOn', 'isRequired', 'countsAsBoth'] as const
const yesNo = (is: boolean): string => t(is ? 'issuer.yes' : 'issuer.no')

/** The provider's own issuer: what two people have agreed to, and a form to propose another. */
export function SignInIssuer({ id }: { id: string }) {
  const found = useQuery(issuerQuery(id))
  const may = useRight('provider')
  const [isOpen, setOpen] = useState(false)
  const own = found.data
  return (
    <section className={css.section}>
      <h2>{t('issuer.title')}</h2>
      <p className={css.quiet}>{t('issuer.intro')}</p>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {own && <Agreed own={own} />}
      {own?.proposal && (
        <MessageBox tone="info">
          <p>{t('issuer.waits')}</p>
          <OfficeLink href={hashOf({ view: 'proposals', id: own.proposal })}>
            {t('issuer.open_proposal')}
          </OfficeLink>
        </MessageBox>
      )}
      {own && may && !own.proposal && !isOpen && (
        <div className={css.acts}>
          <OfficeButton onClick={() => setOpen(true)}>
            {t(own.issuer ? 'issuer.change' : 'issuer.enter')}
          </OfficeButton>
        </div>
      )}
      {own && may && !own.proposal && isOpen && (
        <IssuerForm id={id} own={own} onClose={() => setOpen(false)} />
      )}
    </section>
  )
}

function Agreed({ own: { issuer, redirectAddresses } }: { own: OwnIssuer }) {
  const redirects = {
    id: 'redirects',
    name: t('issuer.redirects'),
    value: redirectAddresses.map((one) => (
      <code key={one} className={css.fingerprint}>
        {one}{' '}
      </code>
    )),
  }
  if (!issuer)
    return (
      <>
        <p className={css.quiet}>{t('issuer.none')}</p>
        <Facts rows={[redirects]} />
      </>
    )
  return (
    <>
      {!issuer.isReadable && <MessageBox tone="bad">{t('issuer.unreadable')}</MessageBox>}
      <Facts
        rows={[
          { id: 'issuer', name: t('issuer.issuer'), value: issuer.issuer },
          { id: 'clientId', name: t('issuer.clientId'), value: issuer.clientId },
          { id: 'domains', name: t('issuer.domains'), value: issuer.domains.join(', ') },
          ...OPTIONS.map((one) => ({ id: one, name: t(`issuer.${one}`), value: yesNo(issuer[one]) })),
          { id: 'linked', name: t('issuer.linked'), value: String(issuer.linked) },
          redirects,
        ]}
      />
    </>
  )
}

const SPECS: FieldSpecs = {
  issuer: { type: 'text', mandatory: true },
  clientId: { type: 'text', mandatory: true },
  secret: { type: 'text' },
  domains: {
    type: 'text',
    mandatory: true,
    check: (value) => (readDomains(value) ? undefined : t('issuer.domains.wrong')),
  },
  options: { type: 'text' },
}

type Values = Readonly<Record<string, string>>

const clientOf = ({ issuer = '', clientId = '', secret = '' }: Values) => ({
  issuer: issuer.trim(),
  clientId: clientId.trim(),
  ...(secret === '' ? {} : { secret }),
})

const writtenOf = (values: Values) => {
  const has = (option: string): boolean => (values['options'] ?? '').split(' ').includes(option)
  return {
    ...clientOf(values),
    domains: values['domains'] ?? '',
    isOn: has('isOn'),
    isRequired: has('isRequired'),
    countsAsBoth: has('countsAsBoth'),
  }
}

function valuesOf({ issuer }: OwnIssuer): Values {
  if (!issuer) return { issuer: '', clientId: '', secret: '', domains: '', options: 'isOn' }
  return {
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    secret: '',
    domains: issuer.domains.join(', '),
    options: OPTIONS.filter((one) => issuer[one]).join(' '),
  }
}

function IssuerForm({ id, own, onClose }: { id: string; own: OwnIssuer; onClose: () => void }) {
  const fields = useFields(SPECS, valuesOf(own))
  const [key] = useState(() => crypto.randomUUID())
  const refuse = (error: Error) => {
    if (!(error instanceof ApiRefusal)) return
    fields.refuse(
      Object.fromEntries(
        error.errors.map(({ field, message }) => [
          OPTIONS.some((one) => one === field) ? 'options' : field,
          message,
        ]),
      ),
    )
  }
  const proposing = useMutation({
    mutationFn: () => proposeIssuer(id, writtenOf(fields.values), key),
    meta: { done: t('issuer.proposed') },
    onSuccess: onClose,
    onError: refuse,
  })
  const trial = useMutation({
    mutationFn: () => tryIssuer(id, clientOf(fields.values)),
    meta: { isSilent: true },
    onError: refuse,
  })
  return (
    <form
      noValidate
      className={css.counterparty}
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.check() && !proposing.isPending) proposing.mutate()
      }}
    >
      {proposing.isError && (
        <MessageBox tone="bad" role="alert">
          <p>{failureText(proposing.error)}</p>
          {proposing.error instanceof ApiRefusal && remedyFor(proposing.error.code)}
        </MessageBox>
      )}
      <div className={css.grid}>
        <OfficeField
          {...fields.propsOf('issuer')}
          label={t('issuer.issuer')}
          hint={t('issuer.issuer.hint')}
        />
        <OfficeField {...fields.propsOf('clientId')} label={t('issuer.clientId')} />
        <OfficeField
          {...fields.propsOf('secret')}
          label={t('issuer.secret')}
          hint={t('issuer.secret.hint')}
        />
        <OfficeField
          {...fields.propsOf('domains')}
          label={t('issuer.domains')}
          hint={t('issuer.domains.hint')}
        />
      </div>
      <TicksField
        {...fields.propsOf('options')}
        label={t('issuer.options')}
        choices={OPTIONS.map((value) => ({ value, text: t(`issuer.${value}`) }))}
        onValue={(value) => fields.set('options', value)}
      />
      <div className={css.acts}>
        <OfficeButton type="submit" look="primary" isBusy={proposing.isPending}>
          {t('issuer.propose')}
        </OfficeButton>
        <OfficeButton isBusy={trial.isPending} onClick={() => trial.mutate()}>
          {t(trial.isPending ? 'issuer.trying' : 'issuer.try')}
        </OfficeButton>
        <OfficeButton onClick={onClose}>{t('issuer.cancel')}</OfficeButton>
        <div role="status" className={css.tried}>
          {trial.data && <TrialTold tried={trial.data} />}
          {trial.isError && <MessageBox tone="bad">{failureText(trial.error)}</MessageBox>}
        </div>
      </div>
    </form>
  )
}

function TrialTold({ tried: { outcome, detail } }: { tried: Tried }) {
  const tone = outcome === 'ACCEPTED' ? 'ok' : outcome === 'NO_ANSWER' ? 'info' : 'bad'
  return <MessageBox tone={tone}>{t(`issuer.tried.${outcome}`, { detail: detail ?? '' })}</MessageBox>
}
