import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NewSecret } from '../shell/new-secret.tsx'
import { queries } from '../calls.ts'
import { todayQuery } from '../shell/today.ts'
import { t } from '../text.ts'
import {
  changeWebhook,
  removeWebhook,
  replaySpan,
  rotateSecret,
  sendTest,
  switchWebhook,
  type Webhook,
} from './webhook-calls.ts'
import { changeForm, offForm, removeForm, replayForm, rotateForm } from './webhook-forms.ts'
import css from './webhooks.module.css'

type Act = 'change' | 'replay' | 'rotate' | 'off' | 'remove'
type Values = Readonly<Record<string, string>>

/** What can be done with a webhook. */
export function WebhookActs({ one }: { one: Webhook }) {
  const [act, setAct] = useState<Act>()
  const [secret, setSecret] = useState<string>()
  const today = useQuery(todayQuery).data ?? ''
  const reload = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const test = useMutation({
    mutationFn: () => sendTest(one),
    meta: { done: t('webhook.test.done') },
    onSuccess: reload,
  })
  const on = useMutation({
    mutationFn: () => switchWebhook(one, true),
    meta: { done: t('webhook.on.done') },
    onSuccess: reload,
  })
  const forms: Readonly<Record<Act, () => ActForm>> = {
    change: () => changeForm(one),
    replay: () => replayForm(today),
    rotate: rotateForm,
    off: offForm,
    remove: () => removeForm(one),
  }
  const deeds: Readonly<Record<Act, (values: Values, key: string) => Promise<unknown>>> = {
    change: (values) => changeWebhook(one, values),
    replay: (values) => replaySpan(one, values),
    rotate: async (_, key) => setSecret(await rotateSecret(one, key)),
    off: () => switchWebhook(one, false),
    remove: () => removeWebhook(one),
  }
  return (
    <>
      <div className={css.acts}>
        {one.isOn ? (
          <>
            <OfficeButton look="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
              {t('webhook.test')}
            </OfficeButton>
            <OfficeButton onClick={() => setAct('replay')}>{t('webhook.replay')}</OfficeButton>
          </>
        ) : (
          <OfficeButton look="primary" isBusy={on.isPending} onClick={() => on.mutate()}>
            {t('webhook.on')}
          </OfficeButton>
        )}
        <OfficeButton onClick={() => setAct('change')}>{t('webhook.change')}</OfficeButton>
        <OfficeButton onClick={() => setAct('rotate')}>{t('webhook.rotate')}</OfficeButton>
        {one.isOn && <OfficeButton onClick={() => setAct('off')}>{t('webhook.off')}</OfficeButton>}
        <OfficeButton look="danger" onClick={() => setAct('remove')}>
          {t('webhook.remove')}
        </OfficeButton>
      </div>
      {act && (
        <ActDialog
          form={forms[act]()}
          onCommit={deeds[act]}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined)
            if (act === 'remove') goTo(hashOf({ view: 'webhooks' }))
            void reload()
          }}
        />
      )}
      {secret !== undefined && (
        <NewSecret
          title={t('webhook.secret')}
          text={t('webhook.secret_once')}
          label={t('webhook.secret')}
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
