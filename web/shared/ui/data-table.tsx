/** A list of rows: a table that becomes cards where it is narrow. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '../texts/texts.tsx'
import { Button, SelectField } from './controls.tsx'
import { Empty } from './states.tsx'
import './table.css'

export interface TableColumn<Row> {
  id: string
  title: string
  render(row: Row): ReactNode
  sortValue?(row: Row): string | number | undefined
  width?: string
  /** Names the row: it carries the row's link, takes the free width, and heads the card. */
  isMain?: boolean
}

interface Sort {
  column: string
  isDescending: boolean
}

interface Props<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  rowHref?(row: Row): string | undefined
  empty: ReactNode
  selection?: { selected: ReadonlySet<string>; onChange(selected: Set<string>): void; getName(row: Row): string }
  more?: { hasMore: boolean; isLoading?: boolean; load(): void }
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, empty, selection, more } = props
  const { t } = useTranslation()
  const { sort, setSort, sortedRows } = useSort(columns, rows)
  if (rows.length === 0) return typeof empty === 'string' ? <Empty title={empty} /> : empty
  return (
    <div className="data-table">
      <CardSort columns={columns} sort={sort} onSort={setSort} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-holder" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {selection && (
                <th className="selects">
                  <SelectAll rows={rows} rowKey={rowKey} selection={selection} />
                </th>
              )}
              {columns.map((column) => (
                <ColumnHeader key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sortedRows.map((row) => (
              <TableRow key={rowKey(row)} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </section>
      {more?.hasMore && (
        <Button busy={more.isLoading} onClick={more.load}>
          {t('showMore')}
        </Button>
      )}
    </div>
  )
}

function useSort<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]) {
  const { language } = useTranslation()
  const [sort, setSort] = useState<Sort>()
  const getValue = sort && columns.find(({ id }) => id === sort.column)?.sortValue
  if (!sort || !getValue) return { sort: undefined, setSort, sortedRows: rows }
  const { compare } = new Intl.Collator(language, { numeric: true })
  const factor = sort.isDescending ? -1 : 1
  const sortedRows = rows.toSorted((a, b) => {
    const [left, right] = [getValue(a), getValue(b)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    const isNumeric = typeof left === 'number' && typeof right === 'number'
    return factor * (isNumeric ? left - right : compare(String(left), String(right)))
  })
  return { sort, setSort, sortedRows }
}

interface SortProps {
  sort: Sort | undefined
  onSort(sort: Sort | undefined): void
}

function ColumnHeader<Row>({ column, sort, onSort }: SortProps & { column: TableColumn<Row> }) {
  const { id, title, width, isMain, sortValue } = column
  const isSorted = sort?.column === id
  const Arrow = isSorted && sort.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      className={isMain ? 'wide' : undefined}
      style={width ? { width } : undefined}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {sortValue ? (
        <button
          type="button"
          className={`sort ${isSorted ? 'sorted' : ''}`}
          onClick={() => onSort(isSorted && sort.isDescending ? undefined : { column: id, isDescending: isSorted })}
        >
          {title}
          <Arrow aria-hidden="true" />
        </button>
      ) : (
        title
      )}
    </th>
  )
}

/** Cards have no headers to click. */
function CardSort<Row>({ columns, sort, onSort }: SortProps & { columns: readonly TableColumn<Row>[] }) {
  const { t } = useTranslation()
  const sortableColumns = columns.filter(({ sortValue }) => sortValue)
  if (sortableColumns.length === 0) return null
  return (
    <div className="card-sort">
      <SelectField
        label={t('sortBy')}
        value={sort?.column ?? ''}
        options={[{ value: '', label: '–' }, ...sortableColumns.map(({ id, title }) => ({ value: id, label: title }))]}
        onChange={({ target }) => onSort(target.value ? { column: target.value, isDescending: false } : undefined)}
      />
    </div>
  )
}

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'rowKey' | 'rowHref' | 'selection'> & { row: Row }

function TableRow<Row>({ row, columns, rowKey, rowHref, selection }: RowProps<Row>) {
  const { t } = useTranslation()
  const href = rowHref?.(row)
  const key = rowKey(row)
  const isSelected = selection?.selected.has(key) ?? false
  const toggle = () => {
    const selected = new Set(selection?.selected)
    if (!selected.delete(key)) selected.add(key)
    selection?.onChange(selected)
  }
  return (
    <tr className={`${href ? 'linked' : ''} ${isSelected ? 'selected' : ''}`}>
      {selection && (
        <td className="selects">
          <input
            type="checkbox"
            aria-label={t('selectNamed', { name: selection.getName(row) })}
            checked={isSelected}
            onChange={toggle}
          />
        </td>
      )}
      {columns.map(({ id, title, isMain, render }) => (
        <td key={id} className={isMain ? 'wide main' : undefined} data-title={title}>
          {isMain && href ? <Link href={href}>{render(row)}</Link> : render(row)}
        </td>
      ))}
    </tr>
  )
}

type SelectAllProps<Row> = Pick<Props<Row>, 'rows' | 'rowKey'> & { selection: NonNullable<Props<Row>['selection']> }

function SelectAll<Row>({ rows, rowKey, selection: { selected, onChange } }: SelectAllProps<Row>) {
  const { t } = useTranslation()
  const keys = rows.map(rowKey)
  const count = keys.filter((key) => selected.has(key)).length
  return (
    <input
      type="checkbox"
      aria-label={t('selectAll')}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && count < keys.length
      }}
      checked={count === keys.length}
      onChange={() => onChange(new Set(count === keys.length ? [] : keys))}
    />
  )
}
