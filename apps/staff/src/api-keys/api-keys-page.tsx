import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { apiKeysQuery, makeApiKey, revokeApiKey, type ApiKey } from './api-key-calls.ts'
import { makeForm, revokeForm } from './api-key-forms.ts'
import { NewSecret } from '../shell/new-secret.tsx'

const hrefOf = (id: string): string => hashOf({ view: 'api-keys', id })
const day = (at: string | null) => (at === null ? '–' : formatDay(at.slice(0, 10), 'short'))
const scopesText = ({ scopes }: ApiKey): string =>
  scopes.map((scope) => t(`api_key.scope.${scope}`)).join(', ')

function StateChip({ apiKey: { revokedAt, expiresAt }, today }: { apiKey: ApiKey; today: string }) {
  if (revokedAt !== null) return <Chip tone="neutral">{t('api_key.state.revoked')}</Chip>
  const isOver = expiresAt !== null && expiresAt.slice(0, 10) < today
  return isOver ? (
    <Chip tone="warn">{t('api_key.state.expired')}</Chip>
  ) : (
    <Chip tone="ok">{t('api_key.state.active')}</Chip>
  )
}

const columnsFor = (today: string): readonly Column<ApiKey>[] => [
  { id: 'name', head: t('debtor.name'), inRow: 'title', cell: ({ name }) => name },
  {
    id: 'last',
    head: t('api_key.key'),
    look: 'quiet',
    inRow: 'amount',
    cell: ({ lastFour }) => `…${lastFour}`,
  },
  { id: 'scopes', head: t('api_key.scopes'), inRow: 'below', cell: scopesText },
  { id: 'made', head: t('api_key.made'), look: 'quiet', cell: ({ createdAt }) => day(createdAt) },
  { id: 'expires', head: t('api_key.expires'), look: 'quiet', cell: ({ expiresAt }) => day(expiresAt) },
  { id: 'used', head: t('api_key.used'), look: 'quiet', cell: ({ usedAt }) => day(usedAt) },
  {
    id: 'state',
    head: t('invoice.status'),
    inRow: 'below',
    cell: (apiKey) => <StateChip apiKey={apiKey} today={today} />,
  },
]

/** What the creditor's programs sign in with. */
export default function ApiKeysPage({ id }: { id: string }) {
  usePageName(t('view.api-keys'))
  const { query, change } = useListState()
  const found = useQuery(apiKeysQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const may = useRight('api_keys')
  useKeys({ n: may ? () => setMaking(true) : undefined })
  const keys = found.data?.items ?? []
  const open = keys.find((key) => key.id === id)
  const currentId = useRowKeys({ ids: keys.map((key) => key.id), hrefOf, openId: open ? id : '' })
  const reload = () => void queries.invalidateQueries({ queryKey: ['api-keys'] })
  return (
    <>
      <Bar
        title={t('view.api-keys')}
        actions={
          may && (
            <OfficeButton look="primary" icon="plus" cap="N" onClick={() => setMaking(true)}>
              {t('api_key.make')}
            </OfficeButton>
          )
        }
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && keys.length === 0 && <NothingLeft title={t('api_keys.none')} />}
      {keys.length > 0 && (
        <Panels
          panel={
            open && (
              <ApiKeyPanel
                key={open.id}
                apiKey={open}
                today={today}
                onClose={() => goTo(hashOf({ view: 'api-keys' }))}
                onRevoked={reload}
              />
            )
          }
        >
          <DataTable
            label={t('view.api-keys')}
            columns={columnsFor(today)}
            rows={keys}
            idOf={(key) => key.id}
            hrefOf={(key) => hrefOf(key.id)}
            nameOf={({ name }) => name}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.api-keys')} onChange={change} />
      )}
      {isMaking && (
        <ActDialog
          form={makeForm(today)}
          onCommit={async (values) => setMade(await makeApiKey(values))}
          remedyFor={remedyFor}
          onClose={() => setMaking(false)}
          onDone={() => {
            setMaking(false)
            reload()
          }}
        />
      )}
      {made !== undefined && (
        <NewSecret
          title={t('api_key.new')}
          text={t('api_key.once')}
          label={t('api_key.key')}
          value={made}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}

type PanelProps = { apiKey: ApiKey; today: string; onClose: () => void; onRevoked: () => void }

function ApiKeyPanel({ apiKey, today, onClose, onRevoked }: PanelProps) {
  const [isRevoking, setRevoking] = useState(false)
  const { id, name, lastFour, createdAt, expiresAt, usedAt, revokedAt } = apiKey
  return (
    <Panel
      kind={t('api_key.key')}
      title={name}
      onClose={onClose}
      foot={
        revokedAt === null && (
          <OfficeButton look="danger" onClick={() => setRevoking(true)}>
            {t('api_key.revoke')}
          </OfficeButton>
        )
      }
    >
      <Facts
        rows={[
          { id: 'last', name: t('api_key.key'), value: `…${lastFour}` },
          { id: 'state', name: t('invoice.status'), value: <StateChip apiKey={apiKey} today={today} /> },
          { id: 'scopes', name: t('api_key.scopes'), value: scopesText(apiKey) },
          { id: 'made', name: t('api_key.made'), value: day(createdAt) },
          { id: 'expires', name: t('api_key.expires'), value: day(expiresAt) },
          { id: 'used', name: t('api_key.used'), value: day(usedAt) },
          { id: 'revoked', name: t('api_key.state.revoked'), value: revokedAt && day(revokedAt) },
        ]}
      />
      {isRevoking && (
        <ActDialog
          form={revokeForm(apiKey)}
          onCommit={() => revokeApiKey(id)}
          remedyFor={remedyFor}
          onClose={() => setRevoking(false)}
          onDone={() => {
            setRevoking(false)
            onRevoked()
          }}
        />
      )}
    </Panel>
  )
}
