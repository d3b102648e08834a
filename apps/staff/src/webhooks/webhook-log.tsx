import { Panel } from '@kvitt/office/frame/panel.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { changed, writeListQuery, readListQuery } from '@kvitt/office/list/list-query.ts'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queries } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import {
  deliveriesQuery,
  deliveryQuery,
  DELIVERY_TABS,
  replayDelivery,
  type Delivery,
  type DeliveryTab,
  type Webhook,
} from './webhook-calls.ts'
import { answerText, DeliveryChip, moment } from './webhook-chips.tsx'
import css from './webhooks.module.css'

const COLUMNS = (): readonly Column<Delivery>[] => [
  {
    id: 'event',
    head: t('webhook.event'),
    inRow: 'title',
    cell: ({ event }) => t(`webhook.event.${event}`),
  },
  {
    id: 'at',
    head: t('webhook.at'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ createdAt }) => moment(createdAt),
  },
  { id: 'answer', head: t('webhook.answer'), look: 'quiet', inRow: 'below', cell: answerText },
  { id: 'tries', head: t('webhook.tries'), look: 'quiet', inRow: 'amount', cell: ({ tries }) => tries },
  {
    id: 'state',
    head: t('invoice.status'),
    inRow: 'below',
    cell: (delivery) => <DeliveryChip delivery={delivery} />,
  },
]

/** What was sent, the newest first, and one of it beside the list. */
export function WebhookLog({ one }: { one: Webhook }) {
  const { query: address, subview } = usePlace()
  const query = readListQuery(address, 'id')
  const tab: DeliveryTab = Object.hasOwn(DELIVERY_TABS, query.tab) ? (query.tab as DeliveryTab) : 'all'
  const found = useQuery(deliveriesQuery(one.id, query, tab))
  const hrefOf = (id: string) =>
    hashOf({ view: 'webhooks', id: one.id, subview: id }, writeListQuery(query, 'id'))
  const write = (next: typeof query) => hashOf({ view: 'webhooks', id: one.id }, writeListQuery(next, 'id'))
  const deliveries = found.data?.items ?? []
  return (
    <section aria-label={t('webhook.log')}>
      <Tabs
        label={t('webhook.log')}
        current={tab}
        hrefOf={(id) => write(changed(query, { tab: id === 'all' ? '' : id }))}
        tabs={[
          { id: 'all', text: t('webhook.tab.all') },
          { id: 'failed', text: t('webhook.delivery.FAILED'), count: one.failed },
          { id: 'waiting', text: t('webhook.delivery.WAITING'), count: one.waiting },
          { id: 'delivered', text: t('webhook.delivery.DELIVERED') },
        ]}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && deliveries.length === 0 && <NothingLeft title={t('webhook.log.none')} />}
      {deliveries.length > 0 && (
        <Panels
          panel={
            subview && (
              <DeliveryPanel key={subview} id={subview} webhook={one} onClose={() => goTo(write(query))} />
            )
          }
        >
          <DataTable
            label={t('webhook.log')}
            columns={subview ? COLUMNS().filter(({ id }) => id !== 'tries') : COLUMNS()}
            rows={deliveries}
            idOf={({ id }) => id}
            hrefOf={({ id }) => hrefOf(id)}
            nameOf={({ event }) => t(`webhook.event.${event}`)}
            currentId={subview || undefined}
          />
        </Panels>
      )}
      {found.data && (
        <ListFoot
          query={query}
          total={found.data.total}
          label={t('webhook.log')}
          onChange={(change) => goTo(write(changed(query, change)), { replace: true })}
        />
      )}
    </section>
  )
}

type DeliveryPanelProps = { id: string; webhook: Webhook; onClose: () => void }

/** What was sent and what came back, each time. */
function DeliveryPanel({ id, webhook, onClose }: DeliveryPanelProps) {
  const found = useQuery(deliveryQuery(id, webhook.id))
  const again = useMutation({
    mutationFn: () => replayDelivery({ id }),
    meta: { done: t('webhook.replay.done') },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const one = found.data
  return (
    <Panel
      kind={t('webhook.event')}
      title={one ? t(`webhook.event.${one.event}`) : t('webhook.event')}
      onClose={onClose}
      foot={
        one &&
        webhook.isOn &&
        one.status !== 'WAITING' && (
          <OfficeButton look="primary" isBusy={again.isPending} onClick={() => again.mutate()}>
            {t('webhook.again')}
          </OfficeButton>
        )
      }
    >
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={2} />}
      {one && (
        <>
          <Facts
            rows={[
              { id: 'state', name: t('invoice.status'), value: <DeliveryChip delivery={one} /> },
              { id: 'id', name: 'webhook-id', value: <code className={css.code}>{one.eventId}</code> },
              { id: 'at', name: t('webhook.at'), value: moment(one.createdAt) },
              { id: 'next', name: t('webhook.next'), value: one.nextTryAt && moment(one.nextTryAt) },
            ]}
          />
          <h3>{t('webhook.request')}</h3>
          <pre className={css.code}>{JSON.stringify(JSON.parse(one.request), null, 2)}</pre>
          <h3>{t('webhook.tries')}</h3>
          {one.log.length === 0 && <p>{t('webhook.log.not_yet')}</p>}
          <ol className={css.tries}>
            {one.log.map((each) => (
              <li key={each.number}>
                <p>
                  <strong>{answerText(each)}</strong> · {moment(each.at)} · {t('webhook.ms', { ms: each.ms })}
                </p>
                {each.answer !== '' && <pre className={css.code}>{each.answer}</pre>}
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}
