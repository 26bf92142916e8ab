/** What can be done with a column, at its head. By keyboard the same stands in the drawer of the view. */
import type { Rectangle } from '@glideapps/glide-data-grid'
import { useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import { useTexts } from '../../shared/texts/texts.tsx'
import { MenuList } from '../../shared/ui/menu.tsx'
import { ActionRun, isOpen, useOffered } from '../actions.tsx'
import type { Action, Sheet, SheetField, Space, Workbook } from '../data.ts'

export interface OpenColumn {
  field: SheetField
  place: Rectangle
}

/** Begins the names of entries that are actions. */
const ACTION = 'action '

interface Given {
  space: Space
  workbook: Workbook
  sheet: Sheet
  column: OpenColumn
  canHide: boolean
  /** Records that are selected. */
  selected: number
  subject(): Promise<Record<string, unknown>>
  onSort(fieldKey: string, direction: 'asc' | 'desc'): void
  onHide(fieldKey: string): void
  onClose(): void
}

export function ColumnMenu(given: Given) {
  const { space, workbook, sheet, column, onClose } = given
  const { field, place } = column
  const { t } = useTexts()
  const anchor = useRef<HTMLSpanElement>(null)
  const [chosen, setChosen] = useState<Action>()
  const at = { kind: 'field', id: sheet.id, sheet, field } as const
  const actions = useOffered(space, at, workbook)
  if (chosen) return <ActionRun space={space} place={at} action={chosen} subject={given.subject} onEnd={onClose} />
  const { x, y, width, height } = place
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
        <MenuList
          label={field.label || field.key}
          onDone={(id) => !id.startsWith(ACTION) && onClose()}
          entries={[
            { id: 'asc', label: t('sortAscending'), run: () => given.onSort(field.key, 'asc') },
            { id: 'desc', label: t('sortDescending'), run: () => given.onSort(field.key, 'desc') },
            { id: 'hide', label: t('hideColumn'), disabled: !given.canHide, run: () => given.onHide(field.key) },
            ...actions.map((action, index) => ({
              id: `${ACTION}${index}`,
              label: action.label,
              disabled: !isOpen(action, given.selected, at),
              run: () => setChosen(action),
            })),
          ]}
        />
      </Popover>
    </>
  )
}
