import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ExportMenu } from '@kvitt/office/list/export-menu.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingFound, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { ListTools } from '@kvitt/office/list/list-tools.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import {
  auditQuery,
  fetchAudit,
  FILTERS,
  tabOf,
  TABS,
  type AuditEntry,
  type AuditTab,
} from './audit-calls.ts'
import { AuditCheck } from './audit-check.tsx'
import { AuditFilters } from './audit-filters.tsx'
import css from './audit-page.module.css'
import { hrefOfThing, kindText, personOf, shortOf, whoOf } from './audit-words.ts'

const columns = (): readonly Column<AuditEntry>[] => [
  {
    id: 'what',
    head: t('audit.what'),
    orderBy: 'kind',
    inRow: 'title',
    cell: ({ kind }) => kindText(kind),
  },
  { id: 'who', head: t('audit.who'), inRow: 'below', cell: whoOf },
  { id: 'about', head: t('audit.about'), look: 'quiet', inRow: 'below', cell: ({ about }) => shortOf(about) },
  {
    id: 'at',
    head: t('audit.when'),
    orderBy: 'at',
    inRow: 'below',
    cell: ({ at }) => momentText(at, { hasSeconds: true }),
  },
  {
    id: 'seal',
    head: t('audit.seal'),
    look: 'quiet',
    cell: ({ seal }) => <code className={css.seal}>{seal}</code>,
  },
]

/** Who did what, and who looked at what; the open entry stands beside the list. */
export default function AuditPage({ id }: { id: string }) {
  usePageName(t('view.audit'))
  const { query, change, sort, hrefOfTab } = useListState('id', FILTERS)
  const place = usePlace()
  const found = useQuery(auditQuery(query))
  const rows = found.data?.items ?? []
  const hrefOf = (entry: string) => hashOf({ view: 'audit', id: entry }, place.query)
  const close = () => goTo(hashOf({ view: 'audit' }, place.query))
  const { tab } = place.query
  const hrefOfOnly = (only: Readonly<Record<string, string>>) => hashOf({ view: 'audit' }, { tab, ...only })
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const open = rows.find((row) => row.id === id)
  const isFiltered = query.text !== '' || Object.keys(query.filters).length > 0
  const names = Object.keys(TABS) as AuditTab[]
  return (
    <>
      <Bar
        title={t('view.audit')}
        facts={found.data && t('audit.entries', { n: formatCount(found.data.total) })}
      />
      <AuditCheck />
      <Tabs
        label={t('list.filters')}
        tabs={names.map((tab) => ({ id: tab, text: t(`audit.tab.${tab}`) }))}
        current={tabOf(query.tab)}
        hrefOf={hrefOfTab}
      />
      <ListTools
        text={query.text}
        placeholder={t('audit.search')}
        onText={(text) => text !== query.text && change({ text })}
        more={<ExportMenu fetchList={fetchAudit(query)} name={t('view.audit')} />}
      />
      <AuditFilters
        query={query}
        nameOf={(actor) => rows.find((row) => personOf(row.actor) === actor)?.name ?? undefined}
        onChange={(filters) => change({ filters })}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {rows.length > 0 && (
        <Panels panel={open && <Entry key={open.id} entry={open} hrefOfOnly={hrefOfOnly} onClose={close} />}>
          <DataTable
            label={t('view.audit')}
            columns={columns()}
            rows={rows}
            idOf={(row) => row.id}
            hrefOf={(row) => hrefOf(row.id)}
            nameOf={({ kind, at }) => `${kindText(kind)} ${momentText(at, { hasSeconds: true })}`}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && rows.length === 0 && isFiltered && (
        <NothingFound onClear={() => change({ text: '', filters: {} })} />
      )}
      {found.data && rows.length === 0 && !isFiltered && <NothingLeft title={t('audit.none')} />}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.audit')} onChange={change} />
      )}
    </>
  )
}

type EntryProps = {
  entry: AuditEntry
  /** The log with nothing but what is of one person, or about one thing. */
  hrefOfOnly: (only: Readonly<Record<string, string>>) => string
  onClose: () => void
}

/** All that is known of one entry. */
function Entry({ entry, hrefOfOnly, onClose }: EntryProps) {
  const { kind, log, seq, at, actor, about, reason, before, after, seal } = entry
  const page = hrefOfThing(about)
  return (
    <Panel kind={t(`audit.log.${log}`)} title={kindText(kind)} onClose={onClose}>
      <Facts
        rows={[
          { id: 'seq', name: t('audit.number'), value: formatCount(seq) },
          { id: 'at', name: t('audit.when'), value: momentText(at, { hasSeconds: true }) },
          { id: 'who', name: t('audit.who'), value: whoOf(entry) },
          { id: 'actor', name: t('audit.identity'), value: <code className={css.long}>{actor}</code> },
          { id: 'about', name: t('audit.about'), value: <code className={css.long}>{about}</code> },
          { id: 'reason', name: t('audit.reason'), value: reason },
          { id: 'seal', name: t('audit.seal'), value: <code>{seal}</code> },
        ]}
      />
      <p className={css.links}>
        {page !== undefined && <a href={page}>{t('audit.open')}</a>}
        <a href={hrefOfOnly({ actor: personOf(actor) })}>{t('audit.all_by', { who: whoOf(entry) })}</a>
        <a href={hrefOfOnly({ about })}>{t('audit.all_about')}</a>
      </p>
      {before && <Details title={t('audit.before')} fields={before} />}
      {after && <Details title={t('audit.after')} fields={after} />}
    </Panel>
  )
}

function Details({ title, fields }: { title: string; fields: Readonly<Record<string, unknown>> }) {
  const rows = Object.entries(fields).map(([name, value]) => ({
    id: name,
    name,
    value: <code className={css.long}>{typeof value === 'string' ? value : JSON.stringify(value)}</code>,
  }))
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <Facts rows={rows} />
    </section>
  )
}
