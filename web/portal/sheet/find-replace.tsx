/** Replaces a text in one field, in the records that are shown. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Failure } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../data.ts'
import type { Query } from './pages.ts'

interface Given {
  sheet: Sheet
  query: Query
  onClose(): void
  onDone(): void
}

export function FindReplace({ sheet, query, onClose, onDone }: Given) {
  const { t, number } = useTexts()
  const [fieldKey, setFieldKey] = useState(sheet.config.fields[0]?.key ?? '')
  const [find, setFind] = useState('')
  const [replace, setReplace] = useState('')
  const run = useMutation({
    mutationFn() {
      const { sortField: _field, sortDirection: _direction, ...meant } = query
      const params = { path: { sheetId: sheet.id }, query: meant }
      return ask(
        api.PUT('/api/v1/sheets/{sheetId}/find-replace', {
          params,
          body: { fieldKey, find, replace: replace || null },
        }),
      )
    },
    onSuccess({ data }) {
      toast(t('replaced', { count: number(data.updated) }))
      onDone()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <Dialog title={t('findReplace')} onClose={onClose}>
      <form onSubmit={submit}>
        {run.error && <Failure error={run.error} />}
        <SelectField
          label={t('field')}
          value={fieldKey}
          options={sheet.config.fields.map(({ key, label }) => ({ value: key, label: label || key }))}
          onChange={(event) => setFieldKey(event.target.value)}
        />
        <TextField
          label={t('find')}
          hint={t('findHint')}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
        <TextField label={t('replaceBy')} value={replace} onChange={(event) => setReplace(event.target.value)} />
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={run.isPending}>
            {t('replace')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
