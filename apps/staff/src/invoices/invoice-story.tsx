import { useQuery } from '@tanstack/react-query'
import { Block } from '../debts/block.tsx'
import { Documents } from '../debts/documents.tsx'
import { Messages } from '../debts/messages.tsx'
import { Timeline, type TimelineStep } from '../debts/timeline.tsx'
import { t } from '../text.ts'
import { InvoiceRows } from './invoice-rows.tsx'
import { documentsQuery, messagesQuery, outlookQuery, rowsQuery, storyQuery } from './invoice-detail-calls.ts'
import type { Invoice } from './invoice-calls.ts'

/** How it got here and what comes, what was bought, the letters, and what the debtor was told. */
export function InvoiceStory({ invoice }: { invoice: Invoice }) {
  const { id, dates, currency } = invoice
  const { invoiceCurrency } = currency
  const story = useQuery(storyQuery(id))
  const outlook = useQuery(outlookQuery(id))
  return (
    <>
      <Block title={t('story.title')} found={story}>
        {({ events, planned }) => (
          <Timeline
            events={events}
            coming={comingOf(planned, outlook.data?.steps)}
            today={dates.today}
            currency={invoiceCurrency}
          />
        )}
      </Block>
      <Block title={t('draft.rows')} found={useQuery(rowsQuery(id))}>
        {(rows) => <InvoiceRows rows={rows} currency={invoiceCurrency} />}
      </Block>
      <Block title={t('story.documents')} found={useQuery(documentsQuery(id))}>
        {(documents) => <Documents documents={documents} />}
      </Block>
      <Block title={t('story.messages')} found={useQuery(messagesQuery(id))}>
        {(messages) => <Messages messages={messages} today={dates.today} />}
      </Block>
    </>
  )
}

type Planned = { readonly type: string; readonly plannedDate: string; readonly status: string }

/** The whole outlook, where there is one; of what rests or belongs to a plan, the step that is planned. */
function comingOf(
  planned: readonly Planned[],
  outlook: readonly TimelineStep[] | undefined,
): readonly TimelineStep[] {
  if (outlook && outlook.length > 0) return outlook
  return planned.map(({ type, plannedDate, status }) => ({
    type,
    date: plannedDate,
    fee: 0,
    lastPayDate: null,
    isOnHold: status === 'ON_HOLD',
  }))
}
