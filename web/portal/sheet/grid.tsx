/** The grid: loads records while scrolling, edits cells and shows their messages. */
import {
  CompactSelection,
  DataEditor,
  type DataEditorRef,
  type EditableGridCell,
  type GridCell,
  GridCellKind,
  type GridColumn,
  type GridMouseEventArgs,
  type GridSelection,
  type Item,
  type Rectangle,
} from '@glideapps/glide-data-grid'
import '@glideapps/glide-data-grid/dist/index.css'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { formatCell, formatCopy, formatValue, getColumnWidth, getTypedValue, type ValueCell } from './cells.ts'
import type { OpenColumn } from './column-menu.tsx'
import { createEditor } from './editor.tsx'
import { type Query, RecordPages, type SheetRecord } from './pages.ts'
import { useGridTheme } from './theme.ts'

export interface CellEdit {
  recordId: string
  fieldKey: string
  value: unknown
}

export interface GridHandle {
  records(rows: readonly number[]): Promise<SheetRecord[]>
  refresh(): void
  select(row: number): void
}

interface Props {
  sheetId: string
  /** The sheets of the workbook, which fields can refer to. */
  sheets: readonly Sheet[]
  fields: readonly SheetField[]
  query: Query
  total: number
  readonly: boolean
  selection: GridSelection
  onSelection(selection: GridSelection): void
  onEdit(edits: CellEdit[]): Promise<unknown>
  onSort(fieldKey: string): void
  onColumn(column: OpenColumn): void
  onFailure(error: unknown): void
  handle: { current: GridHandle | null }
}

type CellMessage = SheetRecord['values'][string]['messages'][number]

