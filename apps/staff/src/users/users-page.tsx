import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingFound } from '@kvitt/office/list/list-states.tsx'
import { ListTools } from '@kvitt/office/list/list-tools.tsx'
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
import { useMe, useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { actsOn, formOf, invite, inviteForm, perform, type UserAct } from './user-acts.ts'
import { usersQuery, type User } from './user-calls.ts'

const hrefOf = (id: string): string => hashOf({ view: 'users', id })
const day = (at: string | null) => (at === null ? '–' : formatDay(at.slice(0, 10), 'short'))

function StateChip({ user: { isInvited, proposedRole } }: { user: User }) {
  if (proposedRole) return <Chip tone="warn">{t('user.state.proposed')}</Chip>
  return isInvited ? (
    <Chip tone="outline">{t('user.state.invited')}</Chip>
  ) : (
    <Chip tone="ok">{t('user.state.active')}</Chip>
  )
}

const COLUMNS = (): readonly Column<User>[] => [
  { id: 'name', head: t('debtor.name'), orderBy: 'name', inRow: 'title', cell: ({ name }) => name },
  { id: 'email', head: t('debtor.email'), look: 'quiet', inRow: 'below', cell: ({ email }) => email },
  { id: 'role', head: t('user.role'), inRow: 'amount', cell: ({ role }) => t(`role.${role}`) },
  {
    id: 'state',
    head: t('invoice.status'),
    inRow: 'below',
    cell: (user) => <StateChip user={user} />,
  },
  {
    id: 'seen',
    head: t('user.signed_in'),
    look: 'quiet',
    cell: ({ signedInAt }) => day(signedInAt),
  },
]

/** The people who work for the creditor, or for the operator. */
export default function UsersPage({ id }: { id: string }) {
  usePageName(t('view.users'))
  const { query, change, sort } = useListState()
  const found = useQuery(usersQuery(query))
  const [isInviting, setInviting] = useState(false)
  const may = useRight('users')
  useKeys({ n: may ? () => setInviting(true) : undefined })
  const users = found.data?.items ?? []
  const open = users.find((user) => user.id === id)
  const close = () => goTo(hashOf({ view: 'users' }))
  const currentId = useRowKeys({ ids: users.map((user) => user.id), hrefOf, openId: open ? id : '' })
  const reload = () => void queries.invalidateQueries({ queryKey: ['users'] })
  return (
    <>
      <Bar
        title={t('view.users')}
        actions={
          may && (
            <OfficeButton look="primary" icon="plus" cap="N" onClick={() => setInviting(true)}>
              {t('user.invite')}
            </OfficeButton>
          )
        }
      />
      <ListTools
        text={query.text}
        placeholder={t('user.search')}
        onText={(text) => text !== query.text && change({ text })}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={4} />}
      {found.data && users.length === 0 && <NothingFound onClear={() => change({ text: '' })} />}
      {users.length > 0 && (
        <Panels panel={open && <UserPanel key={open.id} user={open} onClose={close} onChanged={reload} />}>
          <DataTable
            label={t('view.users')}
            // The panel says the rest.
            columns={open ? COLUMNS().slice(0, 4) : COLUMNS()}
            rows={users}
            idOf={(user) => user.id}
            hrefOf={(user) => hrefOf(user.id)}
            nameOf={({ name }) => name}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.users')} onChange={change} />
      )}
      {isInviting && (
        <ActDialog
          form={inviteForm()}
          onCommit={invite}
          remedyFor={remedyFor}
          onClose={() => setInviting(false)}
          onDone={() => {
            setInviting(false)
            reload()
          }}
        />
      )}
    </>
  )
}

type UserPanelProps = { user: User; onClose: () => void; onChanged: () => void }

/** One of them, and what a manager can do. */
function UserPanel({ user, onClose, onChanged }: UserPanelProps) {
  const { membership } = useMe()
  const [act, setAct] = useState<UserAct>()
  const { name, email, role, proposedRole, createdAt, signedInAt } = user
  return (
    <Panel
      kind={t('user.user')}
      title={name}
      onClose={onClose}
      foot={actsOn(user).map((one, index) => (
        <OfficeButton
          key={one}
          look={one === 'remove' ? 'danger' : index === 0 ? 'primary' : 'secondary'}
          onClick={() => setAct(one)}
        >
          {formOf(one, user).title}
        </OfficeButton>
      ))}
    >
      <Facts
        rows={[
          { id: 'email', name: t('debtor.email'), value: email },
          { id: 'role', name: t('user.role'), value: t(`role.${role}`) },
          { id: 'may', name: t('user.may'), value: t(`role.${role}.hint`) },
          { id: 'state', name: t('invoice.status'), value: <StateChip user={user} /> },
          {
            id: 'factor',
            name: t('factor.title'),
            value: t(user.hasSecondFactor ? 'factor.on' : 'factor.off'),
          },
          { id: 'since', name: t('user.since'), value: day(createdAt) },
          { id: 'seen', name: t('user.signed_in'), value: day(signedInAt) },
        ]}
      />
      {proposedRole && <p>{t(isAdmin ? 'user.proposed_operator_text' : 'user.proposed_text')}</p>}
      {user.id === membership.id && <p>{t('user.you')}</p>}
      {act && (
        <ActDialog
          form={formOf(act, user)}
          onCommit={(values) => perform(act, user, values)}
          remedyFor={remedyFor}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined)
            if (act === 'remove') onClose()
            onChanged()
          }}
        />
      )}
    </Panel>
  )
}
