import { staffCall } from '@kvitt/office/calls.ts'
import { RecoveryCodes } from '@kvitt/office/factor/recovery-codes.tsx'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { canUsePasskeys, makePasskey, type PasskeyFailure } from '@kvitt/office/passkeys/passkey-browser.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { t } from '../text.ts'
import css from './account-page.module.css'

const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/passkeys'), { signal }),
})

type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>['passkeys'][number]

type Act = { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

const reload = () => void queries.invalidateQueries({ queryKey: ['account'] })

/** A passkey of one's own: sign-in by fingerprint, face or PIN of a device, without a password. */
export function PasskeysPart() {
  const found = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [act, setAct] = useState<Act>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const done = () => {
    setAdding(false)
    setAct(undefined)
    reload()
  }
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <ListWaiting rows={2} />
  const { passkeys, canAdd } = found.data
  return (
    <section className={css.part} aria-labelledby="passkeys">
      <h2 id="passkeys">{t('passkey.title')}</h2>
      <p>{t('passkey.text')}</p>
      {passkeys.length > 0 && (
        <ul className={css.sessions}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAct={(kind) => setAct({ kind, passkey })} />
          ))}
        </ul>
      )}
      {canAdd && canUsePasskeys() ? (
        <OfficeButton look={passkeys.length === 0 ? 'primary' : 'secondary'} onClick={() => setAdding(true)}>
          {t('passkey.add')}
        </OfficeButton>
      ) : (
        <p className={css.note}>{t('passkey.not_here')}</p>
      )}
      {isAdding && (
        <ActDialog
          form={ADD()}
          onCommit={async ({ name = '' }) => setCodes(await addPasskey(name))}
          remedyFor={remedyFor}
          onClose={() => setAdding(false)}
          onDone={done}
        />
      )}
      {codes.length > 0 && (
        <Dialog title={t('factor.codes')} onClose={() => setCodes([])}>
          <RecoveryCodes codes={codes} onKept={() => setCodes([])} />
        </Dialog>
      )}
      {act && (
        <ActDialog
          form={act.kind === 'rename' ? RENAME(act.passkey) : REMOVE(act.passkey)}
          onCommit={({ name = '' }) =>
            act.kind === 'rename' ? renamePasskey(act.passkey.id, name) : removePasskey(act.passkey.id)
          }
          remedyFor={remedyFor}
          onClose={() => setAct(undefined)}
          onDone={done}
        />
      )}
    </section>
  )
}

type RowProps = { passkey: Passkey; onAct: (kind: Act['kind']) => void }

function PasskeyRow({ passkey, onAct }: RowProps) {
  const { name, host, isOfHere, isBackedUp, madeAt, usedAt } = passkey
  const facts = [
    usedAt === null
      ? t('passkey.made', { at: momentText(madeAt) })
      : t('passkey.used', { at: momentText(usedAt) }),
    isBackedUp && t('passkey.backed_up'),
    !isOfHere && t('passkey.of_host', { host }),
  ].filter((fact) => fact !== false)
  return (
    <li>
      <span>
        <strong className={css.own}>{name}</strong>
        {facts.map((fact) => (
          <span key={fact} className={css.line}>
            {fact}
          </span>
        ))}
      </span>
      <span className={css.acts}>
        <OfficeButton aria-label={t('passkey.rename_x', { name })} onClick={() => onAct('rename')}>
          {t('passkey.rename')}
        </OfficeButton>
        <OfficeButton
          look="danger"
          aria-label={t('passkey.remove_x', { name })}
          onClick={() => onAct('remove')}
        >
          {t('passkey.remove')}
        </OfficeButton>
      </span>
    </li>
  )
}

/** What the device says no to, as the server says no. */
function refusalOf(failure: PasskeyFailure): ApiRefusal {
  if (failure === 'exists')
    return new ApiRefusal(400, { code: 'passkey_exists', message: t('passkey.exists') })
  const message = t(failure === 'cancelled' ? 'passkey.not_added' : 'passkey.not_made')
  return new ApiRefusal(400, { code: 'passkey_failed', message })
}

/** Answers recovery codes, where it is the first second factor of the person. */
async function addPasskey(name: string): Promise<readonly string[]> {
  const options = await api.ask(staffCall('POST', '/client/passkeys/options'))
  const made = await makePasskey({
    ...options,
    excludeCredentials: options.excludeCredentials.map(({ id, type }) => ({ id, type })),
  })
  if (typeof made === 'string') throw refusalOf(made)
  const { id, rawId, response } = made
  const { clientDataJSON, attestationObject, transports } = response
  const registration = {
    id,
    rawId,
    type: 'public-key' as const,
    response: { clientDataJSON, attestationObject, ...(transports && { transports: [...transports] }) },
  }
  const { recoveryCodes } = await api.ask(staffCall('POST', '/client/passkeys'), {
    body: { name: name.trim(), registration },
  })
  return recoveryCodes
}

const renamePasskey = (id: string, name: string) =>
  api.ask(staffCall('PUT', '/client/passkeys/:id', { id }), { body: { name: name.trim() } })

const removePasskey = (id: string) => api.ask(staffCall('DELETE', '/client/passkeys/:id', { id }))

const nameField = (initial: string): ActForm['fields'][number] => ({
  name: 'name',
  type: 'text',
  label: t('passkey.name'),
  hint: t('passkey.name_hint'),
  mandatory: true,
  initial,
  check: (value) => (value.trim().length > 60 ? t('field.tooLongValidError', { max: 60 }) : undefined),
})

const ADD = (): ActForm => ({
  title: t('passkey.add'),
  consequence: t('passkey.add_text'),
  fields: [nameField('')],
  commit: t('passkey.add_commit'),
  done: t('passkey.added'),
})

const RENAME = ({ name }: Passkey): ActForm => ({
  title: t('passkey.rename'),
  consequence: t('passkey.rename_text'),
  fields: [nameField(name)],
  commit: t('passkey.rename_commit'),
  done: t('passkey.renamed'),
})

const REMOVE = ({ name }: Passkey): ActForm => ({
  title: t('passkey.remove_title', { name }),
  consequence: t('passkey.remove_text'),
  fields: [],
  commit: t('passkey.remove'),
  done: t('passkey.removed'),
  isFinal: true,
})
