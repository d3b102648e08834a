import type { Column } from '@kvitt/office/list/data-table.tsx'
import { useMedia } from '@kvitt/office/parts/use-media.ts'
import { Facts } from '../shell/facts.tsx'
import css from './data-protection.module.css'

type PlainTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
}

/** Rows that lead nowhere: a table where there is room for one, else each row with its names. */
export function PlainTable<Row>({ label, columns, rows, idOf }: PlainTableProps<Row>) {
  const isNarrow = useMedia('(max-width: 700px)')
  if (isNarrow) {
    return (
      <ul className={css.rows} aria-label={label}>
        {rows.map((row) => (
          <li key={idOf(row)}>
            <Facts rows={columns.map(({ id, head, cell }) => ({ id, name: head, value: cell(row) }))} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <table className={css.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ id, head, align }) => (
            <th key={id} scope="col" data-align={align}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ id, cell, align, look }) => (
              <td key={id} data-align={align} data-look={look}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
