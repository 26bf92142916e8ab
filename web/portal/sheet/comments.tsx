import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { getSignedInId } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Ago } from '../../shared/ui/ago.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Empty, QueryView } from '../../shared/ui/states.tsx'
import type { Sheet } from '../queries.ts'

const REFRESH_MS = 15_000
const MAX_LENGTH = 5000

export const useCommentedRecords = (sheetId: string): ReadonlySet<string> =>
  useQuery({
    queryKey: ['comments', sheetId],
    refetchInterval: REFRESH_MS,
    select: toIdSet,
    queryFn: () => unwrap(api.GET('/api/v1/sheets/{sheetId}/comments/records', { params: { path: { sheetId } } })),
  }).data ?? NONE

const NONE: ReadonlySet<string> = new Set()
const toIdSet = ({ data }: { data: { recordId: string }[] }): ReadonlySet<string> =>
  new Set(data.map(({ recordId }) => recordId))

export function Comments({ sheet, recordId, onClose }: { sheet: Sheet; recordId: string; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const showError = useErrorToast()
  const [text, setText] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const path = { sheetId: sheet.id }
  const comments = useQuery({
    queryKey: ['comments', sheet.id, recordId],
    refetchInterval: REFRESH_MS,
    queryFn: () => unwrap(api.GET('/api/v1/sheets/{sheetId}/comments', { params: { path, query: { recordId } } })),
  })
  const add = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/sheets/{sheetId}/comments', { params: { path }, body: { recordId, text } })),
    onSuccess() {
      setText('')
      // The button is disabled now, and without a focus Escape would not close the drawer.
      form.current?.querySelector('textarea')?.focus()
      void client.invalidateQueries({ queryKey: ['comments', sheet.id] })
    },
    onError: showError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) add.mutate()
  }
  return (
    <Dialog title={t('comments')} place="end" onClose={onClose}>
      <QueryView query={comments}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t('noComments')} />
          ) : (
            <ol className="comments">
              {data.map((comment) => (
                <li key={comment.id}>
                  <p>
                    <strong dir="auto">
                      {comment.createdBy === getSignedInId() ? t('you') : (comment.createdByName ?? t('someone'))}
                    </strong>{' '}
                    <Ago time={comment.createdAt} />
                  </p>
                  <p dir="auto">{comment.text}</p>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
      <form ref={form} onSubmit={submit}>
        <TextArea
          label={t('comment')}
          rows={3}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions">
          <Button type="submit" kind="primary" disabled={!text.trim()} busy={add.isPending}>
            {t('addComment')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
