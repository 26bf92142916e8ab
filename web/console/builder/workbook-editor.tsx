import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { createSheet, type Draft, type DraftSheet } from './draft.ts'
import { SheetEditor } from './sheet-editor.tsx'

interface Props {
  draft: Draft
  onChange(draft: Draft): void
}

export function WorkbookEditor({ draft, onChange }: Props) {
  const { t } = useTranslation()
  const [sheetId, setSheetId] = useState(draft.sheets[0]?.id)
  const sheet = draft.sheets.find(({ id }) => id === sheetId) ?? draft.sheets[0]
  const setSheet = (next: DraftSheet) =>
    onChange({ ...draft, sheets: draft.sheets.map((one) => (one.id === next.id ? next : one)) })
  const add = () => {
    const added = createSheet(t('newSheetName'), draft.sheets)
    onChange({ ...draft, sheets: [...draft.sheets, added] })
    setSheetId(added.id)
  }
  if (!sheet) return null
  const isOnly = draft.sheets.length === 1
  return (
    <div className="workbook-editor">
      <div className="sheet-head">
        <TextField
          label={t('workbookName')}
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
        {isOnly && <SheetName sheet={sheet} onChange={setSheet} />}
        {isOnly && <AddButton onClick={add} />}
      </div>
      {!isOnly && (
        <>
          <fieldset className="sheet-tabs" aria-label={t('sheets')}>
            {draft.sheets.map(({ id, name }) => (
              <button key={id} type="button" dir="auto" aria-pressed={id === sheet.id} onClick={() => setSheetId(id)}>
                {name}
              </button>
            ))}
            <AddButton onClick={add} />
          </fieldset>
          <div className="sheet-head">
            <SheetName sheet={sheet} onChange={setSheet} />
            {sheet.sheetId === undefined && (
              <Button
                kind="ghost"
                onClick={() => onChange({ ...draft, sheets: draft.sheets.filter(({ id }) => id !== sheet.id) })}
              >
                <Trash2 aria-hidden="true" />
                {t('removeSheet')}
              </Button>
            )}
          </div>
        </>
      )}
      <SheetEditor key={sheet.id} sheet={sheet} sheets={draft.sheets} onChange={setSheet} />
    </div>
  )
}

function SheetName({ sheet, onChange }: { sheet: DraftSheet; onChange(sheet: DraftSheet): void }) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('sheetName')}
      value={sheet.name}
      onChange={(event) => onChange({ ...sheet, name: event.target.value })}
    />
  )
}

function AddButton({ onClick }: { onClick(): void }) {
  const { t } = useTranslation()
  return (
    <Button kind="ghost" onClick={onClick}>
      <Plus aria-hidden="true" />
      {t('addSheet')}
    </Button>
  )
}
