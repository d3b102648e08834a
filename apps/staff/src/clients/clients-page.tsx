import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingFound, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { ListTools } from '@kvitt/office/list/list-tools.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../calls.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { clientsQuery, makeClient, type Client } from './client-calls.ts'
import { newClientForm } from './client-forms.ts'
import { ClientPanel } from './client-panel.tsx'

const columnsFor = (today: string): readonly Column<Client>[] => [
  { id: 'name', head: t('debtor.name'), orderBy: 'name', inRow: 'title', cell: ({ name }) => name },
  {
    id: 'number',
    head: t('client.number'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ identificationNumber }) => identificationNumber ?? '–',
  },
  {
    id: 'agreed',
    head: t('client.agreement'),
    inRow: 'below',
    cell: ({ agreement }) =>
      agreement === null
        ? t('client.none_agreed')
        : t('client.from_day', { day: dayText(agreement.from, today) }),
  },
  {
    id: 'period',
    head: t('client.period'),
    look: 'quiet',
    inRow: 'amount',
    cell: ({ agreement }) => t(`client.period.${agreement?.period ?? 'MONTH'}`),
  },
]

/** The creditors of the operator; the open one stands beside the list. */
export default function ClientsPage({ id }: { id: string }) {
  usePageName(t('view.clients'))
  const { query, change, sort } = useListState('name')
  const [isAdding, setAdding] = useState(false)
  const may = useRight('creditors')
  useKeys({ n: may ? () => setAdding(true) : undefined })
  const place = usePlace()
  const found = useQuery(clientsQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const rows = found.data?.items ?? []
  const hrefOf = (client: string) => hashOf({ view: 'clients', id: client }, place.query)
  const close = () => goTo(hashOf({ view: 'clients' }, place.query))
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  return (
    <>
      <Bar
        title={t('view.clients')}
        facts={found.data && formatCount(found.data.total)}
        actions={
          may && (
            <OfficeButton look="primary" icon="plus" cap="N" onClick={() => setAdding(true)}>
              {t('client.new')}
            </OfficeButton>
          )
        }
      />
      <ListTools
        text={query.text}
        placeholder={t('client.search')}
        onText={(text) => text !== query.text && change({ text })}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={4} />}
      {(rows.length > 0 || id !== '') && (
        <Panels panel={id !== '' && <ClientPanel key={id} id={id} today={today} onClose={close} />}>
          {rows.length > 0 && (
            <DataTable
              label={t('view.clients')}
              columns={columnsFor(today)}
              rows={rows}
              idOf={(row) => row.id}
              hrefOf={(row) => hrefOf(row.id)}
              nameOf={({ name }) => name}
              query={query}
              onSort={sort}
              currentId={currentId}
            />
          )}
        </Panels>
      )}
      {found.data && rows.length === 0 && query.text !== '' && (
        <NothingFound onClear={() => change({ text: '' })} />
      )}
      {found.data && rows.length === 0 && query.text === '' && id === '' && (
        <NothingLeft title={t('client.none')} />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.clients')} onChange={change} />
      )}
      {isAdding && (
        <ActDialog
          form={newClientForm()}
          onCommit={async (values, key) => goTo(hrefOf((await makeClient(values, key)).id))}
          remedyFor={remedyFor}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            void queries.invalidateQueries({ queryKey: ['clients'] })
          }}
        />
      )}
    </>
  )
}
