/** Records as cards, for screens that are too narrow for the grid. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, Field } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { formatCell, formatValue, isListField } from './cells.ts'
import { getFieldOptions } from './choices.ts'
import type { CellEdit } from './grid.tsx'
import { getWorstType, Messages } from './messages.tsx'
import { type Query, type SheetRecord, toSelection } from './pages.ts'
import './cards.css'

const CARDS_PER_PAGE = 20
const MAX_PLAIN_FIELDS = 4

interface Props {
  sheet: Sheet
  fields: readonly SheetField[]
  query: Query
  readonly: boolean
  onEdit(edits: CellEdit[]): Promise<unknown>
  onComment(recordId: string): void
}

export function Cards(props: Props) {
  const { sheet, query } = props
  const { t } = useTranslation()
  const { sortField, sortDirection } = query
  const keep = useKeptRecords(JSON.stringify(query))
  const records = useInfiniteQuery({
    queryKey: ['cards', sheet.id, JSON.stringify(query)],
    initialPageParam: 1,
    getNextPageParam: (last: SheetRecord[], pages) => (last.length === CARDS_PER_PAGE ? pages.length + 1 : undefined),
    async queryFn({ pageParam }) {
      const page = { sortField, sortDirection, pageSize: CARDS_PER_PAGE, pageNumber: pageParam }
      const params = { path: { sheetId: sheet.id }, query: { ...toSelection(query), ...page } }
      return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/records', { params }))).data.records
    },
  })
  return (
    <div className="cards">
      <QueryView query={records}>
        {({ pages }) => (
          <ul>
            {keep.merge(pages.flat()).map((record) => (
              <Card key={record.id} record={record} onFixed={keep.add} {...props} />
            ))}
          </ul>
        )}
      </QueryView>
      {records.hasNextPage && (
        <Button busy={records.isFetchingNextPage} onClick={() => void records.fetchNextPage()}>
          {t('showMore')}
        </Button>
      )}
    </div>
  )
}

function useKeptRecords(queryKey: string) {
  const kept = useRef({ queryKey, ids: new Set<string>(), shown: [] as SheetRecord[] })
  if (kept.current.queryKey !== queryKey) kept.current = { queryKey, ids: new Set(), shown: [] }
  return {
    add: (recordId: string) => void kept.current.ids.add(recordId),
    merge(found: readonly SheetRecord[]): readonly SheetRecord[] {
      const { ids, shown } = kept.current
      const byId = new Map(found.map((record) => [record.id, record]))
      const before = shown.flatMap((record) => byId.get(record.id) ?? (ids.has(record.id) ? record : []))
      const known = new Set(before.map(({ id }) => id))
      kept.current.shown = [...before, ...found.filter(({ id }) => !known.has(id))]
      return kept.current.shown
    },
  }
}

const getMessages = (record: SheetRecord, field: SheetField) =>
  (record.values[field.key]?.messages ?? []).filter(({ type }) => type !== 'info')

interface CardProps extends Props {
  record: SheetRecord
  onFixed(recordId: string): void
}

function Card({ record, fields, readonly, onEdit, onComment, onFixed }: CardProps) {
  const { t } = useTranslation()
  const [fixed, setFixed] = useState<ReadonlySet<string>>(new Set())
  const wrong = fields.filter((field) => fixed.has(field.key) || getMessages(record, field).length > 0)
  const plain = fields.filter((field) => !wrong.includes(field)).slice(0, MAX_PLAIN_FIELDS)
  const save = async (field: SheetField, text: string) => {
    onFixed(record.id)
    await onEdit([{ recordId: record.id, fieldKey: field.key, value: text.trim() === '' ? null : text }])
    setFixed((all) => new Set([...all, field.key]))
  }
  return (
    <li className="card record-card">
      <dl>
        {plain.map((field) => (
          <div key={field.key}>
            <dt dir="auto">{field.label || field.key}</dt>
            <dd dir="auto">{formatCell(field, record.values[field.key]?.value, t) || '—'}</dd>
          </div>
        ))}
      </dl>
      {wrong.map((field) =>
        fixed.has(field.key) ? (
          <p key={field.key} className="card-saved" role="status">
            <CircleCheck aria-hidden="true" /> {t('savedField', { field: field.label || field.key })}
          </p>
        ) : (
          <WrongField
            key={field.key}
            record={record}
            field={field}
            readonly={readonly || field.readonly === true}
            onSave={(text) => save(field, text)}
          />
        ),
      )}
      <div className="actions">
        <Button kind="ghost" onClick={() => onComment(record.id)}>
          {t('comment')}
        </Button>
      </div>
    </li>
  )
}

function WrongField(props: {
  record: SheetRecord
  field: SheetField
  readonly: boolean
  onSave(text: string): Promise<unknown>
}) {
  const { record, field, readonly, onSave } = props
  const { t } = useTranslation()
  const messages = getMessages(record, field)
  const initial = formatValue(record.values[field.key]?.value)
  const [text, setText] = useState(initial)
  const [isSaving, setIsSaving] = useState(false)
  const options = isListField(field) ? [] : getFieldOptions(field, t)
  const save = () => {
    setIsSaving(true)
    void onSave(text).finally(() => setIsSaving(false))
  }
  return (
    <form
      className={`wrong-field ${getWorstType(messages)}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== initial) save()
      }}
    >
      <Field label={field.label || field.key} hint={<Messages messages={messages} />}>
        {(id, hintId) =>
          options.length > 0 ? (
            <select
              id={id}
              aria-describedby={hintId}
              disabled={readonly}
              value={text}
              onChange={(event) => setText(event.target.value)}
            >
              {!options.some(({ value }) => value === text) && <option value={text}>{text}</option>}
              {options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={id}
              aria-describedby={hintId}
              dir="auto"
              readOnly={readonly}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )
        }
      </Field>
      {!readonly && (
        <Button
          type="submit"
          kind="primary"
          disabled={text === initial}
          busy={isSaving}
          aria-label={`${t('save')}: ${field.label || field.key}`}
        >
          {t('save')}
        </Button>
      )}
    </form>
  )
}
