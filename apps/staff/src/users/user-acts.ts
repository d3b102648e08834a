/** What a manager does with the people of the creditor. */
import { CREDITOR_ROLES } from '@kvitt/domain/staff/roles.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { staffCall } from '@kvitt/office/calls.ts'
import { api } from '../calls.ts'
import { t } from '../text.ts'
import type { User } from './user-calls.ts'

export type UserAct = 'role' | 'approve' | 'reset' | 'remove'

const roleField = (initial: string): ActField => ({
  name: 'role',
  type: 'text',
  look: 'choice',
  label: t('user.role'),
  initial,
  choices: CREDITOR_ROLES.map((value) => ({
    value,
    text: t(`role.${value}`),
    hint: t(`role.${value}.hint`),
  })),
})

/** Somebody new. */
export const inviteForm = (): ActForm => ({
  title: t('user.invite'),
  consequence: t('user.invite.text'),
  fields: [
    { name: 'email', type: 'email', label: t('debtor.email'), mandatory: true },
    {
      name: 'name',
      type: 'text',
      label: t('debtor.name'),
      mandatory: true,
      check: (value) => (value.trim().length > 200 ? t('field.tooLongValidError', { max: 200 }) : undefined),
    },
    roleField('clerk'),
  ],
  commit: t('user.invite.commit'),
  done: t('user.invite.done'),
})

export function invite(values: Readonly<Record<string, string>>): Promise<unknown> {
  const { email = '', name = '', role } = values
  return api.ask(staffCall('POST', '/client/users'), {
    body: { email: email.trim(), name: name.trim(), role: role as User['role'] },
  })
}

/** What may be done with somebody: a proposal is approved by another manager than whoever made it, which the server decides. */
export function actsOn(user: User): readonly UserAct[] {
  return [
    ...(user.proposedRole === null ? [] : (['approve'] as const)),
    'role',
    ...(user.hasSecondFactor ? (['reset'] as const) : []),
    'remove',
  ]
}

export function formOf(act: UserAct, user: User): ActForm {
  const say = (part: 'title' | 'text' | 'commit' | 'done') => t(`user.${act}.${part}`, { name: user.name })
  return {
    title: say('title'),
    consequence: say('text'),
    commit: say('commit'),
    done: say('done'),
    fields: act === 'role' ? [roleField(user.role)] : [],
    isFinal: act === 'remove',
  }
}

export function perform(
  act: UserAct,
  { id, version }: User,
  values: Readonly<Record<string, string>>,
): Promise<unknown> {
  switch (act) {
    case 'role': {
      const body = { role: values['role'] as User['role'], version }
      return api.ask(staffCall('PUT', '/client/users/:id', { id }), { body })
    }
    case 'approve':
      return api.ask(staffCall('POST', '/client/users/:id/approve', { id }))
    case 'reset':
      return api.ask(staffCall('POST', '/client/users/:id/reset-second-factor', { id }))
    case 'remove':
      return api.ask(staffCall('DELETE', '/client/users/:id', { id }))
  }
}
