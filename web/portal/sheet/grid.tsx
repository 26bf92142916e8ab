/** The grid: loads records while scrolling, edits cells and shows their messages. */
import {
  CompactSelection,
  DataEditor,
  type DataEditorRef,
  type EditableGridCell,
  type GridCell,
  GridCellKind,
  type GridKeyEventArgs,
  type GridSelection,
  type Item,
  type Rectangle,
} from '@glideapps/glide-data-grid'
import '@glideapps/glide-data-grid/dist/index.css'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isRightToLeft } from '../../shared/texts/direction.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { formatCell, formatCopy, formatValue, getTypedValue, type ValueCell } from './cells.ts'
import type { OpenColumn } from './column-menu.tsx'
import { buildColumns, createHeaderDrawer } from './columns.ts'
import { createEditor } from './editor.tsx'
import { getWorstType, Messages } from './messages.tsx'
import { type Query, RecordPages, type SheetRecord } from './pages.ts'
import { describePaste, parsePasted, planPaste } from './paste.ts'
import { useGridTheme } from './theme.ts'

export interface CellEdit {
  recordId: string
  fieldKey: string
  value: unknown
}

export interface Write {
  edits: CellEdit[]
  added: Record<string, unknown>[]
}

export interface OpenCell {
  field: SheetField
  record: SheetRecord
  row: number
  bounds: Rectangle
}

export interface GridHandle {
  records(rows: readonly number[]): Promise<SheetRecord[]>
  refresh(): void
  edit(edits: CellEdit[]): void
  focus(): void
}

interface Props {
  sheetId: string
  /** The sheets of the workbook, which fields can refer to. */
  sheets: readonly Sheet[]
  fields: readonly SheetField[]
  query: Query
  total: number
  errors: Readonly<Record<string, number>>
  commented: ReadonlySet<string>
  readonly: boolean
  freezesFirst: boolean
  /** Leads to the first row of this field. */
  target: { fieldKey: string } | undefined
  selection: GridSelection
  bar: ReactNode
  onSelection(selection: GridSelection): void
  onWrite(write: Write): Promise<unknown>
  onHeld(): void
  onSort(fieldKey: string): void
  onColumn(column: OpenColumn): void
  onCell(cell: OpenCell): void
  onFailure(error: unknown): void
  handle: { current: GridHandle | null }
}

const isUnfiltered = (query: Query): boolean => Object.keys(query).length === 0
const EMPTY_ROW: GridCell = { kind: GridCellKind.Text, data: '', displayData: '', allowOverlay: true }

function useRecordPages({ sheetId, query, onFailure }: Pick<Props, 'sheetId' | 'query' | 'onFailure'>) {
  const [version, setVersion] = useState(0)
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
  return { pages, version, visibleRows }
}

/** The grid itself would ask for permission to read the clipboard, and drop what is below the last row. */
function useGridPaste(paste: (clipboard: DataTransfer) => boolean): void {
  const latestPaste = useRef(paste)
  latestPaste.current = paste
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const { activeElement } = document
      if (!event.clipboardData || activeElement?.closest('input, textarea, select, [role=dialog]')) return
      if (latestPaste.current(event.clipboardData)) event.preventDefault()
    }
    addEventListener('paste', handlePaste)
    return () => removeEventListener('paste', handlePaste)
  }, [])
}

/** The grid does not support right-to-left columns, so for Arabic they come in reverse. */
function useDirection(fields: readonly SheetField[]) {
  const { language } = useTranslation()
  const isRtl = isRightToLeft(language)
  const shown = useMemo(() => (isRtl ? fields.toReversed() : fields), [fields, isRtl])
  return { isRtl, shown }
}

