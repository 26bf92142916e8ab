/** Replaces text in one field or all fields of the visible records, after a preview. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../queries.ts'
import { formatCell, formatValue } from './cells.ts'
import { type Query, toSelection } from './pages.ts'

interface Props {
  sheet: Sheet
  query: Query
  fieldKey: string | undefined
  onClose(): void
  onDone(): void
}

const MAX_EXAMPLES = 3
const PREVIEW_DEBOUNCE_MS = 250

type Kind = 'contains' | 'whole' | 'empty'

interface Preview {
  cells: number
  changes: { fieldKey: string; before?: unknown; after?: unknown; count: number; valid: boolean }[]
}

interface Form {
  kind: Kind
  fieldKey: string
  find: string
  replace: string
}

const isComplete = ({ kind, find, replace }: Form): boolean => (kind === 'empty' ? replace !== '' : find !== '')

function buildReplacement({ kind, fieldKey, find, replace }: Form) {
  const text = kind === 'contains' ? find : kind === 'whole' ? `"${find}"` : '""'
  // An empty text removes a part of a value, and clears a whole one.
  return { ...(fieldKey ? { fieldKey } : {}), find: text, replace: replace || (kind === 'contains' ? '' : null) }
}

function usePreview(sheet: Sheet, query: Query, form: Form) {
  const [settled, setSettled] = useState(form)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(form), PREVIEW_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [form])
  const preview = useQuery({
    queryKey: ['replacement', sheet.id, JSON.stringify([query, settled])],
    enabled: isComplete(settled),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    async queryFn() {
      const params = { path: { sheetId: sheet.id }, query: { ...toSelection(query), pageSize: MAX_EXAMPLES } }
      const body = buildReplacement(settled)
      return (await unwrap(api.POST('/api/v1/sheets/{sheetId}/find-replace/preview', { params, body }))).data
    },
  })
  return { preview, isCurrent: settled === form && !preview.isPlaceholderData && preview.data !== undefined }
}

export function FindReplace({ sheet, query, fieldKey, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const [form, setForm] = useState<Form>({ kind: 'contains', fieldKey: fieldKey ?? '', find: '', replace: '' })
  const change = (name: keyof Form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  const { preview, isCurrent } = usePreview(sheet, query, form)
  const replaceValues = useMutation({
    mutationFn(version: number) {
      const params = { path: { sheetId: sheet.id }, query: toSelection(query) }
      const body = { ...buildReplacement(form), version }
      return unwrap(api.PUT('/api/v1/sheets/{sheetId}/find-replace', { params, body }))
    },
    onSuccess({ data }) {
      toast(t('replaced', { count: data.updated }))
      onDone()
      onClose()
    },
    onError: () => void preview.refetch(),
  })
  const cells = isComplete(form) ? (preview.data?.cells ?? 0) : 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (preview.data && isCurrent && cells > 0) replaceValues.mutate(preview.data.version)
  }
  return (
    <Dialog title={t('findReplace')} onClose={onClose}>
      <form onSubmit={submit}>
        {replaceValues.error && <ErrorNotice error={replaceValues.error} />}
        <SelectField
          label={t('field')}
          value={form.fieldKey}
          options={[
            { value: '', label: t('everyField') },
            ...sheet.config.fields
              .filter(({ readonly }) => !readonly)
              .map(({ key, label }) => ({ value: key, label: label || key })),
          ]}
          onChange={change('fieldKey')}
        />
        <SelectField
          label={t('look')}
          value={form.kind}
          options={[
            { value: 'contains', label: t('lookContains') },
            { value: 'whole', label: t('lookWhole') },
            { value: 'empty', label: t('lookEmpty') },
          ]}
          onChange={change('kind')}
        />
        {form.kind !== 'empty' && <TextField label={t('find')} value={form.find} onChange={change('find')} />}
        <TextField label={t('replaceWith')} value={form.replace} onChange={change('replace')} />
        <div className="replacement" role="status" aria-live="polite">
          {isComplete(form) && preview.data && <Examples sheet={sheet} preview={preview.data} />}
        </div>
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={!isCurrent || cells === 0} busy={replaceValues.isPending}>
            {cells > 0 ? t('replaceCells', { count: cells }) : t('replace')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Examples({ sheet, preview: { cells, changes } }: { sheet: Sheet; preview: Preview }) {
  const { t, number } = useTranslation()
  const format = (fieldKey: string, value: unknown) => {
    const field = sheet.config.fields.find(({ key }) => key === fieldKey)
    return (field ? formatCell(field, value, t) : formatValue(value)) || t('emptyText')
  }
  if (cells === 0) return <p className="hint">{t('nothingToReplace')}</p>
  return (
    <>
      <p>{t('cellsToReplace', { count: cells })}</p>
      <ul>
        {changes.map(({ fieldKey, before, after, count, valid }) => (
          <li key={JSON.stringify([fieldKey, before])}>
            <del dir="auto">{format(fieldKey, before)}</del>
            <ArrowRight aria-hidden="true" className="flip" />
            <ins dir="auto" className={valid ? undefined : 'invalid'}>
              {format(fieldKey, after)}
            </ins>
            <span className="count">{number(count)}×</span>
          </li>
        ))}
      </ul>
    </>
  )
}
