/** What the pages of the console are made of: a head, a table, a form, a value shown on request. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button, type Option, SelectField, TextArea, TextField } from '../shared/ui/controls.tsx'
import { Copy } from '../shared/ui/copy.tsx'
import { Confirm, Dialog } from '../shared/ui/dialog.tsx'
import { Empty, Failure } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'

export function Head({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
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
  /** Takes what is left of the width. */
  wide?: boolean
  cell(row: Row): ReactNode
}

export function Table<Row extends { id?: string }>(given: {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  empty: string
}) {
  const { name, columns, rows, empty } = given
  if (rows.length === 0) return <Empty title={empty} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="table-holder" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, wide }) => (
              <th key={title} scope="col" className={wide ? 'wide' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.id ?? at}>
              {columns.map(({ title, wide, cell }) => (
                <td key={title} className={wide ? 'wide' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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

/** Asks for values and does something with them; stays open with what the server says against it. */
export function FormDialog<Answer>(given: {
  title: string
  text?: ReactNode
  fields: readonly FormField[]
  action: string
  submit(values: Record<string, string>): Promise<Answer>
  onDone(answer: Answer): void
  onClose(): void
}) {
  const { t } = useTexts()
  const [values, setValues] = useState(() =>
    Object.fromEntries(given.fields.map(({ name, initial, options }) => [name, initial ?? options?.[0]?.value ?? ''])),
  )
  const run = useMutation({ mutationFn: () => given.submit(values), onSuccess: given.onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <Dialog title={given.title} onClose={given.onClose}>
      <form onSubmit={submit}>
        {given.text && <p className="muted form-text">{given.text}</p>}
        {run.error && <Failure error={run.error} />}
        {given.fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <div className="actions">
          <Button onClick={given.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={run.isPending}>
            {given.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Input({ field, value, onChange }: { field: FormField; value: string; onChange(value: string): void }) {
  const common = { label: field.label, value, required: !field.optional }
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  if (field.options) return <SelectField {...common} options={field.options} onChange={change} />
  if (field.type === 'area') return <TextArea {...common} hint={field.hint} rows={4} onChange={change} />
  return <TextField {...common} hint={field.hint} type={field.type ?? 'text'} autoComplete="off" onChange={change} />
}

/** A value that is shown only when asked for, and can be copied without being seen. */
export function Hidden({ value, name }: { value: string; name: string }) {
  const { t } = useTexts()
  const [shown, setShown] = useState(false)
  return (
    <span className="hidden-value">
      <code>{shown ? value : '••••••••••••'}</code>
      <Button kind="ghost" aria-label={`${shown ? t('hide') : t('show')}: ${name}`} onClick={() => setShown(!shown)}>
        {shown ? t('hide') : t('show')}
      </Button>
      <Copy value={value} name={name} />
    </span>
  )
}

/** A value the server shows this one time. */
export function ShownOnce({ title, value, onClose }: { title: string; value: string; onClose(): void }) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice warn">{t('shownOnce')}</p>
      <code className="once">{value}</code>
      <div className="actions">
        <Copy value={value} name={title} />
        <Button kind="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Something done by a click: lists that show it are asked anew. */
export function useDoing<Input = void, Answer = unknown>(
  work: (input: Input) => Promise<Answer>,
  touched: readonly string[],
  done?: (answer: Answer) => void,
): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess(answer) {
      for (const key of touched) void client.invalidateQueries({ queryKey: [key] })
      done?.(answer)
    },
    onError: (error) => toast(error.message, 'error'),
  })
}

/** A button for what cannot be undone. */
export function Remove(given: {
  name: string
  text: string
  label?: string
  work(): Promise<unknown>
  touched: readonly string[]
}) {
  const { t } = useTexts()
  const [asking, setAsking] = useState(false)
  const label = given.label ?? t('delete')
  const remove = useDoing(given.work, given.touched, () => setAsking(false))
  return (
    <>
      <Button kind="ghost" aria-label={`${label}: ${given.name}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Confirm
          title={label}
          text={given.text}
          action={label}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

export const Json = ({ value }: { value: unknown }) => <pre className="json">{JSON.stringify(value, null, 2)}</pre>
