import { useRef, type ReactNode } from 'react'
import { t } from '../text.ts'
import { useMedia } from '../parts/use-media.ts'
import css from './data-table.module.css'
import type { ListQuery } from './list-query.ts'

export type Column<Row> = {
  readonly id: string
  readonly head: string
  /** Only for those who hear the table: the column beside it says what both are. */
  readonly isHeadSpoken?: boolean
  readonly cell: (row: Row) => ReactNode
  /** What the list is ordered by when its head is pressed. */
  readonly orderBy?: string
  readonly align?: 'end'
  /** Where it stands when the table becomes rows: first, opposite of it, below. Left out elsewhere. */
  readonly inRow?: 'title' | 'amount' | 'below'
  /** In the last row: what all rows of the page come to. */
  readonly sum?: ReactNode
  /** The sum that counts, closed with the double rule. */
  readonly isTotal?: boolean
  /** `text`: as the first of the row it may take two lines, where a number or a name would not. */
  readonly look?: 'name' | 'quiet' | 'strong' | 'text'
}

export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly onToggle: (id: string, isRange: boolean) => void
  readonly onAll: (isOn: boolean) => void
}

export type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  hrefOf: (row: Row) => string
  /** What the row is called, for its checkbox. */
  nameOf: (row: Row) => string
  /** Heading of the group that begins with this row. */
  groupOf?: (row: Row) => string
  query?: ListQuery
  onSort?: (orderBy: string) => void
  selection?: Selection | undefined
  /** The row that the keys stand on. */
  currentId?: string | undefined
}

/** Rows of one kind: a table where there is room for one, else a list of rows. */
export function DataTable<Row>(props: TableProps<Row>) {
  const isNarrow = useMedia('(max-width: 700px)')
  return isNarrow ? <RowList {...props} /> : <Table {...props} />
}

function beginsGroup<Row>(props: TableProps<Row>, index: number): string | undefined {
  const { rows, groupOf } = props
  const row = rows[index]
  const before = rows[index - 1]
  if (!groupOf || row === undefined) return undefined
  const group = groupOf(row)
  return before !== undefined && groupOf(before) === group ? undefined : group
}

function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, idOf, selection, query, onSort } = props
  const hasSums = columns.some(({ sum }) => sum !== undefined)
  const all = rows.length > 0 && rows.every((row) => selection?.selected.has(idOf(row)))
  const width = columns.length + (selection ? 1 : 0)
  return (
    <table className={css.table} aria-label={label}>
      <thead>
        <tr>
          {selection && (
            <th className={css.tick} scope="col">
              <Tick
                label={t('list.select_all')}
                isOn={all}
                isSome={!all && selection.selected.size > 0}
                onToggle={() => selection.onAll(!all)}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} query={query} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Body key={idOf(row)} props={props} row={row} group={beginsGroup(props, index)} width={width} />
        ))}
      </tbody>
      {hasSums && rows.length > 0 && (
        <tfoot>
          <tr>
            {selection && <td />}
            {columns.map(({ id, sum, isTotal, align }, index) => (
              <td key={id} data-align={align}>
                {index === 0
                  ? t('list.on_this_page')
                  : sum !== undefined && <span className={isTotal ? css.total : undefined}>{sum}</span>}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

type HeadProps<Row> = {
  column: Column<Row>
  query: ListQuery | undefined
  onSort: ((orderBy: string) => void) | undefined
}

function Head<Row>({ column, query, onSort }: HeadProps<Row>) {
  const { head, orderBy, align, isHeadSpoken = false } = column
  const isSorted = orderBy !== undefined && query?.orderBy === orderBy
  const direction = query?.order === 'asc' ? 'ascending' : 'descending'
  return (
    <th scope="col" data-align={align} aria-sort={isSorted ? direction : undefined}>
      {orderBy && onSort ? (
        <button type="button" className={css.sort} onClick={() => onSort(orderBy)}>
          {head}
          {isSorted && <span aria-hidden="true">{query?.order === 'asc' ? ' ↑' : ' ↓'}</span>}
        </button>
      ) : (
        <span className={isHeadSpoken ? 'spoken' : undefined}>{head}</span>
      )}
    </th>
  )
}

type BodyProps<Row> = { props: TableProps<Row>; row: Row; group: string | undefined; width: number }

function Body<Row>({ props, row, group, width }: BodyProps<Row>) {
  const { columns, idOf, hrefOf, nameOf, selection, currentId } = props
  const link = useRef<HTMLAnchorElement>(null)
  const id = idOf(row)
  return (
    <>
      {group !== undefined && (
        <tr className={css.group}>
          <th colSpan={width} scope="rowgroup">
            {group}
          </th>
        </tr>
      )}
      <tr
        data-selected={selection?.selected.has(id) || undefined}
        data-current={id === currentId || undefined}
        onClick={({ target }) => {
          const isControl = target instanceof Element && target.closest('a, button, input, label')
          if (!isControl && !getSelection()?.toString()) link.current?.click()
        }}
      >
        {selection && (
          <td className={css.tick}>
            <Tick
              label={t('list.select', { name: nameOf(row) })}
              isOn={selection.selected.has(id)}
              onToggle={(isRange) => selection.onToggle(id, isRange)}
            />
          </td>
        )}
        {columns.map(({ id: column, cell, align, look }, index) => (
          <td key={column} data-align={align} data-look={look}>
            {index === 0 ? (
              <a ref={link} href={hrefOf(row)} className={css.link}>
                {cell(row)}
              </a>
            ) : (
              cell(row)
            )}
          </td>
        ))}
      </tr>
    </>
  )
}

type TickProps = {
  label: string
  isOn: boolean
  isSome?: boolean
  onToggle: (isRange: boolean) => void
}

function Tick({ label, isOn, isSome = false, onToggle }: TickProps) {
  const isRange = useRef(false)
  return (
    <label className={css.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
        onClick={({ shiftKey }) => {
          isRange.current = shiftKey
        }}
        onChange={() => onToggle(isRange.current)}
      />
    </label>
  )
}

function RowList<Row>(props: TableProps<Row>) {
  const { label, columns, rows, idOf, hrefOf, currentId } = props
  const at = (place: Column<Row>['inRow']) => columns.filter(({ inRow }) => inRow === place)
  return (
    <ul className={css.rows} aria-label={label}>
      {rows.map((row, index) => {
        const group = beginsGroup(props, index)
        return (
          <li key={idOf(row)} data-current={idOf(row) === currentId || undefined}>
            {group !== undefined && <p className={css.groupRow}>{group}</p>}
            <a href={hrefOf(row)} className={css.row}>
              <span className={css.rowTitle}>
                {at('title').map(({ id, cell }) => (
                  <span key={id}>{cell(row)}</span>
                ))}
              </span>
              <span className={css.rowAmount}>
                {at('amount').map(({ id, cell }) => (
                  <span key={id}>{cell(row)}</span>
                ))}
              </span>
              <span className={css.rowBelow}>
                {at('below').map(({ id, cell }) => (
                  <span key={id}>{cell(row)}</span>
                ))}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
