import { Chip } from '@kvitt/office/parts/chip.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t } from '../text.ts'
import type { Delivery, Webhook } from './webhook-calls.ts'

/** "20 Nov, 14:05:09": which of two tries came first is a matter of seconds. */
export const moment = (at: string | null): string => {
  if (at === null) return '–'
  const time = new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'medium' }).format(new Date(at))
  return `${formatDay(at.slice(0, 10), 'short')} ${time}`
}

export function WebhookChip({ webhook: { isOn, offReason } }: { webhook: Webhook }) {
  if (isOn) return <Chip tone="ok">{t('webhook.state.on')}</Chip>
  return <Chip tone={offReason === 'BY_HAND' ? 'neutral' : 'warn'}>{t('webhook.state.off')}</Chip>
}

export function DeliveryChip({
  delivery: { status, tries },
}: {
  delivery: Pick<Delivery, 'status' | 'tries'>
}) {
  if (status === 'DELIVERED') return <Chip tone="ok">{t('webhook.delivery.DELIVERED')}</Chip>
  if (status === 'FAILED') return <Chip tone="bad">{t('webhook.delivery.FAILED')}</Chip>
  return <Chip tone={tries > 0 ? 'warn' : 'outline'}>{t('webhook.delivery.WAITING')}</Chip>
}

/** What came back, in words. */
export function answerText({ answerStatus, failure }: Pick<Delivery, 'answerStatus' | 'failure'>): string {
  if (failure !== null) return t(`webhook.failure.${failure}`)
  return answerStatus === null ? '–' : t('webhook.answered', { status: answerStatus })
}
