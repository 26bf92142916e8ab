/** Rows with the same value in a field that must be unique, and an offer to merge them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CopyX } from 'lucide-react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { nameOfField } from './field-words.ts'

type Group = Shape<'DuplicateGroup'>

const PAGE_SIZE = 100
const MAX_PAGES = 100
const MAX_SHOWN_VALUES = 3

export function DuplicateRecords({ sheet }: { sheet: Sheet }) {
  const fields = sheet.config.fields.filter(({ constraints }) =>
    (constraints ?? []).some(({ type }) => type === 'unique'),
  )
  return fields.map((field) => <DuplicatesOfField key={field.key} sheet={sheet} field={field} />)
}

async function findDuplicates(sheetId: string, fieldKey: string) {
  const params = { path: { sheetId }, query: { fields: [fieldKey], pageSize: PAGE_SIZE } }
  const { data, pagination } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/quality/duplicates', { params }))
  return { groups: data.filter((group) => isEqual(group, fieldKey)), total: pagination?.totalCount ?? data.length }
}

/** The groups of the API also have values that are only near. */
const isEqual = ({ records }: Group, fieldKey: string): boolean =>
  new Set(records.map(({ values }) => String(values[fieldKey]).trim().toLowerCase())).size === 1

async function mergeAll(sheetId: string, fieldKey: string): Promise<number> {
  let deleted = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const { groups } = await findDuplicates(sheetId, fieldKey)
    if (groups.length === 0) break
    const body = { merges: groups.map(({ merge }) => merge), duplicates: { fields: [fieldKey] } }
    const { data } = await unwrap(
      api.POST('/api/v1/sheets/{sheetId}/quality/merge', { params: { path: { sheetId } }, body: body as never }),
    )
    deleted += data.deleted
  }
  return deleted
}

function DuplicatesOfField({ sheet, field }: { sheet: Sheet; field: SheetField }) {
  const { t, number } = useTranslation()
  const client = useQueryClient()
  const showError = useErrorToast()
  const duplicates = useQuery({
    queryKey: ['duplicates', sheet.id, field.key, sheet.recordCounts?.error],
    retry: false,
    queryFn: () => findDuplicates(sheet.id, field.key),
  })
  const merge = useMutation({
    mutationFn: () => mergeAll(sheet.id, field.key),
    onSuccess(count) {
      toast(t('duplicatesMerged', { count }))
      void client.invalidateQueries()
    },
    onError: showError,
  })
  const groups = duplicates.data?.groups ?? []
  if (groups.length === 0) return null
  const count = groups.length < PAGE_SIZE ? groups.length : duplicates.data!.total
  const values = groups
    .slice(0, MAX_SHOWN_VALUES)
    .map((group) => `${group.records[0]?.values[field.key]} (${number(group.count)})`)
  return (
    <section className="next-step" aria-label={nameOfField(field)}>
      <CopyX aria-hidden="true" />
      <div className="next-step-text">
        <h2 dir="auto">{t('duplicateRows', { count, field: nameOfField(field) })}</h2>
        <p className="muted" dir="auto">
          {[...values, ...(count > values.length ? ['…'] : [])].join(' · ')}
        </p>
      </div>
      <div className="buttons">
        <Button busy={merge.isPending} onClick={() => merge.mutate()}>
          {t('mergeDuplicates')}
        </Button>
      </div>
    </section>
  )
}
