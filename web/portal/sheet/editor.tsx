/** Cell editors. They handle keys themselves, because the grid reacts later and loses text that is typed quickly. */
import { type GridCell, GridCellKind, type ProvideEditorCallback, type TextCell } from '@glideapps/glide-data-grid'
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

type Editor = ReturnType<ProvideEditorCallback<GridCell>>
type Move = readonly [-1 | 0 | 1, -1 | 0 | 1]

interface Props {
  value: GridCell
  isHighlighted: boolean
  onChange(value: GridCell): void
  onFinishedEditing(value?: GridCell, move?: Move): void
}

export function createEditor(content: GridCell, options: Option[] | undefined, label: string): Editor {
  if (content.kind !== GridCellKind.Text || content.readonly) return undefined
  const editor = (props: Props) =>
    options ? <SelectEditor {...props} options={options} label={label} /> : <TextEditor {...props} label={label} />
  return { editor: editor as never, disablePadding: true }
}

interface Option {
  value: string
  label: string
}

function parseEndKey({ key, shiftKey }: KeyboardEvent): { saves: boolean; move: Move } | undefined {
  if (key === 'Escape') return { saves: false, move: [0, 0] }
  if (key === 'Enter' && !shiftKey) return { saves: true, move: [0, 1] }
  if (key === 'Tab') return { saves: true, move: [shiftKey ? -1 : 1, 0] }
  return undefined
}

function useFinishEditing({ value, onFinishedEditing }: Props) {
  const hasFinished = useRef(false)
  const finish = (data: string | undefined, move: Move = [0, 0]) => {
    if (hasFinished.current) return
    hasFinished.current = true
    const changed = data === undefined ? undefined : ({ ...(value as TextCell), data, displayData: data } as GridCell)
    onFinishedEditing(changed, move)
  }
  const handleKey = (event: KeyboardEvent, data: string) => {
    event.stopPropagation()
    const endKey = parseEndKey(event)
    if (!endKey) return
    event.preventDefault()
    finish(endKey.saves ? data : undefined, endKey.move)
  }
  return { ended: hasFinished, end: finish, onKey: handleKey }
}

function TextEditor(props: Props & { label: string }) {
  const { value, isHighlighted, label } = props
  const [data, setData] = useState((value as TextCell).data)
  const { ended: hasFinished, onKey: handleKey } = useFinishEditing(props)
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(isHighlighted ? 0 : area.current.value.length, area.current.value.length)
  }, [isHighlighted])
  // The grid takes the focus one frame after a click, when the editor is already open.
  const keepFocus = useCallback(() => {
    queueMicrotask(() => {
      const activeElement = document.activeElement
      if (!hasFinished.current && area.current && activeElement?.closest('.grid-canvas')) area.current.focus()
    })
  }, [hasFinished])
  return (
    <textarea
      ref={area}
      className="cell-text"
      aria-label={label}
      rows={1}
      dir="auto"
      value={data}
      onBlur={keepFocus}
      onKeyDown={(event) => handleKey(event, data)}
      onChange={({ target }) => {
        setData(target.value)
        props.onChange({ ...(value as TextCell), data: target.value, displayData: target.value })
      }}
    />
  )
}

function SelectEditor(props: Props & { options: Option[]; label: string }) {
  const { value, options, label } = props
  const [data, setData] = useState((value as TextCell).data)
  const { end: finish, onKey: handleKey } = useFinishEditing(props)
  // Arrow keys only highlight an option until Enter; a click selects it.
  const isKeyboardChange = useRef(false)
  return (
    <select
      // biome-ignore lint/a11y/noAutofocus: it replaces the cell that had the focus
      autoFocus
      className="cell-select"
      aria-label={label}
      value={data}
      onPointerDown={() => {
        isKeyboardChange.current = false
      }}
      onKeyDown={(event) => {
        isKeyboardChange.current = true
        handleKey(event, data)
      }}
      onChange={({ target }) => {
        setData(target.value)
        if (isKeyboardChange.current)
          props.onChange({ ...(value as TextCell), data: target.value, displayData: target.value })
        else finish(target.value)
      }}
    >
      <option value="" />
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
