/** The debtor that a call is about. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { isDebtor } from './export-person.queries.ts'

/** Refuses `not_found`: who is not of this instance does not exist. */
export async function findDebtor(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<{ readonly id: string }> {
  if (!(await isDebtor(db, instance.id, id))) throw new Refusal('not_found')
  return { id }
}
