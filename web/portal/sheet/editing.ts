/** How all cell editors end. They handle keys themselves, because the grid reacts later and loses quickly typed text. */
import type { GridCell, Rectangle } from '@glideapps/glide-data-grid'
import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { formatValue, type ValueCell } from './cells.ts'

export type Move = readonly [-1 | 0 | 1, -1 | 0 | 1]

/** The properties the grid gives to an editor. `initialValue` is the key that opened it. */
export interface EditorProps {
  value: GridCell
  initialValue?: string
  isHighlighted: boolean
  target: Rectangle
  onChange(value: GridCell): void
  onFinishedEditing(value?: GridCell, move?: Move): void
}

const STAY: Move = [0, 0]

export function getMove({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Move | undefined {
  if (key === 'Enter' && !shiftKey) return [0, 1]
  if (key === 'Tab') return [shiftKey ? -1 : 1, 0]
  return undefined
}

export function withValue(cell: GridCell, value: unknown): GridCell {
  const data = formatValue(value)
  const changed: ValueCell = { ...(cell as ValueCell), typedValue: value, data, displayData: data }
  return changed
}

export function useFinishEditing({ onFinishedEditing }: EditorProps) {
  const hasFinished = useRef(false)
  /** Without a cell, the value stays as it was. */
  const finish = (cell?: GridCell, move: Move = STAY) => {
    if (hasFinished.current) return
    hasFinished.current = true
    onFinishedEditing(cell, move)
  }
  // The grid takes the focus one frame after a click, when the editor is already open.
  const keepFocus = ({ target }: FocusEvent<HTMLElement>) => {
    queueMicrotask(() => {
      if (!hasFinished.current && target.isConnected && document.activeElement?.closest('.grid-canvas')) target.focus()
    })
  }
  const handleEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    finish()
  }
  return { finish, keepFocus, handleEscape }
}
