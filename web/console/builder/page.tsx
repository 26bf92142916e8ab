import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import type { PageProps } from '../data.ts'
import { PageHeader } from '../parts/page.tsx'
import { loadWorkbook } from './create.ts'
import { EditWorkbook } from './edit-workbook.tsx'
import { NewWorkbook } from './new-workbook.tsx'
import './builder.css'

export default function Builder({ environment }: PageProps) {
  const [search] = useSearchParams()
  const spaceId = search.get('space')
  return spaceId ? (
    <WorkbookOfSpace key={spaceId} environmentId={environment.id} spaceId={spaceId} />
  ) : (
    <NewWorkbook environmentId={environment.id} />
  )
}

function WorkbookOfSpace({ environmentId, spaceId }: { environmentId: string; spaceId: string }) {
  const { t } = useTranslation()
  const workbook = useQuery({
    queryKey: ['builder-workbook', spaceId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => (await loadWorkbook(spaceId)) ?? null,
  })
  return (
    <QueryView query={workbook}>
      {(found) =>
        found ? (
          <EditWorkbook workbook={found} spaceId={spaceId} />
        ) : (
          <>
            <PageHeader title={t('newWorkbook')} text={t('addWorkbookText')} />
            <NewWorkbook environmentId={environmentId} spaceId={spaceId} />
          </>
        )
      }
    </QueryView>
  )
}
