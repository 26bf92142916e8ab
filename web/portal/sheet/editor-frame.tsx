import type { Rectangle } from '@glideapps/glide-data-grid'
import type { ComponentProps } from 'react'

/** Pixels a list or calendar needs below its cell. */
const PANEL_HEIGHT = 330

/** The panel of an editor opens where there is space. No key reaches the grid. */
export function EditorFrame({ label, target, ...props }: ComponentProps<'div'> & { label: string; target: Rectangle }) {
  const spaceBelow = innerHeight - target.y - target.height
  const opensUp = spaceBelow < PANEL_HEIGHT && target.y > spaceBelow
  return (
    <div
      role="dialog"
      aria-label={label}
      className={`editor-frame ${opensUp ? 'up' : ''}`}
      onKeyDown={(event) => event.stopPropagation()}
      onKeyUp={(event) => event.stopPropagation()}
      {...props}
    />
  )
}
