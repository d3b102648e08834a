/** The state of a list: what its address says, which row the keys stand on, and what is selected. */
import { goTo } from '@kvitt/ui/routes.ts'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys/keys.ts'
import { hashOf, usePlace } from '../place.ts'
import type { Selection } from './data-table.tsx'
import { changed, readListQuery, sortedBy, toggled, writeListQuery, type ListQuery } from './list-query.ts'

export type ListState = {
  readonly query: ListQuery
  readonly change: (change: Partial<ListQuery>) => void
  readonly sort: (orderBy: string) => void
  readonly hrefOfTab: (tab: string) => string
}

/**
 * @param orderBy how the list is ordered when its address does not say
 * @param filters the names of what the view asks besides, which stand in its address too
 */
export function useListState(orderBy = 'id', filters: readonly string[] = []): ListState {
  const { view, query: address } = usePlace()
  const query = readListQuery(address, orderBy, filters)
  const write = (next: ListQuery) => hashOf({ view }, writeListQuery(next, orderBy))
  return {
    query,
    change: (change) => goTo(write(changed(query, change)), { replace: true }),
    sort: (by) => goTo(write(sortedBy(query, by)), { replace: true }),
    hrefOfTab: (tab) => write(changed(query, { tab })),
  }
}

type RowKeys = {
  readonly ids: readonly string[]
  readonly hrefOf: (id: string) => string
  readonly selection?: Selection | undefined
  /** The row whose panel is open: the keys begin there, and lead from panel to panel. */
  readonly openId?: string
}

/** J and K move, Enter opens, X selects. Answers the row that the keys stand on. */
export function useRowKeys({ ids, hrefOf, selection, openId = '' }: RowKeys): string | undefined {
  const [moved, setMoved] = useState<string>()
  const current = openId === '' ? moved : openId
  const at = current === undefined ? -1 : ids.indexOf(current)
  const move = (step: number) => {
    const next = ids[Math.min(Math.max(at + step, 0), ids.length - 1)]
    setMoved(next)
    if (openId !== '' && next !== undefined) goTo(hrefOf(next), { replace: true })
  }
  const on = at === -1 ? undefined : current
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: on === undefined ? undefined : () => goTo(hrefOf(on)),
    x: on === undefined ? undefined : () => selection?.onToggle(on, false),
    'Shift+x': on === undefined ? undefined : () => selection?.onToggle(on, true),
  })
  useEffect(() => {
    if (on !== undefined) document.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [on])
  return on
}

/** What is selected of a list; it is left when the list shows something else. */
export function useSelection(
  ids: readonly string[],
  shown: string,
): Selection & { readonly leave: () => void } {
  const [state, setState] = useState<{ shown: string; last: string; selected: ReadonlySet<string> }>({
    shown,
    last: '',
    selected: new Set(),
  })
  const isSame = state.shown === shown
  const selected = isSame ? new Set([...state.selected].filter((id) => ids.includes(id))) : new Set<string>()
  const set = (next: ReadonlySet<string>, last = '') => setState({ shown, last, selected: next })
  return {
    selected,
    onToggle: (id, isRange) =>
      set(toggled(selected, id, isRange && isSame ? { from: state.last, ids } : undefined), id),
    onAll: (isOn) => set(new Set(isOn ? ids : [])),
    leave: () => set(new Set()),
  }
}
