/** Values that refer to records which do not exist yet, and an offer to create these. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { nameOfField } from './field-words.ts'

const MAX_SHOWN_VALUES = 5

export function MissingRecords({ sheet, sheets }: { sheet: Sheet; sheets: readonly Sheet[] }) {
  const references = sheet.config.fields.filter(({ type }) => type === 'reference' || type === 'reference-list')
  return references.map((field) => <MissingOfField key={field.key} sheet={sheet} field={field} sheets={sheets} />)
}

function MissingOfField({ sheet, field, sheets }: { sheet: Sheet; field: SheetField; sheets: readonly Sheet[] }) {
  const { t, number } = useTranslation()
  const client = useQueryClient()
  const showError = useErrorToast()
  const path = { sheetId: sheet.id }
  const missing = useQuery({
    queryKey: ['missing', sheet.id, field.key, sheet.recordCounts?.error],
    retry: false,
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/sheets/{sheetId}/quality/missing', {
          params: { path, query: { fieldKey: field.key, pageSize: MAX_SHOWN_VALUES } },
        }),
      ),
  })
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/sheets/{sheetId}/quality/create-missing', {
          params: { path },
          body: { fieldKey: field.key },
        }),
      ),
    onSuccess({ data }) {
      toast(t('recordsAdded', { count: data.created }))
      void client.invalidateQueries()
    },
    onError: showError,
  })
  const count = missing.data?.pagination?.totalCount ?? 0
  if (!missing.data || count === 0) return null
  const target = sheets.find(({ id }) => id === missing.data.target.sheetId)
  const values = missing.data.data.map(({ value, count: rows }) => `${value} (${number(rows)})`)
  return (
    <section className="next-step" aria-label={nameOfField(field)}>
      <Link2Off aria-hidden="true" />
      <div className="next-step-text">
        <h2 dir="auto">{t('missingRecords', { count, field: nameOfField(field), sheet: target?.name ?? '' })}</h2>
        <p className="muted" dir="auto">
          {[...values, ...(count > values.length ? ['…'] : [])].join(' · ')}
        </p>
      </div>
      <div className="buttons">
        <Button busy={create.isPending} onClick={() => create.mutate()}>
          {t('createMissing', { count })}
        </Button>
      </div>
    </section>
  )
}
