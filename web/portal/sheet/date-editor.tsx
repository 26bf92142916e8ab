/** Dates are typed in any form, or chosen in a calendar that ArrowDown enters. */
import type { TextCell } from '@glideapps/glide-data-grid'
import { useLayoutEffect, useRef, useState } from 'react'
import { Calendar, parseIsoDate } from '../../shared/ui/date-field.tsx'
import { type EditorProps, getMove, useFinishEditing, withValue } from './editing.ts'
import { EditorFrame } from './editor-frame.tsx'

export function DateEditor(props: EditorProps & { label: string }) {
  const { value, isHighlighted, label } = props
  const [data, setData] = useState((value as TextCell).data)
  const { finish, keepFocus, handleEscape } = useFinishEditing(props)
  const input = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const changed = { ...(value as TextCell), data, displayData: data }
  useLayoutEffect(() => {
    input.current?.focus()
    if (isHighlighted) input.current?.select()
  }, [isHighlighted])
  const enterCalendar = () =>
    panel.current?.querySelector<HTMLElement>('.day[data-selected], .day[tabindex="0"], .day')?.focus()
  return (
    <EditorFrame label={label} target={props.target} onKeyDownCapture={handleEscape} onBlur={keepFocus}>
      <input
        ref={input}
        className="cell-input"
        aria-label={label}
        dir="auto"
        value={data}
        onKeyDown={(event) => {
          const move = getMove(event)
          if (!move && event.key !== 'ArrowDown') return
          event.preventDefault()
          if (move) finish(changed, move)
          else enterCalendar()
        }}
        onChange={({ target }) => {
          setData(target.value)
          props.onChange({ ...changed, data: target.value, displayData: target.value })
        }}
      />
      <div ref={panel} className="editor-panel">
        <Calendar
          key={parseIsoDate(data)?.toString() ?? ''}
          label={label}
          value={data}
          autoFocus={false}
          onChange={(date) => finish(withValue(value, date), [0, 1])}
        />
      </div>
    </EditorFrame>
  )
}
