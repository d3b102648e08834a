import { Chip } from '@kvitt/office/parts/chip.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { t } from '../text.ts'
import type { Delivery, Webhook } from './webhook-calls.ts'

/** To the second: which of two tries came first. */
export const moment = (at: string | null): string =>
  at === null ? '–' : momentText(at, { hasSeconds: true })

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
