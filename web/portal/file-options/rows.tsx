/** Selects the header row among the first rows of a table. */
import { useId } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import '../../shared/ui/table.css'
import type { Table } from './choice.ts'

export function HeaderRows(props: { table: Table; value: number; onChange(row: number): void }) {
  const { table, value, onChange } = props
  const { t } = useTranslation()
  const id = useId()
  const columns = Math.max(1, ...table.rows.map(({ cells }) => cells.length))
  const renderRadio = (row: number, label: string) => (
    <input
      type="radio"
      id={`${id}-${row}`}
      name={id}
      aria-label={label}
      checked={value === row}
      onChange={() => onChange(row)}
    />
  )
  return (
    <fieldset className="header-rows">
      <legend>{t('headerRow')}</legend>
      <div className="table-holder">
        <table>
          <tbody>
            {table.rows.map(({ row, cells }) => {
              const filled = cells.filter((cell) => cell.trim() !== '')
              return (
                <tr key={row} className={getRowClass(row, value)}>
                  <td>{filled.length > 0 && renderRadio(row, t('rowNamed', { row, cells: filled.join(', ') }))}</td>
                  <td className="count">
                    <label htmlFor={`${id}-${row}`}>{row}</label>
                  </td>
                  {Array.from({ length: columns }, (_, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                    <td key={column}>
                      <label htmlFor={`${id}-${row}`} dir="auto">
                        {cells[column]}
                      </label>
                    </td>
                  ))}
                  {table.width > columns && <td aria-hidden="true">…</td>}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <div className="check">
        {renderRadio(0, t('noHeaderRow'))}
        <label htmlFor={`${id}-0`}>{t('noHeaderRow')}</label>
      </div>
    </fieldset>
  )
}

const getRowClass = (row: number, headerRow: number): string => {
  if (row === headerRow) return 'is-header'
  return row < headerRow ? 'is-above' : 'is-data'
}
