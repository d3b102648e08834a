import { decimalText } from '@kvitt/office/money-text.ts'
import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { NEED_ANSWER, REQUEST_DECISIONS, type RequestDecision } from '@kvitt/domain/conversations/request.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ChoiceField, OfficeField } from '@kvitt/office/form/office-field.tsx'
import { useFields } from '@kvitt/office/form/use-fields.ts'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { useState, type ReactNode } from 'react'
import { AnswerFrame, useAnswering } from '../shell/cases/answer-frame.tsx'
import { t, type MessageId } from '../text.ts'
import type { ConversationDetail } from './conversation-calls.ts'
import { OwnPlanFacts } from './own-plan-facts.tsx'

type DecideProps = { conversation: ConversationDetail; beside?: ReactNode; onDone: () => void }

/** What was decided and written, and its sending. */
function useDecision({ conversation, onDone }: DecideProps) {
  const { id, kind, wish, balance, debtor } = conversation
  const decisions: readonly RequestDecision[] = REQUEST_DECISIONS[kind]
  const [decision, setDecision] = useState<RequestDecision>(decisions[0] ?? 'DECLINE')
  const isFound = decision === 'FOUND'
  const isCounter = decision === 'COUNTER'
  const hasAmount = isFound || isCounter
  const hasDay = hasAmount || decision === 'GRANT'
  const fields = useFields(
    {
      day: { type: 'date', mandatory: hasDay },
      amount: {
        type: 'float',
        mandatory: hasAmount,
        check: (value) => {
          const given = Number(readNumber(value))
          return !hasAmount || (given > 0 && given <= balance) ? undefined : t('act.amount_wrong')
        },
      },
      answer: {
        type: 'text',
        mandatory: NEED_ANSWER.includes(decision),
        check: (value) =>
          value.length > LONGEST_MESSAGE ? t('conversation.too_long', { most: LONGEST_MESSAGE }) : undefined,
      },
    },
    { day: wish?.day ?? '', amount: decimalText((wish?.amount ?? 0).toFixed(2)) },
  )
  const answer = useAnswering({
    path: staffCall('POST', '/client/conversations/:id/decide', { id }).path,
    subject: id,
    name: debtor.name,
    check: fields.check,
    bodyOf: () => ({
      decision,
      answer: fields.values['answer']?.trim() || null,
      ...(hasDay ? { day: fields.values['day'] ?? '' } : {}),
      ...(hasAmount ? { amount: readNumber(fields.values['amount'] ?? '') ?? '' } : {}),
    }),
    onDone,
  })
  return { decisions, decision, setDecision, hasDay, hasAmount, fields, answer }
}

/** What the day of a decision is. */
const dayLabelOf = (decision: RequestDecision): MessageId =>
  decision === 'GRANT' ? 'request.until' : decision === 'COUNTER' ? 'plan.own.first' : 'request.came_on'

/** The decision about a request, and words to the debtor: 1 to 3 choose, Ctrl Enter sends. */
export function DecideForm(props: DecideProps) {
  const { conversation, beside } = props
  const { debtor, currency } = conversation
  const { decisions, decision, setDecision, hasDay, hasAmount, fields, answer } = useDecision(props)
  const isPlan = conversation.kind === 'PLAN'
  useKeys({
    ...Object.fromEntries(decisions.map((one, index) => [String(index + 1), () => setDecision(one)])),
    'Ctrl+Enter': answer.commit,
  })
  return (
    <AnswerFrame answer={answer} beside={beside}>
      <ChoiceField
        label={t('dispute.decision')}
        name="decision"
        value={decision}
        choices={decisions.map((value) => ({
          value,
          text: t(`request.decide.${value}`),
          hint: t(`request.decide.${value}.hint`),
        }))}
        onValue={(value) => setDecision(value as RequestDecision)}
      />
      {hasAmount && (
        <OfficeField
          {...fields.propsOf('amount')}
          label={t(isPlan ? 'plan.own.amount' : 'request.came')}
          unit={currency}
          look="number"
          width="short"
        />
      )}
      {hasDay && (
        <OfficeField {...fields.propsOf('day')} label={t(dayLabelOf(decision))} look="date" width="short" />
      )}
      {isPlan && decision !== 'DECLINE' && (
        <OwnPlanFacts id={conversation.id} {...(decision === 'COUNTER' ? { changed: fields.values } : {})} />
      )}
      <OfficeField
        {...fields.propsOf('answer')}
        label={t(NEED_ANSWER.includes(decision) ? 'dispute.answer_to' : 'request.words_optional', {
          name: debtor.name,
        })}
        hint={t('dispute.answer_hint')}
        look="area"
      />
    </AnswerFrame>
  )
}
