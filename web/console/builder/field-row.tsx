import { GripVertical, Settings2, Trash2 } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField, SelectField } from '../../shared/ui/controls.tsx'
import type { FieldProblem } from './check.ts'
import { type DraftField, getLabel, hasConstraint, withConstraint } from './draft.ts'
import { getKind, KINDS, type Kind, withKind } from './kinds.ts'
import type { Field } from './shape.ts'

export interface FieldRowProps {
  draft: DraftField
  problems: readonly FieldProblem[]
  records: number | undefined
  onRename(label: string): void
  onChange(field: Field): void
  onMove(by: number): void
  onDropAt(id: number): void
  onRemove(): void
  onOpen(): void
}

export function FieldRow(props: FieldRowProps) {
  const { draft, problems, records, onRename, onChange, onRemove, onOpen } = props
  const { t } = useTranslation()
  const { field } = draft
  const name = getLabel(field)
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    props.onDropAt(Number(event.dataTransfer.getData('text/plain')))
  }
  return (
    <li
      className={`field-row${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <MoveHandle id={draft.id} name={name} onMove={props.onMove} />
      <input
        className="field-name"
        aria-label={t('fieldName')}
        dir="auto"
        value={field.label ?? field.key}
        onChange={(event) => onRename(event.target.value)}
      />
      <SelectField
        hideLabel
        label={t('kindOf', { name })}
        value={getKind(field)}
        options={Object.entries(KINDS).map(([value, { label }]) => ({ value, label: t(label) }))}
        onChange={(event) => onChange(withKind(field, event.target.value as Kind))}
      />
      <CheckField
        label={t('fieldRequired')}
        checked={hasConstraint(field, 'required')}
        onChange={(event) => onChange(withConstraint(field, 'required', event.target.checked))}
      />
      <CheckField
        label={t('fieldUnique')}
        checked={hasConstraint(field, 'unique')}
        onChange={(event) => onChange(withConstraint(field, 'unique', event.target.checked))}
      />
      <FieldNote draft={draft} problems={problems} records={records} onOpen={onOpen} />
      <span className="field-buttons">
        <Button kind="ghost" className="icon" aria-label={t('fieldDetails', { name })} onClick={onOpen}>
          <Settings2 aria-hidden="true" />
        </Button>
        <Button kind="ghost" className="icon" aria-label={t('removeField', { name })} onClick={onRemove}>
          <Trash2 aria-hidden="true" />
        </Button>
      </span>
    </li>
  )
}

function MoveHandle({ id, name, onMove }: { id: number; name: string; onMove(by: number): void }) {
  const { t } = useTranslation()
  const move = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <button
      type="button"
      className="button ghost icon handle"
      aria-label={t('moveField', { name })}
      title={t('moveHint')}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', String(id))}
      onKeyDown={move}
    >
      <GripVertical aria-hidden="true" />
    </button>
  )
}

type NoteProps = Pick<FieldRowProps, 'draft' | 'problems' | 'records' | 'onOpen'>

function FieldNote({ draft, problems, records, onOpen }: NoteProps) {
  const { t, translate } = useTranslation()
  const [reason] = draft.reasons
  const count = problems.reduce((most, problem) => Math.max(most, problem.count), 0)
  if (count > 0)
    return (
      <button type="button" className="badge bad field-note" onClick={onOpen}>
        {t('wouldBeErrors', { count, total: records ?? count })}
      </button>
    )
  return <span className="hint field-note">{reason ? translate(reason) : ''}</span>
}
