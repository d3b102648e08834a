/** The SQL of answers to "did this help?". */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { statement, type Connection } from '../platform/database/database.ts'

const count = statement(
  'articles.count',
  `insert into article_answer as a (instance_id, day, topic, language, helped, answers) values ($1, $2, $3, $4, $5, 1)
   on conflict (instance_id, day, topic, language, helped) do update set answers = a.answers + 1`,
)

export async function countAnswerRow(
  db: Connection,
  instanceId: string,
  { day, topic, language, helped }: { day: CalendarDate; topic: string; language: string; helped: boolean },
): Promise<void> {
  await db.rows(count, [instanceId, day, topic, language, helped])
}

const sums = statement(
  'articles.sums',
  `select topic, language, helped, sum(answers)::int as answers from article_answer where day >= $1
   group by topic, language, helped order by topic, language, helped`,
)

/** Of all instances together, since a day. */
export function readAnswerSums(
  db: Connection,
  since: CalendarDate,
): Promise<{ topic: string; language: string; helped: boolean; answers: number }[]> {
  return db.rows(sums, [since])
}

const forget = statement(
  'articles.forget',
  `delete from article_answer where (instance_id, day, topic, language, helped) in (
     select instance_id, day, topic, language, helped from article_answer where day < $1 limit 10000)
   returning 1`,
)

/** Removes what was answered before a day, 10,000 rows at a time. */
export async function forgetAnswerRows(db: Connection, before: CalendarDate): Promise<void> {
  while ((await db.rows(forget, [before])).length === 10_000);
}
