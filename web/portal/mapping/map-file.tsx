/** Dialog that selects the source and the target sheet of a mapping. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import {
  type File,
  getSheets,
  isTargetWorkbook,
  type Job,
  jobsQuery,
  type Sheet,
  type Space,
  workbooksQuery,
} from '../queries.ts'
import { chooseTarget } from './rank-targets.ts'
import { useCreateMapping } from './use-create-mapping.ts'

export function MapFile({ space, file, onClose }: { space: Space; file: File; onClose(): void }) {
  const { t } = useTranslation()
  const workbooks = useQuery(workbooksQuery(space.id))
  const jobs = useQuery(jobsQuery(space.id))
  const workbookList = workbooks.data ?? []
  const importedSheetIds = findImportedSheetIds(jobs.data ?? [])
  const sources = getSheets(workbookList.filter(({ id }) => id === file.workbookId))
  const targets = workbookList.filter((workbook) => isTargetWorkbook(workbook) && workbook.id !== file.workbookId)
  const [sourceId, setSourceId] = useState('')
  const [targetId, setTargetId] = useState('')
  const source =
    sources.find(({ id }) => id === sourceId) ?? sources.find(({ id }) => !importedSheetIds.has(id)) ?? sources[0]
  const targetSheets = getSheets(targets)
  const target = targetSheets.find(({ id }) => id === targetId) ?? (source && chooseTarget(source, targetSheets))
  const create = useCreateMapping(space)
  const toSourceOption = ({ id, name, recordCounts }: Sheet) => ({
    value: id,
    label: [
      name,
      t('recordCount', { count: recordCounts?.total ?? 0 }),
      ...(importedSheetIds.has(id) ? [t('imported')] : []),
    ].join(' · '),
  })
  const targetOptions = targets.flatMap((workbook) =>
    (workbook.sheets ?? []).map(({ id, name }) => ({
      value: id,
      label: targets.length > 1 ? `${workbook.name} · ${name}` : name,
    })),
  )
  return (
    <Dialog title={t('importData')} onClose={onClose}>
      {create.error && <ErrorNotice error={create.error} />}
      <QueryView query={workbooks}>
        {() =>
          target && source ? (
            <>
              <SelectField
                label={t('fromSheet')}
                options={sources.map(toSourceOption)}
                value={source.id}
                onChange={(event) => setSourceId(event.target.value)}
              />
              <p className="hint form-text" dir="auto">
                {t('columns')}: {source.config.fields.map(({ key, label }) => label || key).join(', ')}
              </p>
              <SelectField
                label={t('intoSheet')}
                options={targetOptions}
                value={target.id}
                onChange={(event) => setTargetId(event.target.value)}
              />
            </>
          ) : (
            <Empty title={t('noSheets')} />
          )
        }
      </QueryView>
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          kind="primary"
          disabled={!target || !source}
          busy={create.isPending}
          onClick={() => source && target && create.mutate({ file, source, target })}
        >
          {t('continue')}
        </Button>
      </div>
    </Dialog>
  )
}

const findImportedSheetIds = (jobs: readonly Job[]): ReadonlySet<string> =>
  new Set(
    jobs
      .filter(({ operation, status }) => operation === 'map' && status === 'completed')
      .map(({ config }) => (config as { sourceSheetId?: string } | undefined)?.sourceSheetId ?? ''),
  )
