/** The menu in a column header. The view drawer offers the same by keyboard. */
import type { Rectangle } from '@glideapps/glide-data-grid'
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { ActionRun, isEnabled, useAvailableActions } from '../actions.tsx'
import type { Action, Sheet, SheetField, Space, Workbook } from '../queries.ts'
import { AnchoredMenu } from './anchored-menu.tsx'

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
  errors: number | undefined
  selected: number
  subject(): Promise<Record<string, unknown>>
  onSort(fieldKey: string, direction: 'asc' | 'desc'): void
  onHide(fieldKey: string): void
  onErrors(fieldKey: string): void
  onClose(): void
}

export function ColumnMenu(props: Props) {
  const { space, workbook, sheet, column, onClose } = props
  const { field, bounds } = column
  const { t } = useTranslation()
  const [selectedAction, setSelectedAction] = useState<Action>()
  const target = { kind: 'field', id: sheet.id, sheet, field } as const
  const actions = useAvailableActions(space, target, workbook)
  if (selectedAction)
    return <ActionRun space={space} target={target} action={selectedAction} subject={props.subject} onEnd={onClose} />
  return (
    <AnchoredMenu
      bounds={bounds}
      label={field.label || field.key}
      onClose={onClose}
      onDone={(id) => !id.startsWith(ACTION_PREFIX) && onClose()}
      entries={[
        { id: 'asc', label: t('sortAscending'), run: () => props.onSort(field.key, 'asc') },
        { id: 'desc', label: t('sortDescending'), run: () => props.onSort(field.key, 'desc') },
        { id: 'errors', label: t('showErrorsHere'), disabled: !props.errors, run: () => props.onErrors(field.key) },
        { id: 'hide', label: t('hideColumn'), disabled: !props.canHide, run: () => props.onHide(field.key) },
        ...actions.map((action, index) => ({
          id: `${ACTION_PREFIX}${index}`,
          label: action.label,
          disabled: !isEnabled(action, props.selected, target),
          run: () => setSelectedAction(action),
        })),
      ]}
    />
  )
}
