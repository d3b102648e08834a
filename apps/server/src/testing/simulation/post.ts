/** The post in the story: what the nights tell is sent, dropped with what it cost, or taken by nobody. */
import { deliverMail, type Ways } from '../../mail/mail.ts'
import { NotSent } from '../../mail/smtp.ts'
import { dateLetter, dropStepMail } from '../../unsent-letters/unsent-letters.ts'
import type { Chance } from './chance.ts'
import { attempt, today, type World } from './world.ts'

/** A day of the post on which each way takes what it gets, or each message with this chance not at all. */
function openWays(chance: Chance, refusedShare: number): Ways {
  const take = async (): Promise<void> => {
    if (chance.happens(refusedShare)) throw new NotSent('nobody there', true)
  }
  return {
    EMAIL: take,
    SMS: take,
    LETTER: { stage: take, release: async () => {}, discard: async () => {}, staged: async () => [] },
  }
}

/** The post goes; now and then somebody has looked at what nobody took before. */
export async function post(world: World): Promise<void> {
  const { chance, context } = world
  if (chance.happens(0.5)) await mend(world)
  const letters = {
    drawLetter: async () => ({ name: 'a.pdf', title: 'Påminnelse', bytes: new Uint8Array() }),
    writeBill: async () => undefined,
  }
  const drop: Parameters<typeof deliverMail>[0]['dropStepMail'] = (of, dropRow) =>
    dropStepMail(context, { ...of, on: today(world) }, dropRow)
  const ways = openWays(chance, chance.happens(0.4) ? 0.9 : 0)
  const dated: Parameters<typeof deliverMail>[0]['dateLetter'] = (of) => dateLetter(context, of)
  await attempt('post', () =>
    deliverMail({ ...context, ...letters, dropStepMail: drop, dateLetter: dated }, ways),
  )
}

/** Somebody has looked at the letters that nobody took. */
async function mend({ test }: World): Promise<void> {
  await test.owner.query(
    `update task set done_at = now() where kind = 'mail_undeliverable' and done_at is null`,
  )
}
