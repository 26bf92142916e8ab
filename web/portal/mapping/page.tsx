/** Page for reviewing and confirming the mapping of a file. */
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { QueryView } from '../../shared/ui/states.tsx'
import { type Space, sheetQuery } from '../queries.ts'
import { Mapping } from './mapping.tsx'
import type { Target } from './plan.ts'
import './mapping.css'

export default function MappingPage({ space, jobId }: { space: Space; jobId: string }) {
  const planQuery = useQuery({
    queryKey: ['plan', jobId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => (await unwrap(api.GET('/api/v1/jobs/{jobId}/plan', { params: { path: { jobId } } }))).data,
  })
  const config = planQuery.data?.job.config as { sourceSheetId?: string; destinationSheetId?: string } | undefined
  const sheet = useQuery({
    ...sheetQuery(config?.destinationSheetId ?? ''),
    enabled: config?.destinationSheetId !== undefined,
  })
  return (
    <div className="page">
      <QueryView query={planQuery}>
        {({ plan, job }) => (
          <QueryView query={sheet}>
            {(target) => (
              <Mapping
                space={space}
                planned={job}
                plan={plan}
                targets={target.config.fields as Target[]}
                sheet={target}
                sourceSheetId={config?.sourceSheetId ?? ''}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </div>
  )
}
