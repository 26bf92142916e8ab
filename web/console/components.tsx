/** Shared components of the console pages. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button, type Option, SelectField, TextArea, TextField } from '../shared/ui/controls.tsx'
import { CopyButton } from '../shared/ui/copy.tsx'
import { DataTable as SharedDataTable } from '../shared/ui/data-table.tsx'
import { Confirm, Dialog } from '../shared/ui/dialog.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { ErrorNotice } from '../shared/ui/states.tsx'

export function PageHeader({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {text && <p className="muted">{text}</p>}
      </div>
      <div className="buttons">{children}</div>
    </header>
  )
}

export interface Column<Row> {
  title: string
  wide?: boolean
  cell(row: Row): ReactNode
}

export function DataTable<Row extends { id?: string }>(props: {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  empty: string
}) {
  const { name, columns, rows, empty } = props
  return (
    <SharedDataTable
      label={name}
      columns={columns.map(({ title, wide, cell }) => ({ id: title, title, isMain: wide, render: cell }))}
      rows={rows}
      rowKey={(row) => row.id ?? String(rows.indexOf(row))}
      empty={empty}
    />
  )
}

export interface FormField {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'area'
  hint?: string
  optional?: boolean
  initial?: string
  options?: readonly Option[]
}

export function FormDialog<Answer>(props: {
  title: string
  text?: ReactNode
  fields: readonly FormField[]
  action: string
  submit(values: Record<string, string>): Promise<Answer>
  onDone(result: Answer): void
  onClose(): void
}) {
  const { t } = useTranslation()
  const [values, setValues] = useState(() =>
    Object.fromEntries(props.fields.map(({ name, initial, options }) => [name, initial ?? options?.[0]?.value ?? ''])),
  )
  const run = useMutation({ mutationFn: () => props.submit(values), onSuccess: props.onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        {props.text && <p className="muted form-text">{props.text}</p>}
        {run.error && <ErrorNotice error={run.error} />}
        {props.fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues((previous) => ({ ...previous, [field.name]: value }))}
          />
        ))}
        <div className="actions">
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={run.isPending}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Input({ field, value, onChange }: { field: FormField; value: string; onChange(value: string): void }) {
  const commonProps = { label: field.label, value, required: !field.optional }
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  if (field.options) return <SelectField {...commonProps} options={field.options} onChange={change} />
  if (field.type === 'area') return <TextArea {...commonProps} hint={field.hint} rows={4} onChange={change} />
  return (
    <TextField {...commonProps} hint={field.hint} type={field.type ?? 'text'} autoComplete="off" onChange={change} />
  )
}

export function HiddenValue({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const [isVisible, setIsVisible] = useState(false)
  return (
    <span className="hidden-value">
      <code>{isVisible ? value : '••••••••••••'}</code>
      <Button
        kind="ghost"
        aria-label={`${isVisible ? t('hide') : t('show')}: ${name}`}
        onClick={() => setIsVisible(!isVisible)}
      >
        {isVisible ? t('hide') : t('show')}
      </Button>
      <CopyButton value={value} name={name} />
    </span>
  )
}

export function OneTimeValue({ title, value, onClose }: { title: string; value: string; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice warn">{t('shownOnce')}</p>
      <code className="once">{value}</code>
      <div className="actions">
        <CopyButton value={value} name={title} />
        <Button kind="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  )
}

export function useAction<Input = void, Answer = unknown>(
  action: (input: Input) => Promise<Answer>,
  invalidates: readonly string[],
  onDone?: (result: Answer) => void,
): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient()
  const showError = useErrorToast()
  return useMutation({
    mutationFn: action,
    onSuccess(result) {
      for (const key of invalidates) void client.invalidateQueries({ queryKey: [key] })
      onDone?.(result)
    },
    onError: showError,
  })
}

export function DeleteButton(props: {
  name: string
  text: string
  label?: string
  onDelete(): Promise<unknown>
  invalidates: readonly string[]
}) {
  const { t } = useTranslation()
  const [isConfirming, setIsConfirming] = useState(false)
  const label = props.label ?? t('delete')
  const remove = useAction(props.onDelete, props.invalidates, () => setIsConfirming(false))
  return (
    <>
      <Button kind="ghost" aria-label={`${label}: ${props.name}`} onClick={() => setIsConfirming(true)}>
        {label}
      </Button>
      {isConfirming && (
        <Confirm
          title={label}
          text={props.text}
          action={label}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  )
}

export const JsonView = ({ value }: { value: unknown }) => <pre className="json">{JSON.stringify(value, null, 2)}</pre>
