import { TRIED_KINDS, type CredentialKind, type TriedKind } from '@kvitt/domain/instances/credential.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { failureText } from '@kvitt/office/calls.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Facts, type FactRow } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import {
  credentialsQuery,
  enterCredential,
  removeCredential,
  tryCredentialOf,
  type Shown,
  type Tried,
} from './credential-calls.ts'
import css from './instance-provider-page.module.css'

const nameOf = (kind: CredentialKind): string => t(`credential.kind.${kind}`)
const isTried = (kind: CredentialKind): kind is TriedKind => (TRIED_KINDS as readonly string[]).includes(kind)

/** What the provider shows its counterparties: entered, tried and taken away by a manager, and never read out. */
export function CredentialsOf({ id }: { id: string }) {
  const found = useQuery(credentialsQuery(id))
  const may = useRight('provider')
  return (
    <section className={css.section}>
      <h2>{t('credential.title')}</h2>
      <p className={css.quiet}>{t('credential.intro')}</p>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={4} />}
      {found.data?.map((shown) => (
        <CredentialOf key={shown.kind} id={id} shown={shown} may={may} />
      ))}
    </section>
  )
}

function CredentialOf({ id, shown, may }: { id: string; shown: Shown; may: boolean }) {
  const { kind, own, former, isShared } = shown
  const [form, setForm] = useState<'enter' | 'remove'>()
  const close = () => setForm(undefined)
  return (
    <div className={css.counterparty}>
      <h3>{nameOf(kind)}</h3>
      {own ? (
        <Facts rows={rowsOf(shown)} />
      ) : (
        <p className={css.quiet}>{t(isShared ? 'credential.shared' : 'credential.none')}</p>
      )}
      {own && !own.isReadable && <MessageBox tone="bad">{t('credential.unreadable')}</MessageBox>}
      {!own && former.length > 0 && <Facts rows={[formerRow(former)]} />}
      {may && (
        <div className={css.acts}>
          <OfficeButton onClick={() => setForm('enter')}>
            {own ? t('credential.renew') : t('credential.enter')}
          </OfficeButton>
          {own && <OfficeButton onClick={() => setForm('remove')}>{t('credential.remove')}</OfficeButton>}
          {isTried(kind) && (own || isShared) && (
            // What was said of one certificate says nothing of the next.
            <Trial key={`${own?.account} ${own?.certificate?.fingerprint}`} id={id} kind={kind} />
          )}
        </div>
      )}
      {form && (
        <ActDialog
          form={form === 'enter' ? enterForm(shown) : removeForm(kind)}
          onCommit={(values) =>
            form === 'enter' ? enterCredential(id, kind, values) : removeCredential(id, kind)
          }
          remedyFor={remedyFor}
          onClose={close}
          onDone={close}
        />
      )}
    </div>
  )
}

const formerRow = (former: readonly string[]): FactRow => ({
  id: 'former',
  name: t('credential.former'),
  value: former.join(', '),
})

function rowsOf({ kind, own, former }: Shown): FactRow[] {
  if (!own) return []
  const { account, certificate } = own
  return [
    ...(account === '' ? [] : [{ id: 'account', name: numberLabel(kind), value: account }]),
    ...(certificate
      ? [
          { id: 'until', name: t('credential.until'), value: formatDay(certificate.until) },
          {
            id: 'fingerprint',
            name: t('credential.fingerprint'),
            value: <code className={css.fingerprint}>{certificate.fingerprint}</code>,
          },
        ]
      : []),
    ...(former.length > 0 ? [formerRow(former)] : []),
  ]
}

function numberLabel(kind: CredentialKind): string {
  return kind === 'DIGITAL_MAILBOX' || kind === 'ELECTRONIC_INVOICE'
    ? t(`credential.number.${kind}`)
    : t('credential.number')
}

function enterForm({ kind, own }: Shown): ActForm {
  const number: ActField = {
    name: 'number',
    type: 'text',
    label: numberLabel(kind),
    mandatory: true,
    initial: own?.account ?? '',
  }
  const files: ActField[] = (['certificate', 'key'] as const).map((name) => ({
    name,
    type: 'text',
    look: 'text-file',
    label: t(`credential.${name}`),
    mandatory: true,
  }))
  return {
    title: t('credential.enter.title', { kind: nameOf(kind) }),
    consequence: t('credential.enter.text'),
    fields: [...(kind === 'BANKID' ? [] : [number]), ...(isTried(kind) ? files : [])],
    commit: t('provider.save'),
    done: t('credential.entered'),
  }
}

function removeForm(kind: CredentialKind): ActForm {
  return {
    title: t('credential.remove.title', { kind: nameOf(kind) }),
    consequence: t('credential.remove.text'),
    fields: [],
    commit: t('credential.remove'),
    isFinal: true,
    done: t('credential.removed'),
  }
}

/** Asks the counterparty with one press, and says what it said. */
function Trial({ id, kind }: { id: string; kind: TriedKind }) {
  const trial = useMutation({ mutationFn: () => tryCredentialOf(id, kind), meta: { isSilent: true } })
  return (
    <>
      <OfficeButton isBusy={trial.isPending} onClick={() => trial.mutate()}>
        {trial.isPending ? t('credential.trying') : t('credential.try')}
      </OfficeButton>
      <div role="status" className={css.tried}>
        {trial.data && <TrialTold kind={kind} tried={trial.data} />}
        {trial.isError && <MessageBox tone="bad">{failureText(trial.error)}</MessageBox>}
      </div>
    </>
  )
}

function TrialTold({ kind, tried: { outcome, detail } }: { kind: TriedKind; tried: Tried }) {
  const tone = outcome === 'ACCEPTED' ? 'ok' : outcome === 'REFUSED' ? 'bad' : 'info'
  return (
    <MessageBox tone={tone}>
      {t(`credential.tried.${outcome}`, { kind: nameOf(kind), detail: detail ?? '' })}
    </MessageBox>
  )
}
