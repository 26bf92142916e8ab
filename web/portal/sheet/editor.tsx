/**
 * The editors of cells: a text, or one of some values. They take their keys themselves: the grid hears of a key a moment later,
 * and forgets what was typed when the next key comes sooner than that.
 */
import { type GridCell, GridCellKind, type ProvideEditorCallback, type TextCell } from '@glideapps/glide-data-grid'
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

type Editor = ReturnType<ProvideEditorCallback<GridCell>>
type Move = readonly [-1 | 0 | 1, -1 | 0 | 1]

interface Given {
  value: GridCell
  isHighlighted: boolean
  onChange(value: GridCell): void
  onFinishedEditing(value?: GridCell, move?: Move): void
}

/** @param options where the value is one of some */
export function editorOf(content: GridCell, options: Option[] | undefined, label: string): Editor {
  if (content.kind !== GridCellKind.Text || content.readonly) return undefined
  const editor = (given: Given) =>
    options ? <OneOf {...given} options={options} label={label} /> : <Text {...given} label={label} />
  return { editor: editor as never, disablePadding: true }
}

interface Option {
  value: string
  label: string
}

/** What a key ends, and where it leads; nothing for one that goes on. */
function endOf({ key, shiftKey }: KeyboardEvent): { keeps: boolean; move: Move } | undefined {
  if (key === 'Escape') return { keeps: false, move: [0, 0] }
  if (key === 'Enter' && !shiftKey) return { keeps: true, move: [0, 1] }
  if (key === 'Tab') return { keeps: true, move: [shiftKey ? -1 : 1, 0] }
  return undefined
}

function useEnding({ value, onFinishedEditing }: Given) {
  const ended = useRef(false)
  const end = (data: string | undefined, move: Move = [0, 0]) => {
    if (ended.current) return
    ended.current = true
    const changed = data === undefined ? undefined : ({ ...(value as TextCell), data, displayData: data } as GridCell)
    onFinishedEditing(changed, move)
  }
  const onKey = (event: KeyboardEvent, data: string) => {
    event.stopPropagation()
    const found = endOf(event)
    if (!found) return
    event.preventDefault()
    end(found.keeps ? data : undefined, found.move)
  }
  return { ended, end, onKey }
}

function Text(given: Given & { label: string }) {
  const { value, isHighlighted, label } = given
  const [data, setData] = useState((value as TextCell).data)
  const { ended, onKey } = useEnding(given)
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(isHighlighted ? 0 : area.current.value.length, area.current.value.length)
  }, [isHighlighted])
  // The grid takes the focus a frame after a click into it: by then it is open for typing.
  const stay = useCallback(() => {
    queueMicrotask(() => {
      const at = document.activeElement
      if (!ended.current && area.current && at?.closest('.grid-canvas')) area.current.focus()
    })
  }, [ended])
  return (
    <textarea
      ref={area}
      className="cell-text"
      aria-label={label}
      rows={1}
      dir="auto"
      value={data}
      onBlur={stay}
      onKeyDown={(event) => onKey(event, data)}
      onChange={({ target }) => {
        setData(target.value)
        given.onChange({ ...(value as TextCell), data: target.value, displayData: target.value })
      }}
    />
  )
}

function OneOf(given: Given & { options: Option[]; label: string }) {
  const { value, options, label } = given
  const [data, setData] = useState((value as TextCell).data)
  const { end, onKey } = useEnding(given)
  // By keys one goes through the values, Enter takes one; a click takes it at once.
  const byKey = useRef(false)
  return (
    <select
      // biome-ignore lint/a11y/noAutofocus: it stands where the focus was
      autoFocus
      className="cell-select"
      aria-label={label}
      value={data}
      onPointerDown={() => {
        byKey.current = false
      }}
      onKeyDown={(event) => {
        byKey.current = true
        onKey(event, data)
      }}
      onChange={({ target }) => {
        setData(target.value)
        if (byKey.current) given.onChange({ ...(value as TextCell), data: target.value, displayData: target.value })
        else end(target.value)
      }}
    >
      <option value="" />
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  )
}