export function Grid(props: Props) {
  const { fields, query, total, readonly, selection, onWrite, onHeld, onSelection } = props
  const { t, number } = useTranslation()
  const showError = useErrorToast()
  const theme = useGridTheme()
  const editor = useRef<DataEditorRef>(null)
  const { pages, version, visibleRows } = useRecordPages(props)
  const { isRtl, shown } = useDirection(fields)
  const [widths, setWidths] = useState<Record<string, number>>({})
  const [hovered, setHovered] = useState<{ bounds: Rectangle; location: Item }>()
  const hasEmptyRow = !readonly && isUnfiltered(query)
  const columns = useMemo(() => buildColumns(shown, { widths, query }), [shown, widths, query])
  const drawHeader = useMemo(
    () => createHeaderDrawer(props.errors, theme.badge, number),
    [props.errors, theme.badge, number],
  )

  const write = useCallback(
    (edits: CellEdit[], added: Record<string, unknown>[] = []) => {
      if (edits.length === 0 && added.length === 0) return
      if (pages.isHeld) onHeld()
      void onWrite({ edits, added }).finally(() => pages.confirmEdits(edits))
    },
    [pages, onWrite, onHeld],
  )
  useEffect(() => {
    props.handle.current = {
      records: (rows) => pages.fetchRows(rows),
      refresh: () => pages.markStale(),
      edit: write,
      focus: () => editor.current?.focus(),
    }
  }, [pages, props.handle, write])

  const selectCell = useCallback(
    (column: number, row: number) => {
      const range = { x: column, y: row, width: 1, height: 1 }
      onSelection({ ...NO_SELECTION, current: { cell: [column, row], range, rangeStack: [] } })
      editor.current?.scrollTo(column, row)
    },
    [onSelection],
  )
  const { target } = props
  useEffect(() => {
    const column = shown.findIndex(({ key }) => key === target?.fieldKey)
    if (!target || column < 0 || total === 0) return
    const timer = setTimeout(() => {
      selectCell(column, 0)
      editor.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [target, total, shown, selectCell])
  useEffect(() => {
    if (!isRtl) return
    const timer = setTimeout(() => editor.current?.scrollTo(shown.length - 1, 0, 'horizontal'))
    return () => clearTimeout(timer)
  }, [isRtl, shown])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other cells
  const getCell = useCallback(
    ([column, row]: Item): GridCell | ValueCell => {
      const field = shown[column]
      const record = pages.at(row)
      if (hasEmptyRow && row === total) return field?.readonly ? { ...EMPTY_ROW, allowOverlay: false } : EMPTY_ROW
      if (!field || !record) return { kind: GridCellKind.Loading, allowOverlay: false }
      const { value, messages = [] } = record.values[field.key] ?? { value: null }
      const locked = readonly || field.readonly === true
      const worstType = getWorstType(messages.filter(({ original }) => original === undefined))
      return {
        kind: GridCellKind.Text,
        // Screen readers get `data`.
        data: typeof value === 'boolean' ? formatCell(field, value, t) : formatValue(value),
        typedValue: value,
        copyData: formatCopy(value),
        displayData: formatCell(field, value, t),
        allowOverlay: true,
        readonly: locked,
        contentAlign: (field.type === 'number') !== isRtl ? 'right' : undefined,
        themeOverride: worstType ? theme[worstType] : locked ? theme.locked : undefined,
      }
    },
    [shown, pages, readonly, theme, version, isRtl, hasEmptyRow, total, t],
  )

  const handleEdits = useCallback(
    (items: readonly { location: Item; value: EditableGridCell }[]): boolean => {
      const edits: CellEdit[] = []
      const added: Record<string, unknown> = {}
      for (const { location, value } of items) {
        const [column, row] = location
        const field = shown[column]
        const record = pages.at(row)
        if (!field || readonly || field.readonly || value.kind !== GridCellKind.Text) continue
        const next = getTypedValue(value) ?? (value.data.trim() === '' ? null : value.data)
        if (record) {
          edits.push({ recordId: record.id, fieldKey: field.key, value: next })
          pages.setValue(row, field.key, next)
        } else if (row === total && next !== null) added[field.key] = next
      }
      write(edits, Object.keys(added).length > 0 ? [added] : [])
      return true
    },
    [shown, pages, readonly, total, write],
  )

  const paste = async ([column, row]: Item, values: readonly (readonly string[])[]) => {
    const first = isRtl ? shown.length - 1 - column : column
    const plan = planPaste({ values, fields, column: first, row, total })
    const rows = [...plan.updates.keys()]
    const records = await pages.fetchRows(rows)
    const edits = records.flatMap((record, i) =>
      Object.entries(plan.updates.get(rows[i]!)!).map(([fieldKey, text]) => {
        const value = text.trim() === '' ? null : text
        pages.setValue(rows[i]!, fieldKey, value)
        return { recordId: record.id, fieldKey, value }
      }),
    )
    write(edits, plan.added)
    toast(describePaste(plan, t, isUnfiltered(query)))
  }

  useGridPaste((clipboard) => {
    const range = selection.current?.range
    const location: Item | undefined = range
      ? [range.x, range.y]
      : total === 0
        ? [isRtl ? shown.length - 1 : 0, 0]
        : undefined
    if (!location || readonly) return false
    const values = parsePasted(clipboard.getData('text/html'), clipboard.getData('text/plain'), fields.length)
    void paste(location, values).catch(showError)
    return true
  })

  const getMessagesAt = ([column, row]: Item) => pages.at(row)?.values[shown[column]?.key ?? '']?.messages ?? []
  const openCell = (location: Item, bounds: Rectangle | undefined) => {
    const [column, row] = location
    const field = shown[column]
    const record = pages.at(row)
    if (field && record && bounds) props.onCell({ field, record, row, bounds })
  }
  const handleKey = (event: GridKeyEventArgs) => {
    const { key, location } = event
    if (!location) return
    if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
      event.cancel()
      event.preventDefault()
      openCell(location, editor.current?.getBounds(...location))
    }
    const next = location[0] + (event.shiftKey ? 1 : -1)
    if (isRtl && key === 'Tab' && shown[next]) {
      event.cancel()
      event.preventDefault()
      selectCell(next, location[1])
    }
  }
  const current = selection.current?.cell
  const currentField = current && shown[current[0]]
  // Must be stable: a new callback would recreate the open editor.
  const latestField = useRef(currentField)
  latestField.current = currentField
  const latestSheets = useRef(props.sheets)
  latestSheets.current = props.sheets
  const provideEditor = useCallback((content: GridCell) => {
    return createEditor(content, latestField.current, latestSheets.current)
  }, [])
  const hoveredMessages = hovered ? getMessagesAt(hovered.location) : []
  const markColumn = isRtl ? shown.length - 1 : 0

  return (
    <div className="grid-holder">
      <div className="grid-canvas">
        <DataEditor
          ref={editor}
          columns={columns}
          rows={total + (hasEmptyRow ? 1 : 0)}
          getCellContent={getCell}
          getCellsForSelection={true}
          width="100%"
          height="100%"
          rowHeight={30}
          headerHeight={34}
          theme={theme.grid}
          drawHeader={drawHeader}
          drawCell={({ ctx, rect, col, row }, drawContent) => {
            drawContent()
            if (col !== markColumn || !props.commented.has(pages.at(row)?.id ?? '')) return
            ctx.save()
            ctx.fillStyle = theme.badge.mark
            ctx.beginPath()
            ctx.moveTo(rect.x + rect.width - 9, rect.y)
            ctx.lineTo(rect.x + rect.width, rect.y)
            ctx.lineTo(rect.x + rect.width, rect.y + 9)
            ctx.fill()
            ctx.restore()
          }}
          freezeColumns={props.freezesFirst && !isRtl ? 1 : 0}
          smoothScrollX
          smoothScrollY
          rowMarkers="both"
          rowSelect="multi"
          columnSelect="none"
          rangeSelect="rect"
          keybindings={{ search: false, delete: true, downFill: true, rightFill: true, paste: false }}
          fillHandle={!readonly}
          gridSelection={selection}
          onGridSelectionChange={(next) => onSelection({ ...next, rows: next.rows.remove([total, total + 1]) })}
          onCellEdited={(location, value) => handleEdits([{ location, value }])}
          onCellsEdited={handleEdits}
          onKeyDown={handleKey}
          onHeaderClicked={(column) => shown[column] && props.onSort(shown[column].key)}
          onHeaderMenuClick={(column, bounds) => shown[column] && props.onColumn({ field: shown[column], bounds })}
          onHeaderContextMenu={(column, event) => {
            event.preventDefault()
            if (shown[column]) props.onColumn({ field: shown[column], bounds: event.bounds })
          }}
          onCellContextMenu={(location, event) => {
            event.preventDefault()
            selectCell(...location)
            openCell(location, event.bounds)
          }}
          onColumnResize={(column, width) => column.id && setWidths((all) => ({ ...all, [column.id!]: width }))}
          onVisibleRegionChanged={({ y, height }) => {
            visibleRows.current = [y, y + height]
            setHovered(undefined)
            pages.setVisibleRows(y, y + height)
          }}
          onItemHovered={(event) =>
            setHovered(event.kind === 'cell' ? { bounds: event.bounds, location: event.location } : undefined)
          }
          provideEditor={provideEditor}
        />
      </div>
      {hovered && hoveredMessages.length > 0 && (
        <div
          className="cell-tip"
          role="tooltip"
          style={{ left: hovered.bounds.x, top: hovered.bounds.y + hovered.bounds.height + 2 }}
        >
          <Messages messages={hoveredMessages} />
        </div>
      )}
      <div className="cell-bar">
        <div className="cell-state" role="status" aria-live="polite">
          {currentField ? (
            <>
              <strong dir="auto">{currentField.label || currentField.key}</strong>
              <Messages messages={getMessagesAt(current)} />
            </>
          ) : (
            selection.rows.length === 0 && <span className="hint">{t('gridHint')}</span>
          )}
        </div>
        {props.bar}
      </div>
    </div>
  )
}

export const NO_SELECTION: GridSelection = { columns: CompactSelection.empty(), rows: CompactSelection.empty() }
