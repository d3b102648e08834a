import { addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  DATA_WISHES,
  groundsFor,
  isNo,
  OLDEST_MONTHS,
  REQUEST_WAYS,
  type DataAnswer,
} from '@kvitt/domain/data-protection/data-request.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { DataRequest } from './request-calls.ts'

const LONGEST_WORDS = 2000
const LONGEST_REASON = 1000

const atMost = (max: number) => (value: string) =>
  value.length > max ? t('field.tooLongValidError', { max }) : undefined

const choice = (
  name: string,
  label: string,
  choices: readonly { readonly value: string; readonly text: string }[],
): ActField => ({
  name,
  type: 'text',
  look: 'choice',
  label,
  initial: choices[0]?.value ?? '',
  choices,
})

const dayField = (
  name: string,
  label: string,
  { initial, min, max }: { readonly initial: string; readonly min: string; readonly max: string },
): ActField => ({ name, type: 'date', look: 'date', label, mandatory: true, initial, min, max })

const reasonField = (label: string, isMandatory = true): ActField => ({
  name: 'reason',
  type: 'text',
  look: 'area',
  label,
  hint: t('data_request.reason_hint'),
  mandatory: isMandatory,
  check: atMost(LONGEST_REASON),
})

export const enterForm = (name: string, today: string): ActForm => ({
  title: t('data_request.enter_title', { name }),
  consequence: t('data_request.enter_text'),
  fields: [
    choice(
      'wish',
      t('data_request.wish'),
      DATA_WISHES.map((value) => ({ value, text: t(`data_request.wish.${value}`) })),
    ),
    dayField('cameOn', t('data_request.came_on'), {
      initial: today,
      min: addMonths(today as CalendarDate, -OLDEST_MONTHS),
      max: today,
    }),
    choice(
      'cameBy',
      t('data_request.came_by'),
      REQUEST_WAYS.map((value) => ({ value, text: t(`data_request.by.${value}`) })),
    ),
    {
      name: 'words',
      type: 'text',
      look: 'area',
      label: t('data_request.words'),
      hint: t('data_request.words_hint'),
      check: atMost(LONGEST_WORDS),
    },
  ],
  commit: t('data_request.enter_commit'),
  done: t('data_request.enter_done'),
})

const toldField = ({ cameOn }: DataRequest, today: string, last = today): ActField =>
  dayField('toldOn', t('data_request.told_on'), {
    initial: last < today ? last : today,
    min: cameOn,
    max: last < today ? last : today,
  })

export const extendForm = (request: DataRequest, today: string): ActForm => ({
  title: t('data_request.extend_title'),
  consequence: t('data_request.extend_text'),
  fields: [toldField(request, today, request.dueOn), reasonField(t('data_request.extend_reason'))],
  commit: t('data_request.extend_commit'),
  done: t('data_request.extend_done'),
})

/** Whoever is told no is told how to complain: nobody says no without having done that. */
const toldHowField = (): ActField => ({
  name: 'wasToldHow',
  type: 'text',
  look: 'ticks',
  label: t('data_request.told_how'),
  mandatory: true,
  choices: [{ value: 'yes', text: t('data_request.told_how_text') }],
})

export function answerForm(answer: DataAnswer, request: DataRequest, today: string): ActForm {
  const ground = choice(
    'ground',
    t('data_request.because'),
    groundsFor(request.wish, answer).map((value) => ({ value, text: t(`data_request.because.${value}`) })),
  )
  return {
    title: t(`data_request.do.${answer}`),
    consequence: t(`data_request.${answer}.hint`),
    fields: [
      ...(isNo(answer) ? [ground] : []),
      ...(answer === 'WITHDRAWN' ? [] : [toldField(request, today)]),
      reasonField(t(`data_request.${answer}.reason`), answer !== 'HANDED_OUT'),
      ...(isNo(answer) ? [toldHowField()] : []),
    ],
    commit: t(`data_request.${answer}.commit`),
    isFinal: isNo(answer),
    done: t('data_request.answer_done'),
  }
}
