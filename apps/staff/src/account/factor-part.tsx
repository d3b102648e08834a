import { staffCall } from '@kvitt/office/calls.ts'
import { FactorSetUp } from '@kvitt/office/factor/factor-set-up.tsx'
import { RecoveryCodes } from '@kvitt/office/factor/recovery-codes.tsx'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { t } from '../text.ts'
import css from './account-page.module.css'

/** Few recovery codes are left, and somebody should make new ones. */
const FEW = 3

const factorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/account/second-factor'), { signal }),
})

const reload = () => void queries.invalidateQueries({ queryKey: ['account'] })

type Act = 'set_up' | 'renew' | 'off'

/** The second step of one's sign-in: whether it is on, and how it is set up, changed and switched off. */
export function FactorPart() {
  const found = useQuery(factorQuery)
  const [act, setAct] = useState<Act>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    setAct(undefined)
    setCodes(undefined)
    reload()
  }
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <ListWaiting rows={2} />
  const { isOn, since, recoveryCodesLeft: left, hasPasskey, isRequired } = found.data
  const hasCodes = isOn || hasPasskey
  return (
    <section className={css.part} aria-labelledby="second-factor">
      <h2 id="second-factor">
        {t('factor.title')}{' '}
        <Chip tone={hasCodes ? 'ok' : 'outline'}>{t(hasCodes ? 'factor.on' : 'factor.off')}</Chip>
      </h2>
      <p>
        {isOn
          ? t('factor.on_text', { at: momentText(since ?? '') })
          : t(hasPasskey ? 'factor.by_passkey' : 'factor.off_text')}
      </p>
      {hasCodes && (
        <MessageBox tone={left <= FEW ? 'warn' : 'info'}>
          {t('factor.codes_left', { count: left })}
        </MessageBox>
      )}
      <div className={css.acts}>
        <OfficeButton look={hasCodes ? 'secondary' : 'primary'} onClick={() => setAct('set_up')}>
          {t(isOn ? 'factor.change' : 'factor.set_up')}
        </OfficeButton>
        {hasCodes && <OfficeButton onClick={() => setAct('renew')}>{t('factor.renew')}</OfficeButton>}
        {isOn && (hasPasskey || !isRequired) && (
          <OfficeButton look="danger" onClick={() => setAct('off')}>
            {t('factor.switch_off')}
          </OfficeButton>
        )}
      </div>
      {hasCodes && isRequired && <p className={css.note}>{t('factor.required_here')}</p>}
      {act === 'set_up' && <SetUpDialog onClose={close} />}
      {act === 'renew' && codes === undefined && (
        <ActDialog
          form={RENEW()}
          onCommit={async () => {
            const made = await api.ask(staffCall('POST', '/client/account/recovery-codes'))
            setCodes(made.recoveryCodes)
          }}
          remedyFor={remedyFor}
          onClose={close}
          onDone={() => undefined}
        />
      )}
      {codes !== undefined && (
        <Dialog title={t('factor.codes')} onClose={close}>
          <RecoveryCodes codes={codes} onKept={close} />
        </Dialog>
      )}
      {act === 'off' && (
        <ActDialog
          form={OFF(hasPasskey)}
          onCommit={() => api.ask(staffCall('DELETE', '/client/account/second-factor'))}
          remedyFor={remedyFor}
          onClose={close}
          onDone={close}
        />
      )}
    </section>
  )
}

const RENEW = (): ActForm => ({
  title: t('factor.renew'),
  consequence: t('factor.renew_text'),
  fields: [],
  commit: t('factor.renew_commit'),
  done: t('factor.renewed'),
  isSilent: true,
})

const OFF = (hasPasskey: boolean): ActForm => ({
  title: t('factor.switch_off'),
  consequence: t(hasPasskey ? 'factor.switch_off_passkey_text' : 'factor.switch_off_text'),
  fields: [],
  commit: t('factor.switch_off'),
  done: t('factor.switched_off'),
  isFinal: true,
})

/** A secret for the app, its first code, and then the recovery codes. */
function SetUpDialog({ onClose }: { onClose: () => void }) {
  const begin = useQuery({
    queryKey: ['account', 'second-factor', 'begun'],
    queryFn: ({ signal }) => api.ask(staffCall('POST', '/client/account/second-factor'), { signal }),
    // Each time another secret: nothing is kept, and nothing asked again by itself.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const confirm = useMutation({
    mutationFn: (code: string) =>
      api.ask(staffCall('PUT', '/client/account/second-factor'), { body: { code } }),
    meta: { done: t('factor.is_on') },
  })
  const refusal = [confirm.error, begin.error].find((error) => error !== null)
  const isOfCode = refusal instanceof ApiRefusal && refusal.code === 'code_wrong'
  const isOver = refusal instanceof ApiRefusal && refusal.code === 'second_factor_not_begun'
  const again = () => {
    confirm.reset()
    void begin.refetch()
  }
  return (
    <Dialog title={t(confirm.data ? 'factor.codes' : 'factor.set_up_title')} onClose={onClose}>
      {confirm.data ? (
        <RecoveryCodes codes={confirm.data.recoveryCodes} onKept={onClose} />
      ) : (
        <div className={css.form}>
          {refusal && !isOfCode && (
            <MessageBox tone="bad" role="alert">
              <p>{refusal.message}</p>
              {refusal instanceof ApiRefusal && remedyFor(refusal.code)}
            </MessageBox>
          )}
          {(isOver || (begin.isError && !(begin.error instanceof ApiRefusal))) && (
            <OfficeButton onClick={again}>{t('factor.again')}</OfficeButton>
          )}
          {begin.isPending && <ListWaiting rows={4} />}
          {begin.data && (
            <FactorSetUp
              secret={begin.data.secret}
              uri={begin.data.uri}
              isBusy={confirm.isPending}
              fault={isOfCode ? refusal.message : undefined}
              onCode={(code) => confirm.mutate(code)}
            />
          )}
        </div>
      )}
    </Dialog>
  )
}
