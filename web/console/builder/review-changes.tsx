import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { compareSheets, type SheetChanges } from './changes.ts'
import { useCheck } from './check.ts'
import type { Draft, DraftSheet } from './draft.ts'

interface Props {
  before: Draft
  after: Draft
  busy: boolean
  error: unknown
  onSave(): void
  onClose(): void
}

export function ReviewChanges({ before, after, busy, error, onSave, onClose }: Props) {
  const { t } = useTranslation()
  const changes = compareSheets(before.sheets, after.sheets)
  const isRenamed = before.name !== after.name
  const hasChanges = changes.length > 0 || isRenamed
  return (
    <Dialog title={t('reviewChanges')} onClose={onClose}>
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      {!hasChanges && <p>{t('nothingChanged')}</p>}
      {isRenamed && <p>{t('workbookRenamed', { name: after.name })}</p>}
      {changes.map((one) => (
        <SheetChangeList
          key={one.sheet}
          changes={one}
          sheets={after.sheets}
          sheet={after.sheets.find(({ name, sheetId }) => name === one.sheet && sheetId !== undefined)}
        />
      ))}
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        {hasChanges && (
          <Button kind="primary" busy={busy} onClick={onSave}>
            {t('saveChanges')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface ListProps {
  changes: SheetChanges
  sheets: readonly DraftSheet[]
  sheet: DraftSheet | undefined
}

function SheetChangeList({ changes, sheets, sheet }: ListProps) {
  const { t } = useTranslation()
  const { added, removed, changed, isNew, isReordered, rulesChanged } = changes
  const list = (names: string[]) => names.join(', ')
  return (
    <section className="change-list">
      <h3 dir="auto">{changes.sheet}</h3>
      <ul>
        {isNew && <li>{t('sheetAdded')}</li>}
        {added.length > 0 && <li>{t('fieldsAdded', { names: list(added) })}</li>}
        {changed.length > 0 && <li>{t('fieldsChanged', { names: list(changed) })}</li>}
        {removed.length > 0 && <li className="bad">{t('fieldsRemoved', { names: list(removed) })}</li>}
        {isReordered && <li>{t('fieldsReordered')}</li>}
        {rulesChanged && <li>{t('rulesChanged')}</li>}
      </ul>
      {sheet && <Effect sheet={sheet} sheets={sheets} />}
    </section>
  )
}

function Effect({ sheet, sheets }: { sheet: DraftSheet; sheets: readonly DraftSheet[] }) {
  const { t } = useTranslation()
  const { data } = useCheck(sheet, sheets)
  if (!data || data.records === 0) return null
  const { records, recordsWithErrors } = data
  return (
    <p className={recordsWithErrors > 0 ? 'notice warn' : 'notice'}>
      {recordsWithErrors > 0
        ? t('rowsWouldHaveErrors', { count: recordsWithErrors, total: records })
        : t('allRowsFit', { count: records })}
    </p>
  )
}
