/** Dialog that replaces text in one field of the visible records. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../queries.ts'
import type { Query } from './pages.ts'

interface Props {
  sheet: Sheet
  query: Query
  onClose(): void
  onDone(): void
}

export function FindReplace({ sheet, query, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const [fieldKey, setFieldKey] = useState(sheet.config.fields[0]?.key ?? '')
  const [find, setFind] = useState('')
  const [replace, setReplace] = useState('')
  const replaceValues = useMutation({
    mutationFn() {
      const { sortField: _field, sortDirection: _direction, ...filters } = query
      const params = { path: { sheetId: sheet.id }, query: filters }
      return unwrap(
        api.PUT('/api/v1/sheets/{sheetId}/find-replace', {
          params,
          body: { fieldKey, find, replace: replace || null },
        }),
      )
    },
    onSuccess({ data }) {
      toast(t('replaced', { count: data.updated }))
      onDone()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    replaceValues.mutate()
  }
  return (
    <Dialog title={t('findReplace')} onClose={onClose}>
      <form onSubmit={submit}>
        {replaceValues.error && <ErrorNotice error={replaceValues.error} />}
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
        <TextField label={t('replaceWith')} value={replace} onChange={(event) => setReplace(event.target.value)} />
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={replaceValues.isPending}>
            {t('replace')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
