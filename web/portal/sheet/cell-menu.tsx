import { useTranslation } from '../../shared/texts/texts.tsx'
import type { SheetField } from '../queries.ts'
import { AnchoredMenu } from './anchored-menu.tsx'
import { formatValue } from './cells.ts'
import type { OpenCell } from './grid.tsx'
import type { Query } from './pages.ts'

interface Props {
  cell: OpenCell
  readonly: boolean
  onComment(recordId: string): void
  onHistory(recordId: string): void
  onFilter(query: Partial<Query>): void
  onReplace(field: SheetField): void
  onClear(cell: OpenCell): void
  onDelete(row: number): void
  onClose(): void
}

export function CellMenu({ cell, readonly, onClose, ...props }: Props) {
  const { t } = useTranslation()
  const { field, record, row } = cell
  const value = formatValue(record.values[field.key]?.value)
  const isLocked = readonly || field.readonly === true
  const showSame = () => props.onFilter({ searchValue: value === '' ? '""' : `"${value}"`, searchField: field.key })
  return (
    <AnchoredMenu
      bounds={cell.bounds}
      label={t('cellMenu')}
      onClose={onClose}
      onDone={onClose}
      entries={[
        { id: 'comment', label: t('comment'), run: () => props.onComment(record.id) },
        { id: 'history', label: t('history'), run: () => props.onHistory(record.id) },
        { id: 'same', label: value === '' ? t('showEmpty') : t('showSame'), run: showSame },
        { id: 'replace', label: t('replaceInField'), disabled: isLocked, run: () => props.onReplace(field) },
        { id: 'clear', label: t('clearCell'), disabled: isLocked || value === '', run: () => props.onClear(cell) },
        { id: 'delete', label: t('deleteRow'), disabled: readonly, run: () => props.onDelete(row) },
      ]}
    />
  )
}
