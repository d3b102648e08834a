import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { WebhookActs } from './webhook-acts.tsx'
import { webhookQuery, type Webhook } from './webhook-calls.ts'
import { moment, WebhookChip } from './webhook-chips.tsx'
import { WebhookLog } from './webhook-log.tsx'
import css from './webhooks.module.css'

/** One webhook: what it is told of, what was sent to it, and what came back. */
export default function WebhookPage({ id }: { id: string }) {
  usePageName(t('view.webhooks'))
  const found = useQuery(webhookQuery(id))
  useKeys({ Escape: () => goTo(hashOf({ view: 'webhooks' })) })
  const one = found.data
  const crumb = { href: hashOf({ view: 'webhooks' }), text: t('view.webhooks') }
  if (!one) {
    return (
      <>
        <Bar title={t('webhook.webhook')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  return (
    <>
      <Bar title={new URL(one.address).host} crumb={crumb} />
      {!one.isOn && one.offReason && (
        <div className={css.part}>
          <MessageBox tone={one.offReason === 'BY_HAND' ? 'info' : 'bad'}>
            {t(`webhook.off_reason.${one.offReason}`)}
          </MessageBox>
        </div>
      )}
      <Settings one={one} />
      <WebhookLog key={id} one={one} />
    </>
  )
}

function Settings({ one }: { one: Webhook }) {
  return (
    <div className={css.part}>
      <Facts
        rows={[
          { id: 'address', name: t('webhook.address'), value: one.address },
          { id: 'state', name: t('invoice.status'), value: <WebhookChip webhook={one} /> },
          {
            id: 'events',
            name: t('webhook.events'),
            value: one.events.map((event) => t(`webhook.event.${event}`)).join(', '),
          },
          { id: 'last', name: t('webhook.delivered'), value: one.deliveredAt && moment(one.deliveredAt) },
          {
            id: 'former',
            name: t('webhook.former_until'),
            value: one.formerSecretUntil && moment(one.formerSecretUntil),
          },
        ]}
      />
      <WebhookActs one={one} />
    </div>
  )
}
