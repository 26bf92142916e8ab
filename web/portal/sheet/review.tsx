/** The errors of a sheet in groups, each with its fix: previewed, applied as one commit, and undone. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Sheet } from '../queries.ts'
import { formatShown } from './cells.ts'
import './review.css'

type Group = Shape<'ErrorGroup'>
type Edit = NonNullable<Group['fix']>

const MAX_SHOWN_CHANGES = 8
const MAX_GROUPS = 100

interface Props {
  sheet: Sheet
  readonly: boolean
  onShow(fieldKey: string): void
  onChanged(): void
  onClose(): void
}

export function Review({ sheet, readonly, onShow, onChanged, onClose }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const showError = useErrorToast()
  const [commits, setCommits] = useState<readonly string[]>([])
  const queryKey = ['quality', sheet.id]
  const groups = useQuery({
    queryKey,
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/sheets/{sheetId}/quality', {
          params: { path: { sheetId: sheet.id }, query: { pageSize: MAX_GROUPS } },
        }),
      ),
  })
  const refresh = () => {
    void client.invalidateQueries({ queryKey })
    onChanged()
  }
  const undo = useMutation({
    mutationFn: (commitId: string) =>
      unwrap(api.POST('/api/v1/commits/{commitId}/undo', { params: { path: { commitId } } })),
    onSuccess() {
      setCommits(commits.slice(0, -1))
      refresh()
    },
    onError: showError,
  })
  const lastCommit = commits.at(-1)
  return (
    <Dialog title={t('reviewErrors')} place="end" wide onClose={onClose}>
      {lastCommit !== undefined && (
        <p className="notice">
          <span>{t('fixApplied')}</span>
          <Button busy={undo.isPending} onClick={() => undo.mutate(lastCommit)}>
            <Undo2 aria-hidden="true" /> {t('undo')}
          </Button>
        </p>
      )}
      <QueryView query={groups}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p className="all-valid">
              <CircleCheck aria-hidden="true" /> {t('everythingValid')}
            </p>
          ) : (
            <>
              <ul className="error-groups">
                {data.map((group) => (
                  <ErrorGroup
                    key={JSON.stringify([group.fieldKey, group.source, group.message, group.pattern])}
                    sheet={sheet}
                    group={group}
                    readonly={readonly}
                    onShow={() => onShow(group.fieldKey)}
                    onFixed={(commitId) => {
                      setCommits([...commits, commitId])
                      refresh()
                    }}
                  />
                ))}
              </ul>
              {(pagination?.totalCount ?? 0) > data.length && <p className="hint">{t('moreGroups')}</p>}
            </>
          )
        }
      </QueryView>
    </Dialog>
  )
}

function ErrorGroup(props: {
  sheet: Sheet
  group: Group
  readonly: boolean
  onShow(): void
  onFixed(commitId: string): void
}) {
  const { sheet, group, readonly, onShow, onFixed } = props
  const { t, translate, number } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const field = sheet.config.fields.find(({ key }) => key === group.fieldKey)
  const edits = group.fix ? [group.fix] : (group.question?.alternatives ?? [])
  const name = field?.label || group.fieldKey
  return (
    <li className="error-group" aria-label={name}>
      <div className="error-group-head">
        <strong dir="auto">{name}</strong>
        <span className="badge bad">{number(group.count)}</span>
        <span className="grow" />
        <Button kind="ghost" aria-label={`${t('showRecords')}: ${name}`} onClick={onShow}>
          {t('showRecords')}
        </Button>
        {edits.length > 0 && !readonly && (
          <Button
            kind={isOpen ? 'plain' : 'primary'}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? t('cancel') : t('fix')}: ${name}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? t('cancel') : t('fix')}
          </Button>
        )}
      </div>
      {group.message && <p dir="auto">{translate(group.message)}</p>}
      <p className="hint clip" dir="auto">
        {group.examples.map(({ value }) => formatShown(value, t) || '—').join(' · ')}
      </p>
      {isOpen && edits.length > 1 && <p>{t('whichIsMeant')}</p>}
      {isOpen &&
        edits.map((edit) => <FixPreview key={JSON.stringify(edit)} sheet={sheet} edit={edit} onFixed={onFixed} />)}
    </li>
  )
}

function FixPreview({ sheet, edit, onFixed }: { sheet: Sheet; edit: Edit; onFixed(commitId: string): void }) {
  const { t, number } = useTranslation()
  const showError = useErrorToast()
  const path = { sheetId: sheet.id }
  const preview = useQuery({
    queryKey: ['quality', sheet.id, 'preview', JSON.stringify(edit)],
    staleTime: 0,
    queryFn: async () =>
      (
        await unwrap(
          api.POST('/api/v1/sheets/{sheetId}/quality/preview-edit', {
            params: { path, query: { pageSize: MAX_SHOWN_CHANGES } },
            body: edit,
          }),
        )
      ).data,
  })
  const apply = useMutation({
    async mutationFn(version: number) {
      const body = { edit, version }
      return (await unwrap(api.POST('/api/v1/sheets/{sheetId}/quality/edit', { params: { path }, body }))).data
    },
    onSuccess({ commitId, updated }) {
      toast(t('recordsFixed', { count: updated }))
      if (commitId) onFixed(commitId)
    },
    onError(error) {
      showError(error)
      void preview.refetch()
    },
  })
  return (
    <QueryView query={preview}>
      {({ version, values, records, changes }) => (
        <div className="fix">
          <ul>
            {changes.map(({ before, after, count }) => (
              <li key={JSON.stringify(before)}>
                <del dir="auto">{formatShown(before, t) || '—'}</del>
                <ArrowRight aria-hidden="true" />
                <ins dir="auto">{formatShown(after, t) || '—'}</ins>
                <span className="count">{number(count)}×</span>
              </li>
            ))}
          </ul>
          {values > changes.length && <p className="hint">{t('moreValues', { count: values - changes.length })}</p>}
          <Button kind="primary" busy={apply.isPending} onClick={() => apply.mutate(version)}>
            {t('fixRecords', { count: records })}
          </Button>
        </div>
      )}
    </QueryView>
  )
}
