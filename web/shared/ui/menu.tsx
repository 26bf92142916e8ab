/** A button that opens a list of things to do. */
import type { ReactNode } from 'react'
import { Button as AriaButton, Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'

export interface MenuEntry {
  id: string
  label: string
  disabled?: boolean
  run(): void
}

export function Menu({ label, children, entries }: { label: string; children: ReactNode; entries: MenuEntry[] }) {
  return (
    <MenuTrigger>
      <AriaButton className="button plain" aria-label={label}>
        {children}
      </AriaButton>
      <Popover className="popover">
        <AriaMenu
          className="menu"
          onAction={(id) => entries.find((each) => each.id === id)?.run()}
          disabledKeys={entries.filter((each) => each.disabled).map((each) => each.id)}
        >
          {entries.map((each) => (
            <MenuItem key={each.id} id={each.id} className="menu-item">
              {each.label}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
