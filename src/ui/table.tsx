import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface TableColumn<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Set to `right` for columns of numbers. */
  align?: 'right'
}

/** Classes for a link in a cell; on a phone, where rows are cards, the link is tall enough to tap. */
export const cellLinkClasses = 'font-medium hover:underline max-md:-my-2.5 max-md:inline-flex max-md:min-h-11 max-md:items-center'

/** A table; on screens narrower than 768 px, each row is a card with the column names next to its values. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  /** What the table shows, for screen readers. */
  caption: string
  columns: TableColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
}) {
  return (
    <table className="block w-full md:table md:overflow-hidden md:rounded-card md:border-separate md:border-spacing-0 md:border md:border-line md:bg-paper">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {columns.map(c => (
            <th
              key={c.name}
              scope="col"
              className={cx('px-1.5 py-3 text-left text-13 font-medium text-ink-2 first:pl-4 last:pr-4 lg:px-4', c.align && 'text-right')}
            >
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
                  'flex flex-wrap items-center justify-between gap-x-4 py-1 md:table-cell md:border-t md:border-line md:px-1.5 md:py-3 md:text-14 md:first:pl-4 md:last:pr-4 lg:px-4 lg:text-16',
                  c.align && 'md:text-right',
                )}
              >
                <span aria-hidden="true" className="text-14 text-ink-2 md:hidden">
                  {c.name}
                </span>
                {/* In the table layout, numbers do not wrap, and other columns have a minimum width, so that short words stay whole. */}
                <span
                  className={cx(
                    'min-w-0 text-right',
                    c.align ? 'max-md:wrap-anywhere md:whitespace-nowrap' : 'wrap-anywhere md:inline-block md:min-w-18 md:text-left',
                  )}
                >
                  {c.cell(row)}
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
