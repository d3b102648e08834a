/** The SQL of when a letter left, which tells what it could say. */

/** When the letter about the step of this alias left, `infinity` while it waits, as SQL; null when nobody was to send it. */
export const leftAt = (step: string): string =>
  `(select case m.status when 'SENT' then m.sent_at when 'WAITING' then 'infinity' end from mail_outbox m
      where m.instance_id = ${step}.instance_id and m.cause = 'step:' || ${step}.id and m.step_id = ${step}.id limit 1)`
