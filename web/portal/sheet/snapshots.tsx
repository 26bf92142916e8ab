/** Drawer with the snapshots of a sheet: create, compare, restore. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useSession } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../queries.ts'
import { SnapshotDiff } from './snapshot-diff.tsx'

interface Props {
  sheet: Sheet
  compared?: string
  onClose(): void
  onRestored(): void
}

export function Snapshots({ sheet, compared: initialCompared, onClose, onRestored }: Props) {
  const { t, date } = useTranslation()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const [compared, setCompared] = useState(initialCompared)
  const canCreate = useSession()?.kind === 'user'
  const queryKey = ['snapshots', sheet.id]
  const snapshotsQuery = useQuery({
    queryKey,
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/snapshots', { params: { query: { sheetId: sheet.id } } }))).data,
  })
  const createSnapshot = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/snapshots', { body: { sheetId: sheet.id, label: label || undefined } })),
    onSuccess() {
      setLabel('')
      void client.invalidateQueries({ queryKey })
    },
  })
  const restore = useMutation({
    mutationFn: (snapshotId: string) =>
      unwrap(api.POST('/api/v1/snapshots/{snapshotId}/restore', { params: { path: { snapshotId } } })),
    onSuccess() {
      toast(t('restored'))
      onRestored()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    createSnapshot.mutate()
  }
  const error = createSnapshot.error ?? restore.error
  return (
    <Dialog title={t('snapshots')} place="end" wide onClose={onClose}>
      {error && <ErrorNotice error={error} />}
      {canCreate && (
        <form className="inline" onSubmit={submit}>
          <TextField label={t('name')} value={label} onChange={(event) => setLabel(event.target.value)} />
          <Button type="submit" kind="primary" busy={createSnapshot.isPending}>
            {t('createSnapshot')}
          </Button>
        </form>
      )}
      <QueryView query={snapshotsQuery}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('noSnapshots')} />
          ) : (
            <ul className="rows">
              {all.map((snapshot) => (
                <li key={snapshot.id} className="wrapping">
                  <span className="grow clip" dir="auto">
                    {snapshot.label ?? date(snapshot.createdAt)}
                  </span>
                  <span className="hint">{date(snapshot.createdAt)}</span>
                  <span className="hint">{t('recordCount', { count: snapshot.counts.total })}</span>
                  <Button
                    aria-expanded={compared === snapshot.id}
                    aria-label={`${t('compare')}: ${snapshot.label ?? date(snapshot.createdAt)}`}
                    onClick={() => setCompared(compared === snapshot.id ? undefined : snapshot.id)}
                  >
                    {t('compare')}
                  </Button>
                  {canCreate && (
                    <Button
                      aria-label={`${t('restore')}: ${snapshot.label ?? date(snapshot.createdAt)}`}
                      busy={restore.isPending}
                      onClick={() => restore.mutate(snapshot.id)}
                    >
                      {t('restore')}
                    </Button>
                  )}
                  {compared === snapshot.id && <SnapshotDiff sheet={sheet} snapshotId={snapshot.id} />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  )
}
