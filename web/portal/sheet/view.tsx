import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { isRightToLeft } from '../../shared/texts/direction.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { ActionButtons } from '../actions.tsx'
import type { Sheet, Space, Workbook } from '../queries.ts'
import { setFreezesFirst, setSheetView, useSheetView } from '../sheet-view-state.ts'
import { type Query, toSelection } from './pages.ts'

type Config = Shape<'View'>['config']

const parseViewQuery = ({
  filter,
  filterField,
  searchValue,
  searchField,
  q,
  sortField,
  sortDirection,
}: Config): Query =>
  Object.fromEntries(
    Object.entries({
      filter: filter === 'valid' || filter === 'error' ? filter : undefined,
      ...{ filterField, searchValue, searchField, q, sortField, sortDirection },
    }).filter(([, value]) => value != null && value !== ''),
  )

interface Props {
  query: Query
  onQuery(query: Query): void
  space: Space
  workbook: Workbook
  sheet: Sheet
  selected: number
  subject(columnKey: string): Promise<Record<string, unknown>>
  onClose(): void
}

export function ViewDrawer(props: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('view')} place="end" onClose={props.onClose}>
      <Columns {...props} />
      <Views {...props} />
    </Dialog>
  )
}

function Columns({ space, workbook, sheet, selected, subject }: Props) {
  const { t } = useTranslation()
  const { hidden, freezesFirst } = useSheetView(sheet.id)
  const { language } = useTranslation()
  const { fields } = sheet.config
  const setColumnVisible = (key: string, isVisible: boolean) => {
    const next = isVisible ? hidden.filter((hiddenKey) => hiddenKey !== key) : [...hidden, key]
    setSheetView(sheet.id, { hidden: next }, true)
  }
  const isLast = fields.filter(({ key }) => !hidden.includes(key)).length === 1
  return (
    <section className="drawer-part">
      <header className="card-head">
        <h3>{t('columns')}</h3>
        <Button kind="ghost" onClick={() => setSheetView(sheet.id, { hidden: [] }, true)}>
          {t('showColumns')}
        </Button>
      </header>
      {!isRightToLeft(language) && (
        <CheckField
          label={t('freezeFirst')}
          checked={freezesFirst}
          onChange={(event) => setFreezesFirst(sheet.id, event.target.checked)}
        />
      )}
      <ul>
        {fields.map((field) => {
          const isVisible = !hidden.includes(field.key)
          return (
            <li key={field.key} className="column-row">
              <CheckField
                label={field.label || field.key}
                checked={isVisible}
                disabled={isVisible && isLast}
                onChange={(event) => setColumnVisible(field.key, event.target.checked)}
              />
              <ActionButtons
                space={space}
                workbook={workbook}
                target={{ kind: 'field', id: sheet.id, sheet, field }}
                selected={selected}
                subject={() => subject(field.key)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Views({ sheet, query, onQuery, onClose }: Props) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const { hidden } = useSheetView(sheet.id)
  const [name, setName] = useState('')
  const queryKey = ['views', sheet.id]
  const viewsQuery = useQuery({
    queryKey,
    queryFn: () => unwrap(api.GET('/api/v1/views', { params: { query: { sheetId: sheet.id, pageSize: 100 } } })),
  })
  const invalidateViews = () => void client.invalidateQueries({ queryKey })
  const { sortField, sortDirection } = query
  const saveView = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/views', {
          body: {
            sheetId: sheet.id,
            name,
            config: { ...toSelection(query), sortField, sortDirection, hiddenColumns: [...hidden] },
          },
        }),
      ),
    onSuccess() {
      setName('')
      invalidateViews()
    },
  })
  const deleteView = useMutation({
    mutationFn: (viewId: string) => unwrap(api.DELETE('/api/v1/views/{viewId}', { params: { path: { viewId } } })),
    onSuccess: invalidateViews,
    onError: showError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saveView.mutate()
  }
  const applyView = (config: Config) => {
    setSheetView(sheet.id, { hidden: config.hiddenColumns ?? [] })
    onQuery(parseViewQuery(config))
    onClose()
  }
  return (
    <section className="drawer-part">
      <h3>{t('views')}</h3>
      {saveView.error && <ErrorNotice error={saveView.error} />}
      <form className="inline" onSubmit={submit}>
        <TextField label={t('name')} required value={name} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" kind="primary" busy={saveView.isPending}>
          {t('saveView')}
        </Button>
      </form>
      <QueryView query={viewsQuery}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t('noViews')} />
          ) : (
            <ul className="rows">
              {data.map((view) => (
                <li key={view.id}>
                  <span className="grow clip" dir="auto">
                    {view.name}
                  </span>
                  <Button aria-label={`${t('apply')}: ${view.name}`} onClick={() => applyView(view.config)}>
                    {t('apply')}
                  </Button>
                  <Button
                    kind="ghost"
                    aria-label={`${t('delete')}: ${view.name}`}
                    onClick={() => deleteView.mutate(view.id)}
                  >
                    {t('delete')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
