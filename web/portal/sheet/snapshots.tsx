/** Named versions of a sheet: kept, compared with what the sheet is now, gone back to. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useSession } from '../../shared/api/session.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../data.ts'
import { SnapshotDiff } from './snapshot-diff.tsx'

interface Given {
  sheet: Sheet
  /** The snapshot whose differences are looked at first. */
  compared?: string
  onClose(): void
  onRestored(): void
}

export function Snapshots({ sheet, compared: first, onClose, onRestored }: Given) {
  const { t, date, number } = useTexts()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const [compared, setCompared] = useState(first)
  // Guests look at what who administers keeps.
  const mayKeep = useSession()?.kind === 'user'
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
    <Dialog title={t('snapshots')} drawer wide onClose={onClose}>
      {error && <Failure error={error} />}
      {mayKeep && (
        <form className="inline" onSubmit={submit}>
          <TextField label={t('name')} value={label} onChange={(event) => setLabel(event.target.value)} />
          <Button type="submit" kind="primary" busy={keep.isPending}>
            {t('keepSnapshot')}
          </Button>
        </form>
      )}
      <Shown of={listed}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('noSnapshots')} />
          ) : (
            <ul className="rows">
              {all.map((each) => (
                <li key={each.id} className="wrapping">
                  <span className="grow clip" dir="auto">
                    {each.label ?? date(each.createdAt)}
                  </span>
                  <span className="hint">{date(each.createdAt)}</span>
                  <span className="hint">{t('recordCount', { count: number(each.counts.total) })}</span>
                  <Button
                    aria-expanded={compared === each.id}
                    aria-label={`${t('compare')}: ${each.label ?? date(each.createdAt)}`}
                    onClick={() => setCompared(compared === each.id ? undefined : each.id)}
                  >
                    {t('compare')}
                  </Button>
                  {mayKeep && (
                    <Button
                      aria-label={`${t('restore')}: ${each.label ?? date(each.createdAt)}`}
                      busy={restore.isPending}
                      onClick={() => restore.mutate(each.id)}
                    >
                      {t('restore')}
                    </Button>
                  )}
                  {compared === each.id && <SnapshotDiff sheet={sheet} snapshotId={each.id} />}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Dialog>
  )
}
