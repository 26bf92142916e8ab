import type { ReactNode } from 'react'
import { Button as AriaButton, Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import './dialog.css'

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

export function MenuList(props: { label?: string; entries: MenuEntry[]; onDone?(id: string): void }) {
  const { label, entries, onDone } = props
  return (
    <AriaMenu
      className="menu"
      aria-label={label}
      autoFocus={label === undefined ? undefined : 'first'}
      onAction={(id) => {
        entries.find((entry) => entry.id === id)?.run()
        onDone?.(String(id))
      }}
      disabledKeys={entries.filter((entry) => entry.disabled).map((entry) => entry.id)}
    >
      {entries.map((entry) => (
        <MenuItem key={entry.id} id={entry.id} className="menu-item">
          {entry.label}
        </MenuItem>
      ))}
    </AriaMenu>
  )
}
