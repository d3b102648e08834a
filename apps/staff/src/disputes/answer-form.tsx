import { DISPUTE_DECISIONS, type DisputeDecision } from '@kvitt/domain/disputes/office-dispute.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ChoiceField, OfficeField } from '@kvitt/office/form/office-field.tsx'
import { useFields } from '@kvitt/office/form/use-fields.ts'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { useState, type ReactNode } from 'react'
import { AnswerFrame, useAnswering } from '../shell/cases/answer-frame.tsx'
import { t } from '../text.ts'
import { answerText } from './answer-texts.ts'
import type { DisputeDetail } from './dispute-calls.ts'

type AnswerProps = { dispute: DisputeDetail; beside?: ReactNode; onDone: () => void }

/** What was decided and written, and its sending. */
function useAnswer(dispute: DisputeDetail, onDone: () => void) {
  const { balances, debtor } = dispute
  const country = debtor.invoiceAddress.countryCode
  const [decision, setDecision] = useState<DisputeDecision>('REJECT')
  const isPart = decision === 'UPHOLD_PART'
  const fields = useFields(
    {
      amount: {
        type: 'float',
        mandatory: isPart,
        check: (value) => {
          const given = Number(readNumber(value))
          return !isPart || (given > 0 && given < balances.principal) ? undefined : t('dispute.amount_wrong')
        },
      },
      answer: { type: 'text', mandatory: true },
    },
    { answer: answerText('REJECT', country) },
  )
  const choose = (next: DisputeDecision) => {
    // What somebody has written is theirs.
    const isOurs = DISPUTE_DECISIONS.some((one) => answerText(one, country) === fields.values['answer'])
    if (isOurs || !fields.values['answer']) fields.set('answer', answerText(next, country))
    setDecision(next)
  }
  const answer = useAnswering({
    path: staffCall('POST', '/client/disputes/:id/decide', { id: dispute.id }).path,
    subject: dispute.id,
    name: debtor.name,
    check: fields.check,
    bodyOf: () => ({
      decision,
      answer: fields.values['answer'] ?? '',
      ...(isPart ? { amount: readNumber(fields.values['amount'] ?? '') ?? '' } : {}),
    }),
    onDone,
  })
  return { decision, choose, fields, answer }
}

/** The decision and the answer to the debtor: 1 to 3 choose, Ctrl Enter sends. */
export function AnswerForm({ dispute, beside, onDone }: AnswerProps) {
  const { currency, debtor } = dispute
  const { decision, choose, fields, answer } = useAnswer(dispute, onDone)
  const isPart = decision === 'UPHOLD_PART'
  useKeys({
    1: () => choose('UPHOLD'),
    2: () => choose('UPHOLD_PART'),
    3: () => choose('REJECT'),
    'Ctrl+Enter': answer.commit,
  })
  return (
    <AnswerFrame answer={answer} beside={beside}>
      <ChoiceField
        label={t('dispute.decision')}
        name="decision"
        value={decision}
        choices={DISPUTE_DECISIONS.map((value) => ({
          value,
          text: t(`dispute.decide.${value}`),
          hint: t(`dispute.decide.${value}.hint`),
        }))}
        onValue={(value) => choose(value as DisputeDecision)}
      />
      {isPart && (
        <OfficeField
          {...fields.propsOf('amount')}
          label={t('dispute.credited')}
          unit={currency}
          look="number"
          width="short"
        />
      )}
      <OfficeField
        {...fields.propsOf('answer')}
        label={t('dispute.answer_to', { name: debtor.name })}
        hint={t('dispute.answer_hint')}
        look="area"
      />
    </AnswerFrame>
  )
}
