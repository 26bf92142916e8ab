/** Named versions of a sheet: kept, compared by their counts, gone back to. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../data.ts'

export function Snapshots({ sheet, onClose, onRestored }: { sheet: Sheet; onClose(): void; onRestored(): void }) {
  const { t, date, number } = useTexts()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const queryKey = ['snapshots', sheet.id]
  const listed = useQuery({
    queryKey,
    queryFn: async () => (await ask(api.GET('/api/v1/snapshots', { params: { query: { sheetId: sheet.id } } }))).data,
  })
  const keep = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/snapshots', { body: { sheetId: sheet.id, label: label || undefined } })),
    onSuccess() {
      setLabel('')
      void client.invalidateQueries({ queryKey })
    },
  })
  const restore = useMutation({
    mutationFn: (snapshotId: string) =>
      ask(api.POST('/api/v1/snapshots/{snapshotId}/restore', { params: { path: { snapshotId } } })),
    onSuccess() {
      toast(t('restored'))
      onRestored()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep.mutate()
  }
  const error = keep.error ?? restore.error
  return (
    <Dialog title={t('snapshots')} drawer onClose={onClose}>
      {error && <Failure error={error} />}
      <form className="inline" onSubmit={submit}>
        <TextField label={t('name')} value={label} onChange={(event) => setLabel(event.target.value)} />
        <Button type="submit" kind="primary" busy={keep.isPending}>
          {t('keepSnapshot')}
        </Button>
      </form>
      <Shown of={listed}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('noSnapshots')} />
          ) : (
            <ul className="rows">
              {all.map((each) => (
                <li key={each.id}>
                  <span className="grow clip" dir="auto">
                    {each.label ?? date(each.createdAt)}
                  </span>
                  <span className="hint">{date(each.createdAt)}</span>
                  <span className="hint">{t('recordCount', { count: number(each.counts.total) })}</span>
                  <Button busy={restore.isPending} onClick={() => restore.mutate(each.id)}>
                    {t('restore')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Dialog>
  )
}
