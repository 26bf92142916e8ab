import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import type { PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { PageHeader } from '../parts/page.tsx'
import { useFilter, usePages } from '../parts/paging.tsx'
import { FilesTable } from '../tables.tsx'

export default function FilesPage({ environment }: PageProps) {
  const { t } = useTranslation()
  const [mode, setMode] = useFilter('mode', 'import')
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('file:') ? ['files'] : []))
  const list = usePages(['files', environment.id, mode], (page) =>
    unwrap(
      api.GET('/api/v1/files', {
        params: { query: { environmentId: environment.id, mode: mode as 'import', ...page } },
      }),
    ),
  )
  return (
    <>
      <PageHeader title={t('files')} text={t('filesText')}>
        <SelectField
          hideLabel
          label={t('kind')}
          value={mode}
          options={[
            { value: 'import', label: t('filesUploaded') },
            { value: 'export', label: t('filesExported') },
          ]}
          onChange={({ target }) => setMode(target.value)}
        />
      </PageHeader>
      <FilesTable list={list} empty={t(mode === 'import' ? 'noFilesAnywhere' : 'noExports')} />
    </>
  )
}
