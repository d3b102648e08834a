import { report } from '@kvitt/office/messages/messages.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useMutation } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { askGateway } from './payment-calls.ts'

type Asked = Awaited<ReturnType<typeof askGateway>>
type AskProps = {
  id: string
  /** What the gateway has said. */
  onAnswer: (answer: Asked) => void
}

/** The gateway is asked now what became of a payment under way, and what it says is done. */
export function AskGateway({ id, onAnswer }: AskProps) {
  const may = useRight('bank_files')
  const ask = useMutation({
    mutationFn: () => askGateway(id),
    meta: { isSilent: true },
    onSuccess: (answer) => {
      const { isAnswered, status } = answer
      reloadAll()
      if (!isAnswered) return report('bad', t('task.payment_late.silent'))
      report('ok', t('task.payment_late.said', { status: t(`payment.status.${status}`) }))
      onAnswer(answer)
    },
  })
  if (!may) return null
  return (
    <div>
      <OfficeButton look="primary" onClick={() => ask.mutate()} isBusy={ask.isPending}>
        {t('task.payment_late.ask')}
      </OfficeButton>
    </div>
  )
}
