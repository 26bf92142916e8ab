/** The menu in a column header. The view drawer offers the same by keyboard. */
import type { Rectangle } from '@glideapps/glide-data-grid'
import { useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { MenuList } from '../../shared/ui/menu.tsx'
import { ActionRun, isEnabled, useAvailableActions } from '../actions.tsx'
import type { Action, Sheet, SheetField, Space, Workbook } from '../queries.ts'

export interface OpenColumn {
  field: SheetField
  bounds: Rectangle
}

const ACTION_PREFIX = 'action '

interface Props {
  space: Space
  workbook: Workbook
  sheet: Sheet
  column: OpenColumn
  canHide: boolean
  selected: number
  subject(): Promise<Record<string, unknown>>
  onSort(fieldKey: string, direction: 'asc' | 'desc'): void
  onHide(fieldKey: string): void
  onClose(): void
}

export function ColumnMenu(props: Props) {
  const { space, workbook, sheet, column, onClose } = props
  const { field, bounds } = column
  const { t } = useTranslation()
  const anchor = useRef<HTMLSpanElement>(null)
  const [selectedAction, setSelectedAction] = useState<Action>()
  const target = { kind: 'field', id: sheet.id, sheet, field } as const
  const actions = useAvailableActions(space, target, workbook)
  if (selectedAction)
    return <ActionRun space={space} target={target} action={selectedAction} subject={props.subject} onEnd={onClose} />
  const { x, y, width, height } = bounds
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
          onDone={(id) => !id.startsWith(ACTION_PREFIX) && onClose()}
          entries={[
            { id: 'asc', label: t('sortAscending'), run: () => props.onSort(field.key, 'asc') },
            { id: 'desc', label: t('sortDescending'), run: () => props.onSort(field.key, 'desc') },
            { id: 'hide', label: t('hideColumn'), disabled: !props.canHide, run: () => props.onHide(field.key) },
            ...actions.map((action, index) => ({
              id: `${ACTION_PREFIX}${index}`,
              label: action.label,
              disabled: !isEnabled(action, props.selected, target),
              run: () => setSelectedAction(action),
            })),
          ]}
        />
      </Popover>
    </>
  )
}
