/** Whether articles of the support site help: counted by day, without a trace of who answered. */
import { addDays, addMonths } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Language } from '../platform/texts.ts'
import type { MeasureGroup } from '../platform/measures/measures.ts'
import { takeQuestion } from '../sign-in/sign-in.ts'
import { countAnswerRow, forgetAnswerRows, readAnswerSums } from './articles.queries.ts'

export type ArticleAnswer = {
  /** An article that exists. */
  readonly topic: string
  readonly language: Language
  readonly helped: boolean
  /** Where the answer comes from. */
  readonly address: string
}

/** Counts an answer. False when this network has answered too often to be counted. */
export async function countAnswer(
  context: Context,
  instance: Instance,
  answer: ArticleAnswer,
): Promise<boolean> {
  const { topic, language, helped, address } = answer
  const asked = { scope: 'article-answer', address, isShared: true } as const
  if (!(await takeQuestion(context, instance, asked))) return false
  const day = context.clock.today(instance.timeZone)
  await countAnswerRow(context.db, instance.id, { day, topic, language, helped })
  return true
}

/** Days of answers that the figure tells of. */
const TOLD_DAYS = 30

/** The answers of 30 days as a figure for whoever watches: by article, language, and whether it helped. */
export const ANSWER_MEASURES: readonly MeasureGroup[] = [
  {
    gauges: [
      {
        name: 'kvitt_article_answers',
        help: 'Answers of 30 days to "did this help?", by article',
        labels: ['topic', 'language', 'helped'],
      },
    ],
    async read(db, clock) {
      const sums = await readAnswerSums(db, addDays(clock.today('UTC'), -TOLD_DAYS))
      return {
        kvitt_article_answers: sums.map(({ topic, language, helped, answers }) => [
          { topic, language, helped: helped ? 'yes' : 'no' },
          answers,
        ]),
      }
    },
  },
]

/** A month can be held against that of the year before. */
const KEPT_MONTHS = 13

/** Removes answers that are older than thirteen months. */
export async function forgetOldAnswers({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await forgetAnswerRows(db, addMonths(clock.today('UTC'), -KEPT_MONTHS))
}
