import { Chip } from '@kvitt/office/parts/chip.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import type { DataRequest } from './request-calls.ts'

/** What was asked, by when it is answered, and what became of it. */
export function RequestFacts({ request, today }: { request: DataRequest; today: string }) {
  const { cameOn, cameBy, words, dueOn, extendedToldOn, extensionReason, answer, reason, toldOn } = request
  return (
    <Facts
      rows={[
        {
          id: 'came',
          name: t('data_request.came_on'),
          value: `${formatDay(cameOn)}, ${t(`data_request.by.${cameBy}`)}`,
        },
        { id: 'words', name: t('data_request.words'), value: words },
        {
          id: 'due',
          name: t('data_request.due'),
          value: answer === null && <Due on={dueOn} today={today} />,
        },
        {
          id: 'extended',
          name: t('data_request.extended'),
          value:
            extendedToldOn !== null &&
            t('data_request.extended_text', {
              day: formatDay(extendedToldOn),
              reason: extensionReason ?? '',
            }),
        },
        { id: 'answer', name: t('data_request.answer'), value: answerText(request) },
        { id: 'told', name: t('data_request.told_on'), value: toldOn !== null && formatDay(toldOn) },
        { id: 'reason', name: t('data_request.note'), value: reason },
      ]}
    />
  )
}

/** The last day of the law, and plainly where it has passed. */
function Due({ on, today }: { on: string; today: string }) {
  return (
    <>
      {formatDay(on, 'weekday')} {on < today && <Chip tone="bad">{t('data_request.overdue')}</Chip>}
    </>
  )
}

function answerText({ answer, answeredOn, ground }: DataRequest): string {
  if (answer === null) return t('flag.state.open')
  const said = t(`data_request.answer.${answer}`)
  const why = ground === null ? [] : [t(`data_request.because.${ground}`)]
  return [said, ...why, ...(answeredOn === null ? [] : [formatDay(answeredOn)])].join(', ')
}
