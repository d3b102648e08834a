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
import { auditQuery, fetchAudit, tabOf, TABS, type AuditEntry, type AuditTab } from './audit-calls.ts'
import { AuditCheck } from './audit-check.tsx'
import css from './audit-page.module.css'

/** `invoice:` and its id, without the digits that nobody compares. */
const shortOf = (about: string): string => about.replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…')

const whoOf = ({ name, actor }: AuditEntry): string => name ?? shortOf(actor)

const columns = (): readonly Column<AuditEntry>[] => [
  {
    id: 'what',
    head: t('audit.what'),
    orderBy: 'kind',
    inRow: 'title',
    cell: ({ kind }) => kind.replaceAll('_', ' '),
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
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(auditQuery(query))
  const rows = found.data?.items ?? []
  const hrefOf = (entry: string) => hashOf({ view: 'audit', id: entry }, place.query)
  const close = () => goTo(hashOf({ view: 'audit' }, place.query))
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const open = rows.find((row) => row.id === id)
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
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {rows.length > 0 && (
        <Panels panel={open && <Entry key={open.id} entry={open} onClose={close} />}>
          <DataTable
            label={t('view.audit')}
            columns={columns()}
            rows={rows}
            idOf={(row) => row.id}
            hrefOf={(row) => hrefOf(row.id)}
            nameOf={({ kind, at }) => `${kind} ${momentText(at, { hasSeconds: true })}`}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && rows.length === 0 && query.text !== '' && (
        <NothingFound onClear={() => change({ text: '' })} />
      )}
      {found.data && rows.length === 0 && query.text === '' && <NothingLeft title={t('audit.none')} />}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.audit')} onChange={change} />
      )}
    </>
  )
}

/** All that is known of one entry. */
function Entry({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { kind, log, seq, at, actor, about, reason, before, after, seal } = entry
  return (
    <Panel kind={t(`audit.log.${log}`)} title={kind.replaceAll('_', ' ')} onClose={onClose}>
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
