import { KEY_SCOPES } from '@kvitt/domain/staff/roles.ts'
import type { ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { ApiKey } from './api-key-calls.ts'

/** @param today the instance's business day */
export const makeForm = (today: string): ActForm => ({
  title: t('api_key.make'),
  consequence: t('api_key.make.text'),
  fields: [
    {
      name: 'name',
      type: 'text',
      label: t('debtor.name'),
      mandatory: true,
      hint: t('api_key.name_hint'),
      check: (value) => (value.trim().length > 100 ? t('field.tooLongValidError', { max: 100 }) : undefined),
    },
    {
      name: 'scopes',
      type: 'text',
      look: 'ticks',
      label: t('api_key.scopes'),
      mandatory: true,
      initial: 'read',
      choices: KEY_SCOPES.map((value) => ({
        value,
        text: t(`api_key.scope.${value}`),
        hint: t(`api_key.scope.${value}.hint`),
      })),
    },
    {
      name: 'expires',
      type: 'date',
      look: 'date',
      label: t('api_key.expires'),
      hint: t('api_key.expires_hint'),
      min: today,
      check: (value) => (value >= today ? undefined : t('act.date_too_soon', { day: today })),
    },
  ],
  commit: t('api_key.make.commit'),
  done: t('api_key.make.done'),
})

export const revokeForm = ({ name }: ApiKey): ActForm => ({
  title: t('api_key.revoke'),
  consequence: t('api_key.revoke.text', { name }),
  fields: [],
  commit: t('api_key.revoke.commit'),
  done: t('api_key.revoke.done', { name }),
  isFinal: true,
})
