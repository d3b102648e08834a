import { WEBHOOK_EVENTS } from '@kvitt/domain/webhooks/webhook.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { Webhook } from './webhook-calls.ts'

const fields = (one?: Webhook): readonly ActField[] => [
  {
    name: 'address',
    type: 'text',
    label: t('webhook.address'),
    mandatory: true,
    initial: one?.address ?? '',
    hint: t('webhook.address_hint'),
    check: (value) => (value.trim().length > 500 ? t('field.tooLongValidError', { max: 500 }) : undefined),
  },
  {
    name: 'events',
    type: 'text',
    look: 'ticks',
    label: t('webhook.events'),
    mandatory: true,
    initial: (one?.events ?? WEBHOOK_EVENTS).join(' '),
    choices: WEBHOOK_EVENTS.map((value) => ({ value, text: t(`webhook.event.${value}`), hint: value })),
  },
]

export const makeForm = (): ActForm => ({
  title: t('webhook.make'),
  consequence: t('webhook.make.text'),
  fields: fields(),
  commit: t('webhook.make'),
  done: t('webhook.make.done'),
})

export const changeForm = (one: Webhook): ActForm => ({
  title: t('webhook.change'),
  consequence: t('webhook.change.text'),
  fields: fields(one),
  commit: t('webhook.change.commit'),
  done: t('webhook.change.done'),
})

export const offForm = (): ActForm => ({
  title: t('webhook.off'),
  consequence: t('webhook.off.text'),
  fields: [],
  commit: t('webhook.off'),
  done: t('webhook.off.done'),
})

export const removeForm = ({ address }: Webhook): ActForm => ({
  title: t('webhook.remove'),
  consequence: t('webhook.remove.text', { address }),
  fields: [],
  commit: t('webhook.remove'),
  done: t('webhook.remove.done'),
  isFinal: true,
})

export const rotateForm = (): ActForm => ({
  title: t('webhook.rotate'),
  consequence: t('webhook.rotate.text'),
  fields: [],
  commit: t('webhook.rotate'),
  done: t('webhook.rotate.done'),
})

/** @param today the instance's business day: what is to come is not sent again */
export const replayForm = (today: string): ActForm => ({
  title: t('webhook.replay'),
  consequence: t('webhook.replay.text'),
  fields: [
    {
      name: 'what',
      type: 'text',
      look: 'choice',
      label: t('webhook.replay.what'),
      initial: 'FAILED',
      choices: [
        { value: 'FAILED', text: t('webhook.replay.failed') },
        { value: 'ALL', text: t('webhook.replay.all') },
      ],
    },
    {
      name: 'from',
      type: 'date',
      look: 'date',
      label: t('webhook.replay.from'),
      mandatory: true,
      initial: today,
    },
    {
      name: 'to',
      type: 'date',
      look: 'date',
      label: t('webhook.replay.to'),
      mandatory: true,
      initial: today,
    },
  ],
  commit: t('webhook.replay'),
  done: t('webhook.replay.done'),
})
