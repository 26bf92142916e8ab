/** A menu at a place of the grid, which draws on a canvas and has no elements to anchor it to. */
import type { Rectangle } from '@glideapps/glide-data-grid'
import { useRef } from 'react'
import { Popover } from 'react-aria-components'
import { type MenuEntry, MenuList } from '../../shared/ui/menu.tsx'

interface Props {
  bounds: Rectangle
  label: string
  entries: MenuEntry[]
  onDone(id: string): void
  onClose(): void
}

export function AnchoredMenu({ bounds: { x, y, width, height }, label, entries, onDone, onClose }: Props) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className="anchor" style={{ left: x, top: y, width, height }} />
      <Popover
        isOpen
        triggerRef={anchor}
        placement="bottom start"
        className="popover"
        onOpenChange={(open) => !open && onClose()}
      >
        <MenuList label={label} onDone={onDone} entries={entries} />
      </Popover>
    </>
  )
}
