import { type GridCell, GridCellKind, type ProvideEditorCallback, type TextCell } from '@glideapps/glide-data-grid'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Sheet, SheetField } from '../queries.ts'
import { isListField } from './cells.ts'
import { ListEditor, OptionEditor, ReferenceEditor } from './choice-editors.tsx'
import { DateEditor } from './date-editor.tsx'
import { type EditorProps, getMove, useFinishEditing } from './editing.ts'

type Editor = ReturnType<ProvideEditorCallback<GridCell>>

export function createEditor(content: GridCell, field: SheetField | undefined, sheets: readonly Sheet[]): Editor {
  if (content.kind !== GridCellKind.Text || content.readonly || !field) return undefined
  const editor = (props: EditorProps) => <CellEditor {...props} field={field} sheets={sheets} />
  // Lists and calendars are wider and longer than their cell.
  const styleOverride = isPlainText(field) ? undefined : { overflow: 'visible', maxHeight: 'none' }
  return { editor: editor as never, disablePadding: true, styleOverride }
}

const isPlainText = (field: SheetField): boolean =>
  field.type === 'string' || (field.type === 'number' && !isListField(field))

function CellEditor(props: EditorProps & { field: SheetField; sheets: readonly Sheet[] }) {
  const { field, sheets } = props
  if (isPlainText(field) || field.type === 'number') return <TextEditor {...props} label={field.label || field.key} />
  if (field.type === 'date') return <DateEditor {...props} label={field.label || field.key} />
  if (isListField(field)) return <ListEditor {...props} field={field} sheets={sheets} />
  if (field.type === 'reference') return <ReferenceEditor {...props} field={field} sheets={sheets} />
  return <OptionEditor {...props} field={field} />
}

function TextEditor(props: EditorProps & { label: string }) {
  const { value, isHighlighted, label } = props
  const [data, setData] = useState((value as TextCell).data)
  const { finish, keepFocus, handleEscape } = useFinishEditing(props)
  const area = useRef<HTMLTextAreaElement>(null)
  const changed = { ...(value as TextCell), data, displayData: data }
  useLayoutEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(isHighlighted ? 0 : area.current.value.length, area.current.value.length)
  }, [isHighlighted])
  return (
    <textarea
      ref={area}
      className="cell-text"
      aria-label={label}
      rows={1}
      dir="auto"
      value={data}
      onBlur={keepFocus}
      onKeyDown={(event) => {
        handleEscape(event)
        event.stopPropagation()
        const move = getMove(event)
        if (!move) return
        event.preventDefault()
        finish(changed, move)
      }}
      onChange={({ target }) => {
        setData(target.value)
        props.onChange({ ...changed, data: target.value, displayData: target.value })
      }}
    />
  )
}
