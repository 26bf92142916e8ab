/** A sheet as a grid: records come as they are looked at, cells are edited in place, what is wrong stands with its cell. */
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
import { useTexts } from '../../shared/texts/texts.tsx'
import type { SheetField } from '../data.ts'
import { choicesOf, meantBy, shownOf, textOf, widthOf } from './cells.ts'
import type { OpenColumn } from './column-menu.tsx'
import { editorOf } from './editor.tsx'
import { type Query, RecordPages, type SheetRecord } from './pages.ts'
import { useGridTheme } from './theme.ts'

export interface CellEdit {
  recordId: string
  fieldKey: string
  value: unknown
}

export interface GridHandle {
  /** What is at some rows, fetched where needed. */
  records(rows: readonly number[]): Promise<SheetRecord[]>
  /** Asks anew for what is in sight. */
  renew(): void
  select(row: number): void
}

interface Given {
  sheetId: string
  fields: readonly SheetField[]
  query: Query
  total: number
  readonly: boolean
  selection: GridSelection
  onSelection(selection: GridSelection): void
  onEdit(edits: CellEdit[]): Promise<unknown>
  onSort(fieldKey: string): void
  /** The menu of a column is asked for, at a place of the window. */
  onColumn(column: OpenColumn): void
  onFailure(error: unknown): void
  handle: { current: GridHandle | null }
}

type CellMessage = SheetRecord['values'][string]['messages'][number]

export function Grid(given: Given) {
  const { fields, query, sheetId, total, readonly, selection, onEdit, onFailure } = given
  const { t } = useTexts()
  const theme = useGridTheme()
  const editor = useRef<DataEditorRef>(null)
  const [version, setVersion] = useState(0)
  const [widths, setWidths] = useState<Record<string, number>>({})
  const [hovered, setHovered] = useState<{ bounds: Rectangle; messages: CellMessage[] }>()
  const sight = useRef<[number, number]>([0, 40])
  const failure = useRef(onFailure)
  failure.current = onFailure
  const key = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same query is the same pages
  const pages = useMemo(
    () =>
      new RecordPages(
        sheetId,
        query,
        () => setVersion((before) => before + 1),
        (error) => failure.current(error),
      ),
    [sheetId, key],
  )
  useEffect(() => {
    pages.see(...sight.current)
    return () => pages.close()
  }, [pages])
  useEffect(() => {
    given.handle.current = {
      records: (rows) => pages.all(rows),
      renew: () => pages.stale(),
      select: (row) => editor.current?.scrollTo(0, row),
    }
  }, [pages, given.handle])

  const columns = useMemo(
    () =>
      fields.map(
        (field): GridColumn => ({
          id: field.key,
          title: `${field.label || field.key}${sortMark(query, field.key)}`,
          width: widths[field.key] ?? widthOf(field),
          hasMenu: true,
        }),
      ),
    [fields, widths, query],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other cells
  const cell = useCallback(
    ([column, row]: Item): GridCell => {
      const field = fields[column]
      const record = pages.at(row)
      if (!field || !record) return { kind: GridCellKind.Loading, allowOverlay: false }
      const { value, messages = [] } = record.values[field.key] ?? { value: null }
      const locked = readonly || field.readonly === true
      const worst = worstOf(messages)
      return {
        kind: GridCellKind.Text,
        data: textOf(value),
        displayData: shownOf(field, value),
        allowOverlay: true,
        readonly: locked,
        contentAlign: field.type === 'number' ? 'right' : undefined,
        themeOverride: worst ? theme[worst] : locked ? theme.locked : undefined,
      }
    },
    [fields, pages, readonly, theme, version],
  )

  const edited = useCallback(
    (items: readonly { location: Item; value: EditableGridCell }[]): boolean => {
      const edits: CellEdit[] = []
      for (const { location, value } of items) {
        const [column, row] = location
        const field = fields[column]
        const record = pages.at(row)
        if (!field || !record || readonly || field.readonly || value.kind !== GridCellKind.Text) continue
        const next = meantBy(field, value.data)
        edits.push({ recordId: record.id, fieldKey: field.key, value: next })
        pages.set(row, field.key, next)
      }
      if (edits.length > 0) void onEdit(edits).finally(() => pages.written(edits))
      return true
    },
    [fields, pages, readonly, onEdit],
  )

  const messagesAt = ([column, row]: Item): CellMessage[] =>
    pages.at(row)?.values[fields[column]?.key ?? '']?.messages ?? []
  const hover = (event: GridMouseEventArgs) => {
    const messages = event.kind === 'cell' ? messagesAt(event.location) : []
    setHovered(messages.length > 0 && event.kind === 'cell' ? { bounds: event.bounds, messages } : undefined)
  }
  const current = selection.current?.cell
  const opened = current && fields[current[0]]
  // The same for as long as the grid is there: another one would make the open editor anew.
  const open = useRef(opened)
  open.current = opened
  const edit = useCallback((content: GridCell) => {
    const field = open.current
    return editorOf(content, field && choicesOf(field), field?.label || field?.key || '')
  }, [])
  const told = current ? messagesAt(current) : []

  return (
    <div className="grid-holder">
      <div className="grid-canvas">
        <DataEditor
          ref={editor}
          columns={columns}
          rows={total}
          getCellContent={cell}
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
          onGridSelectionChange={given.onSelection}
          onCellEdited={(location, value) => edited([{ location, value }])}
          onCellsEdited={edited}
          onPaste={!readonly}
          onHeaderClicked={(column) => fields[column] && given.onSort(fields[column].key)}
          onHeaderMenuClick={(column, place) => fields[column] && given.onColumn({ field: fields[column], place })}
          onHeaderContextMenu={(column, event) => {
            event.preventDefault()
            if (fields[column]) given.onColumn({ field: fields[column], place: event.bounds })
          }}
          onColumnResize={(column, width) => column.id && setWidths((all) => ({ ...all, [column.id!]: width }))}
          onVisibleRegionChanged={({ y, height }) => {
            sight.current = [y, y + height]
            setHovered(undefined)
            pages.see(y, y + height)
          }}
          onItemHovered={hover}
          provideEditor={edit}
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
        {opened ? (
          <>
            <strong dir="auto">{opened.label || opened.key}</strong>
            {told.length > 0 ? <Messages messages={told} /> : <span className="hint">{t('cellFine')}</span>}
          </>
        ) : (
          <span className="hint">{t('gridHint')}</span>
        )}
      </div>
    </div>
  )
}

export const NOTHING: GridSelection = { columns: CompactSelection.empty(), rows: CompactSelection.empty() }

const sortMark = ({ sortField, sortDirection }: Query, key: string): string =>
  sortField === key ? (sortDirection === 'desc' ? ' ↓' : ' ↑') : ''

function worstOf(messages: readonly CellMessage[]): 'error' | 'warn' | 'info' | undefined {
  for (const type of ['error', 'warn', 'info'] as const) if (messages.some((each) => each.type === type)) return type
  return undefined
}

const Messages = ({ messages }: { messages: readonly CellMessage[] }) => (
  <ul className="messages">
    {messages.map((each) => (
      <li key={`${each.type} ${each.message}`} className={each.type} dir="auto">
        {each.message}
      </li>
    ))}
  </ul>
)
