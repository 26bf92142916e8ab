/** Before a mapping: which sheet of a file goes into which sheet of the space. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { type File, isTarget, type Job, jobsQuery, type Sheet, type Space, sheetsOf, workbooksQuery } from '../data.ts'

export function MapFile({ space, file, onClose }: { space: Space; file: File; onClose(): void }) {
  const { t, number } = useTexts()
  const [, go] = useLocation()
  const workbooks = useQuery(workbooksQuery(space.id))
  const jobs = useQuery(jobsQuery(space.id))
  const all = workbooks.data ?? []
  const done = importedOf(jobs.data ?? [])
  const sources = sheetsOf(all.filter(({ id }) => id === file.workbookId))
  const targets = all.filter((each) => isTarget(each) && each.id !== file.workbookId)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  // The next that is not imported yet, into what is called the same.
  const source = sources.find(({ id }) => id === from) ?? sources.find(({ id }) => !done.has(id)) ?? sources[0]
  const into = sheetsOf(targets)
  const target = into.find(({ id }) => id === to) ?? into.find((each) => isSame(each, source)) ?? into[0]
  const map = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/api/v1/jobs', {
          body: {
            type: 'workbook',
            operation: 'map',
            source: source!.workbookId,
            destination: target!.workbookId,
            fileId: file.id,
            managed: true,
            config: { sourceSheetId: source!.id, destinationSheetId: target!.id },
          },
        }),
      ),
    onSuccess: ({ data }) => go(`/s/${space.id}/map/${data.id}`),
  })
  const ofFile = ({ id, name, recordCounts }: Sheet) => ({
    value: id,
    label: [
      name,
      t('recordCount', { count: number(recordCounts?.total ?? 0) }),
      ...(done.has(id) ? [t('imported')] : []),
    ].join(' · '),
  })
  const ofSpace = targets.flatMap((workbook) =>
    (workbook.sheets ?? []).map(({ id, name }) => ({
      value: id,
      label: targets.length > 1 ? `${workbook.name} · ${name}` : name,
    })),
  )
  return (
    <Dialog title={t('importData')} onClose={onClose}>
      {map.error && <Failure error={map.error} />}
      <Shown of={workbooks}>
        {() =>
          target && source ? (
            <>
              <SelectField
                label={t('fromSheet')}
                options={sources.map(ofFile)}
                value={source.id}
                onChange={(event) => setFrom(event.target.value)}
              />
              <p className="hint form-text" dir="auto">
                {t('columns')}: {source.config.fields.map(({ key, label }) => label || key).join(', ')}
              </p>
              <SelectField
                label={t('intoSheet')}
                options={ofSpace}
                value={target.id}
                onChange={(event) => setTo(event.target.value)}
              />
            </>
          ) : (
            <Empty title={t('noSheets')} />
          )
        }
      </Shown>
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" disabled={!target || !source} busy={map.isPending} onClick={() => map.mutate()}>
          {t('continue')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Sheets of files that went into another sheet, by the jobs that are known. */
const importedOf = (jobs: readonly Job[]): ReadonlySet<string> =>
  new Set(
    jobs
      .filter(({ operation, status }) => operation === 'map' && status === 'completed')
      .map(({ config }) => (config as { sourceSheetId?: string } | undefined)?.sourceSheetId ?? ''),
  )

const isSame = (sheet: Sheet, other: Sheet | undefined): boolean =>
  sheet.name.trim().toLowerCase() === other?.name.trim().toLowerCase()
