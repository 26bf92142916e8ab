import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import type { File, Sheet, Space } from '../queries.ts'

interface Pair {
  file: { id: File['id'] | undefined }
  source: Sheet
  target: Sheet
  recipe?: false
}

export function useCreateMapping(space: Space) {
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: ({ file, source, target, recipe }: Pair) =>
      unwrap(
        api.POST('/api/v1/jobs', {
          body: {
            type: 'workbook',
            operation: 'map',
            source: source.workbookId,
            destination: target.workbookId,
            fileId: file.id,
            managed: true,
            config: {
              sourceSheetId: source.id,
              destinationSheetId: target.id,
              ...(recipe === undefined ? {} : { recipe }),
            },
          },
        }),
      ),
    onSuccess: ({ data }) => navigate(`/s/${space.id}/map/${data.id}`),
  })
}
