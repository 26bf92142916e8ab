/** How a sheet is shown: which columns, what can be done with each, and views kept under a name. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { ActionButtons } from '../actions.tsx'
import type { Sheet, Space, Workbook } from '../data.ts'
import { show, useShowing } from '../showing.ts'
import type { Query } from './pages.ts'

type Config = Shape<'View'>['config']

/** What of a view this page shows; all records are the ones without a filter. */
const queryOf = ({ filter, filterField, searchValue, searchField, q, sortField, sortDirection }: Config): Query =>
  Object.fromEntries(
    Object.entries({
      filter: filter === 'valid' || filter === 'error' ? filter : undefined,
      ...{ filterField, searchValue, searchField, q, sortField, sortDirection },
    }).filter(([, value]) => value != null && value !== ''),
  )

interface Given {
  space: Space
  workbook: Workbook
  sheet: Sheet
  /** Records that are selected. */
  selected: number
  subject(columnKey: string): Promise<Record<string, unknown>>
  onClose(): void
}

export function View(given: Given) {
  const { t } = useTexts()
  return (
    <Dialog title={t('view')} drawer onClose={given.onClose}>
      <Columns {...given} />
      <Views sheet={given.sheet} onClose={given.onClose} />
    </Dialog>
  )
}

function Columns({ space, workbook, sheet, selected, subject }: Given) {
  const { t } = useTexts()
  const { hidden } = useShowing(sheet.id)
  const { fields } = sheet.config
  const change = (key: string, shown: boolean) => {
    const next = shown ? hidden.filter((each) => each !== key) : [...hidden, key]
    show(sheet.id, { hidden: next }, true)
  }
  const isLast = fields.filter(({ key }) => !hidden.includes(key)).length === 1
  return (
    <section className="drawer-part">
      <header className="card-head">
        <h3>{t('columns')}</h3>
        <Button kind="ghost" onClick={() => show(sheet.id, { hidden: [] }, true)}>
          {t('showColumns')}
        </Button>
      </header>
      <ul>
        {fields.map((field) => {
          const shown = !hidden.includes(field.key)
          return (
            <li key={field.key} className="column-row">
              <CheckField
                label={field.label || field.key}
                checked={shown}
                disabled={shown && isLast}
                onChange={(event) => change(field.key, event.target.checked)}
              />
              <ActionButtons
                space={space}
                workbook={workbook}
                place={{ kind: 'field', id: sheet.id, sheet, field }}
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

function Views({ sheet, onClose }: { sheet: Sheet; onClose(): void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { query, hidden } = useShowing(sheet.id)
  const [name, setName] = useState('')
  const queryKey = ['views', sheet.id]
  const listed = useQuery({
    queryKey,
    queryFn: () => ask(api.GET('/api/v1/views', { params: { query: { sheetId: sheet.id, pageSize: 100 } } })),
  })
  const renewed = () => void client.invalidateQueries({ queryKey })
  const keep = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/api/v1/views', {
          body: { sheetId: sheet.id, name, config: { ...query, hiddenColumns: [...hidden] } },
        }),
      ),
    onSuccess() {
      setName('')
      renewed()
    },
  })
  const remove = useMutation({
    mutationFn: (viewId: string) => ask(api.DELETE('/api/v1/views/{viewId}', { params: { path: { viewId } } })),
    onSuccess: renewed,
    onError: (error) => toast(error.message, 'error'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep.mutate()
  }
  const apply = (config: Config) => {
    show(sheet.id, { query: queryOf(config), hidden: config.hiddenColumns ?? [] })
    onClose()
  }
  return (
    <section className="drawer-part">
      <h3>{t('views')}</h3>
      {keep.error && <Failure error={keep.error} />}
      <form className="inline" onSubmit={submit}>
        <TextField label={t('name')} required value={name} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" kind="primary" busy={keep.isPending}>
          {t('keepView')}
        </Button>
      </form>
      <Shown of={listed}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t('noViews')} />
          ) : (
            <ul className="rows">
              {data.map((each) => (
                <li key={each.id}>
                  <span className="grow clip" dir="auto">
                    {each.name}
                  </span>
                  <Button aria-label={`${t('apply')}: ${each.name}`} onClick={() => apply(each.config)}>
                    {t('apply')}
                  </Button>
                  <Button
                    kind="ghost"
                    aria-label={`${t('delete')}: ${each.name}`}
                    onClick={() => remove.mutate(each.id)}
                  >
                    {t('delete')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}
