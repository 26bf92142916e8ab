import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../shared/api/client.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button, TextField } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { ErrorNotice } from '../shared/ui/states.tsx'
import type { File } from './queries.ts'

export function UnlockDialog({ file, onClose }: { file: File; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const unlock = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/files/{fileId}/unlock', { params: { path: { fileId: file.id } }, body: { password } })),
    async onSuccess() {
      await Promise.all(['files', 'jobs'].map((key) => client.invalidateQueries({ queryKey: [key, file.spaceId] })))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    unlock.mutate()
  }
  return (
    <Dialog title={t('passwordFor', { name: file.name })} onClose={onClose}>
      <form onSubmit={submit}>
        {unlock.error && <ErrorNotice error={unlock.error} />}
        <TextField
          label={t('password')}
          hint={t('filePasswordHint')}
          type="password"
          autoComplete="off"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={unlock.isPending}>
            {t('unlock')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
