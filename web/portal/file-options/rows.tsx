/** Selects the header row among the first rows of a table. */
import { useId } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import '../../shared/ui/table.css'
import type { Table } from './choice.ts'

interface Props {
  table: Table
  value: number
  lines: number
  onChange(row: number): void
  onLinesChange(lines: number): void
}

const MAX_LINES = 5

export function HeaderRows({ table, value, lines, onChange, onLinesChange }: Props) {
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
                <tr key={row} className={getRowClass(row, value, lines)}>
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
      {value > 1 && (
        <SelectField
          label={t('headerLines')}
          value={lines}
          options={Array.from({ length: Math.min(MAX_LINES, value) }, (_, at) => String(at + 1)).map((count) => ({
            value: count,
            label: count,
          }))}
          onChange={(event) => onLinesChange(Number(event.target.value))}
        />
      )}
    </fieldset>
  )
}

const getRowClass = (row: number, headerRow: number, lines: number): string => {
  if (row > headerRow) return 'is-data'
  return row > headerRow - lines ? 'is-header' : 'is-above'
}
