/** A button that opens a list of things to do, and the list by itself. */
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
        <MenuList entries={entries} />
      </Popover>
    </MenuTrigger>
  )
}

/** @param onDone called when something was chosen, after it was begun */
export function MenuList(given: { label?: string; entries: MenuEntry[]; onDone?(id: string): void }) {
  const { label, entries, onDone } = given
  return (
    <AriaMenu
      className="menu"
      aria-label={label}
      autoFocus={label === undefined ? undefined : 'first'}
      onAction={(id) => {
        entries.find((each) => each.id === id)?.run()
        onDone?.(String(id))
      }}
      disabledKeys={entries.filter((each) => each.disabled).map((each) => each.id)}
    >
      {entries.map((each) => (
        <MenuItem key={each.id} id={each.id} className="menu-item">
          {each.label}
        </MenuItem>
      ))}
    </AriaMenu>
  )
}
