import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NewSecret } from '../shell/new-secret.tsx'
import { queries } from '../calls.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { makeWebhook, webhooksQuery, type Webhook } from './webhook-calls.ts'
import { moment, WebhookChip } from './webhook-chips.tsx'
import { makeForm } from './webhook-forms.ts'

const hrefOf = (id: string): string => hashOf({ view: 'webhooks', id })

const columns = (): readonly Column<Webhook>[] => [
  { id: 'address', head: t('webhook.address'), inRow: 'title', cell: ({ address }) => address },
  {
    id: 'events',
    head: t('webhook.events'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ events }) => events.length,
  },
  { id: 'last', head: t('webhook.delivered'), look: 'quiet', cell: ({ deliveredAt }) => moment(deliveredAt) },
  {
    id: 'waiting',
    head: t('webhook.delivery.WAITING'),
    look: 'quiet',
    inRow: 'amount',
    cell: ({ waiting }) => (waiting === 0 ? '–' : waiting),
  },
  {
    id: 'failed',
    head: t('webhook.delivery.FAILED'),
    look: 'quiet',
    cell: ({ failed }) => (failed === 0 ? '–' : failed),
  },
  {
    id: 'state',
    head: t('invoice.status'),
    inRow: 'below',
    cell: (webhook) => <WebhookChip webhook={webhook} />,
  },
]

/** Where the creditor's programs are told of what happens. */
export default function WebhooksPage() {
  usePageName(t('view.webhooks'))
  const found = useQuery(webhooksQuery())
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string }>()
  useKeys({ n: () => setMaking(true) })
  const webhooks = found.data?.items ?? []
  const currentId = useRowKeys({ ids: webhooks.map(({ id }) => id), hrefOf })
  return (
    <>
      <Bar
        title={t('view.webhooks')}
        actions={
          <OfficeButton look="primary" icon="plus" cap="N" onClick={() => setMaking(true)}>
            {t('webhook.make')}
          </OfficeButton>
        }
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && webhooks.length === 0 && <NothingLeft title={t('webhooks.none')} />}
      {webhooks.length > 0 && (
        <DataTable
          label={t('view.webhooks')}
          columns={columns()}
          rows={webhooks}
          idOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          nameOf={({ address }) => address}
          currentId={currentId}
        />
      )}
      {isMaking && (
        <ActDialog
          form={makeForm()}
          onCommit={async (values, key) => setMade(await makeWebhook(values, key))}
          onClose={() => setMaking(false)}
          onDone={() => {
            setMaking(false)
            void queries.invalidateQueries({ queryKey: ['webhooks'] })
          }}
        />
      )}
      {made && (
        <NewSecret
          title={t('webhook.secret')}
          text={t('webhook.secret_once')}
          label={t('webhook.secret')}
          value={made.secret}
          onClose={() => goTo(hrefOf(made.id))}
        />
      )}
    </>
  )
}
