import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Empty, ErrorNotice } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type CheckResult, findProblems, useCheck } from './check.ts'
import {
  createField,
  type DraftField,
  type DraftSheet,
  getLabel,
  listKeys,
  moveItem,
  removeField,
  rename,
} from './draft.ts'
import { FieldDrawer } from './field-drawer.tsx'
import { FieldRow } from './field-row.tsx'
import { RuleList } from './rule-list.tsx'
import { SHEET_RULES } from './rules.ts'
import type { Field } from './shape.ts'

interface Props {
  sheet: DraftSheet
  sheets: readonly DraftSheet[]
  onChange(sheet: DraftSheet): void
}

export function SheetEditor({ sheet, sheets, onChange }: Props) {
  const { t } = useTranslation()
  const check = useCheck(sheet, sheets)
  const [openId, setOpenId] = useState<number>()
  const openField = sheet.fields.find(({ id }) => id === openId)
  const setField = (id: number, field: Field) =>
    onChange({ ...sheet, fields: sheet.fields.map((one) => (one.id === id ? { ...one, field } : one)) })
  const fields = sheet.fields.map(({ field }) => field)
  return (
    <>
      {sheet.sampleSheetId !== undefined && <CheckSummary result={check.data} error={check.error} />}
      <FieldList {...{ sheet, onChange, setField }} result={check.data} onOpen={setOpenId} />
      <section className="sheet-rules">
        <h2>{t('rulesOfSheet')}</h2>
        <p className="hint">{t('rulesOfSheetText')}</p>
        <RuleList
          forms={SHEET_RULES}
          rules={sheet.constraints}
          fields={fields}
          onChange={(constraints) => onChange({ ...sheet, constraints })}
        />
      </section>
      {openField && (
        <FieldDrawer
          draft={openField}
          sheet={sheet}
          sheets={sheets}
          problems={findProblems(check.data, openField.field.key)}
          records={check.data?.records}
          onChange={(field) => setField(openField.id, field)}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </>
  )
}

function CheckSummary({ result, error }: { result: CheckResult | undefined; error: unknown }) {
  const { t } = useTranslation()
  if (error) return <ErrorNotice error={error} />
  const { records = 0, recordsWithErrors = 0 } = result ?? {}
  return (
    <p className={`check-summary${recordsWithErrors > 0 ? ' bad' : ''}`} role="status">
      {result === undefined
        ? t('checking')
        : recordsWithErrors > 0
          ? t('rowsWouldHaveErrors', { count: recordsWithErrors, total: records })
          : t('allRowsFit', { count: records })}
    </p>
  )
}

interface ListProps {
  sheet: DraftSheet
  result: CheckResult | undefined
  onChange(sheet: DraftSheet): void
  setField(id: number, field: Field): void
  onOpen(id: number): void
}

function FieldList({ sheet, result, onChange, setField, onOpen }: ListProps) {
  const { t } = useTranslation()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const move = (from: number, to: number) => {
    const moved = sheet.fields[from]
    const target = Math.max(0, Math.min(sheet.fields.length - 1, to))
    if (!moved || target === from) return
    onChange({ ...sheet, fields: moveItem(sheet.fields, from, target) })
    setAnnouncement(t('fieldMoved', { name: getLabel(moved.field), position: target + 1 }))
  }
  const remove = ({ id, field }: DraftField) => {
    const removed = removeField(sheet, id)
    onChange(removed.sheet)
    if (removed.rules > 0) toast(t('rulesRemoved', { count: removed.rules, name: getLabel(field) }))
  }
  const add = () => {
    onChange({ ...sheet, fields: [...sheet.fields, createField('', 'text', listKeys(sheet))] })
    setTimeout(() => list.current?.querySelector<HTMLInputElement>('li:last-child .field-name')?.focus())
  }
  return (
    <section className="card field-card">
      <span role="status" className="visually-hidden">
        {announcement}
      </span>
      {sheet.fields.length === 0 && <Empty title={t('noFields')} />}
      <ul className="fields" ref={list} aria-label={t('fieldsOf', { name: sheet.name })}>
        {sheet.fields.map((draft, at) => (
          <FieldRow
            key={draft.id}
            draft={draft}
            problems={findProblems(result, draft.field.key)}
            records={result?.records}
            onRename={(label) => onChange(rename(sheet, draft.id, label))}
            onChange={(field) => setField(draft.id, field)}
            onMove={(by) => move(at, at + by)}
            onDropAt={(id) =>
              move(
                sheet.fields.findIndex((one) => one.id === id),
                at,
              )
            }
            onRemove={() => remove(draft)}
            onOpen={() => onOpen(draft.id)}
          />
        ))}
      </ul>
      <Button kind="ghost" onClick={add}>
        <Plus aria-hidden="true" />
        {t('addField')}
      </Button>
    </section>
  )
}
