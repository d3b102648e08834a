/** What a manager does with the people of the creditor, or of the operator. */
import { CREDITOR_ROLES, OPERATOR_ROLES } from '@kvitt/domain/staff/roles.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { staffCall } from '@kvitt/office/calls.ts'
import { api } from '../calls.ts'
import { isAdmin } from '../shell/portal.ts'
import { t } from '../text.ts'
import type { User } from './user-calls.ts'

export type UserAct = 'role' | 'approve' | 'reset' | 'reset_factor' | 'remove'

const roleField = (initial: string): ActField => ({
  name: 'role',
  type: 'text',
  look: 'choice',
  label: t('user.role'),
  initial,
  choices: (isAdmin ? OPERATOR_ROLES : CREDITOR_ROLES).map((value) => ({
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
    roleField(isAdmin ? 'handler' : 'clerk'),
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

/**
 * What may be done with somebody: a proposal is approved by another manager than whoever made it, which the server decides; an
 * operator's stands among the other proposals.
 */
export function actsOn(user: User): readonly UserAct[] {
  const isProposed = user.proposedRole !== null
  return [
    ...(isProposed && !isAdmin ? (['approve'] as const) : []),
    ...(isProposed && isAdmin ? [] : (['role'] as const)),
    'reset',
    ...(user.hasSecondFactor ? (['reset_factor'] as const) : []),
    'remove',
  ]
}

export function formOf(act: UserAct, user: User): ActForm {
  const which = act === 'reset' && user.isInvited ? 'invite_again' : act
  const say = (part: 'title' | 'text' | 'commit' | 'done') => t(`user.${which}.${part}`, { name: user.name })
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
    case 'reset_factor':
      return api.ask(staffCall('POST', '/client/users/:id/reset-second-factor', { id }))
    case 'reset':
      return api.ask(staffCall('POST', '/client/users/:id/reset', { id }))
    case 'remove':
      return api.ask(staffCall('DELETE', '/client/users/:id', { id }))
  }
}
