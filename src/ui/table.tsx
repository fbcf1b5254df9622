import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  align?: 'right'
}

/** Rows and columns; under 768 px each row is a card with the column names beside its values. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  /** What the table shows, for those who hear it. */
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
}) {
  return (
    <table className="block w-full md:table md:overflow-hidden md:rounded-card md:border-separate md:border-spacing-0 md:border md:border-line md:bg-paper">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {columns.map(c => (
            <th key={c.name} scope="col" className={cx('px-4 py-3 text-left text-13 font-medium text-ink-2', c.align && 'text-right')}>
              {c.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="flex flex-col gap-3 md:table-row-group">
        {rows.map(row => (
          <tr key={rowKey(row)} className="flex flex-col rounded-card border border-line bg-paper p-4 md:table-row md:p-0">
            {columns.map(c => (
              <td
                key={c.name}
                className={cx(
                  'flex items-center justify-between gap-4 py-1 md:table-cell md:border-t md:border-line md:px-4 md:py-3',
                  c.align && 'md:text-right',
                )}
              >
                <span aria-hidden="true" className="text-14 text-ink-2 md:hidden">
                  {c.name}
                </span>
                <span className="min-w-0 text-right wrap-anywhere md:text-[inherit]">{c.cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
