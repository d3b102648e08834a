import type { PlanAnswerGiven } from '@kvitt/domain/conversations/request.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, debtCall, reloadDebt } from '../calls.ts'
import { ActButton } from '../shell/act-button.tsx'
import type { DebtKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'
import { ownPlanQuery, type Thread } from './conversation-calls.ts'
import { PlanFigures } from './plan-figures.tsx'
import css from './talk.module.css'

const DONE: Readonly<Record<PlanAnswerGiven, MessageId>> = {
  ACCEPT: 'request.plan_started',
  DECLINE: 'request.outcome.COUNTER_DECLINED',
  WITHDRAW: 'request.outcome.WITHDRAWN',
}

type AnswerProps = { debtKey: DebtKey; thread: Thread }

function useAnswer({ debtKey, thread: { id } }: AnswerProps) {
  const [keys] = useState(() => ({
    ACCEPT: crypto.randomUUID(),
    DECLINE: crypto.randomUUID(),
    WITHDRAW: crypto.randomUUID(),
  }))
  return useMutation({
    mutationFn: ({ answer, offerVersion }: { answer: PlanAnswerGiven; offerVersion?: string }) =>
      api.ask(debtCall('POST', debtKey, '/conversations/answer'), {
        headers: { 'Idempotency-Key': keys[answer] },
        body: { conversation: id, answer, ...(offerVersion === undefined ? {} : { offerVersion }) },
      }),
    onSuccess: async (_, { answer }) => {
      await reloadDebt(debtKey)
      showToast(t(DONE[answer]))
    },
  })
}

/** The creditor's other plan with what it comes to, to accept or decline; one's own, to take back as long as it waits. */
export function PlanAnswer({ debtKey, thread }: AnswerProps) {
  const isCountered = thread.status === 'COUNTERED'
  const figures = useQuery({
    ...ownPlanQuery(debtKey, { conversation: thread.id }),
    enabled: isCountered,
    retry: false,
  })
  const send = useAnswer({ debtKey, thread })
  const error = send.error ?? figures.error
  const busyWith = send.isPending ? send.variables.answer : undefined
  const busy = (answer: PlanAnswerGiven) => (busyWith === answer ? t('dispute.busy') : undefined)
  const give = (answer: PlanAnswerGiven) => {
    if (send.isPending) return
    const offerVersion = answer === 'ACCEPT' ? figures.data?.offerVersion : undefined
    const given = { answer, ...(offerVersion === undefined ? {} : { offerVersion }) }
    // The figures may have changed: what is agreed to next is what is shown then.
    send.mutate(given, { onError: () => void (isCountered && figures.refetch()) })
  }
  return (
    <>
      {isCountered && figures.isPending && <Skeleton height={12} />}
      {isCountered && figures.data && <PlanFigures plan={figures.data} />}
      {error && (
        <MessageBox tone="bad" role="alert">
          <p>{error instanceof ApiRefusal ? error.message : t('talk.no_answer')}</p>
        </MessageBox>
      )}
      <p className={css.actions}>
        {isCountered && figures.data && (
          <ActButton busy={busy('ACCEPT')} onClick={() => give('ACCEPT')}>
            {t('request.plan_agree')}
          </ActButton>
        )}
        {isCountered ? (
          <ActButton look="text" busy={busy('DECLINE')} onClick={() => give('DECLINE')}>
            {t('request.plan_decline')}
          </ActButton>
        ) : (
          <ActButton look="text" busy={busy('WITHDRAW')} onClick={() => give('WITHDRAW')}>
            {t('request.plan_withdraw')}
          </ActButton>
        )}
      </p>
    </>
  )
}