export function Grid(props: Props) {
  const { fields, query, sheetId, total, readonly, selection, onEdit, onFailure } = props
  const { t } = useTranslation()
  const theme = useGridTheme()
  const editor = useRef<DataEditorRef>(null)
  const [version, setVersion] = useState(0)
  const [widths, setWidths] = useState<Record<string, number>>({})
  const [hovered, setHovered] = useState<{ bounds: Rectangle; messages: CellMessage[] }>()
  const visibleRows = useRef<[number, number]>([0, 40])
  const latestOnFailure = useRef(onFailure)
  latestOnFailure.current = onFailure
  const queryKey = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same query is the same pages
  const pages = useMemo(
    () =>
      new RecordPages(
        sheetId,
        query,
        () => setVersion((previous) => previous + 1),
        (error) => latestOnFailure.current(error),
      ),
    [sheetId, queryKey],
  )
  useEffect(() => {
    pages.setVisibleRows(...visibleRows.current)
    return () => pages.close()
  }, [pages])
  useEffect(() => {
    props.handle.current = {
      records: (rows) => pages.fetchRows(rows),
      refresh: () => pages.markStale(),
      select: (row) => editor.current?.scrollTo(0, row),
    }
  }, [pages, props.handle])

  const columns = useMemo(
    () =>
      fields.map(
        (field): GridColumn => ({
          id: field.key,
          title: `${field.label || field.key}${getSortMark(query, field.key)}`,
          width: widths[field.key] ?? getColumnWidth(field),
          hasMenu: true,
        }),
      ),
    [fields, widths, query],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other cells
  const getCell = useCallback(
    ([column, row]: Item): GridCell | ValueCell => {
      const field = fields[column]
      const record = pages.at(row)
      if (!field || !record) return { kind: GridCellKind.Loading, allowOverlay: false }
      const { value, messages = [] } = record.values[field.key] ?? { value: null }
      const locked = readonly || field.readonly === true
      const worstType = getWorstType(messages.filter(({ original }) => original === undefined))
      return {
        kind: GridCellKind.Text,
        data: formatValue(value),
        typedValue: value,
        copyData: formatCopy(value),
        displayData: formatCell(field, value),
        allowOverlay: true,
        readonly: locked,
        contentAlign: field.type === 'number' ? 'right' : undefined,
        themeOverride: worstType ? theme[worstType] : locked ? theme.locked : undefined,
      }
    },
    [fields, pages, readonly, theme, version],
  )

  const handleEdits = useCallback(
    (items: readonly { location: Item; value: EditableGridCell }[]): boolean => {
      const edits: CellEdit[] = []
      for (const { location, value } of items) {
        const [column, row] = location
        const field = fields[column]
        const record = pages.at(row)
        if (!field || !record || readonly || field.readonly || value.kind !== GridCellKind.Text) continue
        const next = getTypedValue(value) ?? (value.data.trim() === '' ? null : value.data)
        edits.push({ recordId: record.id, fieldKey: field.key, value: next })
        pages.setValue(row, field.key, next)
      }
      if (edits.length > 0) void onEdit(edits).finally(() => pages.confirmEdits(edits))
      return true
    },
    [fields, pages, readonly, onEdit],
  )

  const getMessagesAt = ([column, row]: Item): CellMessage[] =>
    pages.at(row)?.values[fields[column]?.key ?? '']?.messages ?? []
  const handleHover = (event: GridMouseEventArgs) => {
    const messages = event.kind === 'cell' ? getMessagesAt(event.location) : []
    setHovered(messages.length > 0 && event.kind === 'cell' ? { bounds: event.bounds, messages } : undefined)
  }
  const current = selection.current?.cell
  const currentField = current && fields[current[0]]
  // Must be stable: a new callback would recreate the open editor.
  const latestField = useRef(currentField)
  latestField.current = currentField
  const latestSheets = useRef(props.sheets)
  latestSheets.current = props.sheets
  const provideEditor = useCallback((content: GridCell) => {
    return createEditor(content, latestField.current, latestSheets.current)
  }, [])
  const currentMessages = current ? getMessagesAt(current) : []

  return (
    <div className="grid-holder">
      <div className="grid-canvas">
        <DataEditor
          ref={editor}
          columns={columns}
          rows={total}
          getCellContent={getCell}
          getCellsForSelection={true}
          width="100%"
          height="100%"
          rowHeight={30}
          headerHeight={34}
          theme={theme.grid}
          smoothScrollX
          smoothScrollY
          rowMarkers="both"
          rowSelect="multi"
          columnSelect="none"
          rangeSelect="rect"
          keybindings={{ search: false, delete: true, downFill: true, rightFill: true }}
          fillHandle={!readonly}
          gridSelection={selection}
          onGridSelectionChange={props.onSelection}
          onCellEdited={(location, value) => handleEdits([{ location, value }])}
          onCellsEdited={handleEdits}
          onPaste={!readonly}
          onHeaderClicked={(column) => fields[column] && props.onSort(fields[column].key)}
          onHeaderMenuClick={(column, bounds) => fields[column] && props.onColumn({ field: fields[column], bounds })}
          onHeaderContextMenu={(column, event) => {
            event.preventDefault()
            if (fields[column]) props.onColumn({ field: fields[column], bounds: event.bounds })
          }}
          onColumnResize={(column, width) => column.id && setWidths((all) => ({ ...all, [column.id!]: width }))}
          onVisibleRegionChanged={({ y, height }) => {
            visibleRows.current = [y, y + height]
            setHovered(undefined)
            pages.setVisibleRows(y, y + height)
          }}
          onItemHovered={handleHover}
          provideEditor={provideEditor}
        />
      </div>
      {hovered && (
        <div
          className="cell-tip"
          role="tooltip"
          style={{ left: hovered.bounds.x, top: hovered.bounds.y + hovered.bounds.height + 2 }}
        >
          <Messages messages={hovered.messages} />
        </div>
      )}
      <div className="cell-bar" role="status" aria-live="polite">
        {currentField ? (
          <>
            <strong dir="auto">{currentField.label || currentField.key}</strong>
            {currentMessages.length > 0 ? (
              <Messages messages={currentMessages} />
            ) : (
              <span className="hint">{t('noIssues')}</span>
            )}
          </>
        ) : (
          <span className="hint">{t('gridHint')}</span>
        )}
      </div>
    </div>
  )
}

export const NO_SELECTION: GridSelection = { columns: CompactSelection.empty(), rows: CompactSelection.empty() }

const getSortMark = ({ sortField, sortDirection }: Query, queryKey: string): string =>
  sortField === queryKey ? (sortDirection === 'desc' ? ' ↓' : ' ↑') : ''

function getWorstType(messages: readonly CellMessage[]): 'error' | 'warn' | 'info' | undefined {
  for (const type of ['error', 'warn', 'info'] as const)
    if (messages.some((message) => message.type === type)) return type
  return undefined
}

function Messages({ messages }: { messages: readonly CellMessage[] }) {
  const { translate } = useTranslation()
  return (
    <ul className="messages">
      {messages.map(({ type, message }) => (
        <li key={`${type} ${message}`} className={type} dir="auto">
          {translate(message)}
        </li>
      ))}
    </ul>
  )
}
