/** What has become of an act that was asked for with `Undo-Seconds`, and how it is taken back. */
import { z } from 'zod'
import { officeCall, instant } from '../contract.ts'
import { ACT_STATES } from './act.ts'

/** What an act answers that waits: by this name it is asked after and taken back. */
export const waitingAct = z.strictObject({ actId: z.uuid() })

const actAnswer = z.strictObject({
  id: z.uuid(),
  /** The call that asked for it, and the row that it is about. */
  call: z.string(),
  subject: z.uuid(),
  state: z.enum(ACT_STATES),
  askedAt: instant,
  /** When it is done, or would have been. */
  dueAt: instant,
  /** Why it was refused after all, as any call is refused; null unless it was. */
  code: z.string().nullable(),
  message: z.string().nullable(),
})

export const getAct = officeCall({
  name: 'act',
  right: 'own_acts',
  path: '/acts/:id',
  response: actAnswer,
})

/** Nothing of it is done. Asked again it answers the same. */
export const takeBackAct = officeCall({
  name: 'takeBackAct',
  right: 'own_acts',
  method: 'DELETE',
  path: '/acts/:id',
  response: actAnswer,
  refusals: ['act_done'],
})
