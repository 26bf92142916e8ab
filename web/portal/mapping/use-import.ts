/** Imports exactly what was previewed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, unwrap } from '../../shared/api/client.ts'
import type { Preview } from './use-preview.ts'

interface Previews {
  previewNow(): Promise<Preview>
  refresh(): Promise<Preview>
}

const execute = (jobId: string, { token }: Preview) =>
  unwrap(api.POST('/api/v1/jobs/{jobId}/execute', { params: { path: { jobId } }, body: { preview: token } }))

/** Empty for errors that are not about changes since the preview. */
export const listChanges = (error: unknown): string[] =>
  error instanceof ApiError && error.status === 409
    ? error.problems.filter(({ key }) => key.startsWith('preview.')).map(({ message }) => message)
    : []

const isSameOutcome = (a: Preview, b: Preview): boolean => describeOutcome(a) === describeOutcome(b)

const describeOutcome = ({ token, source, destination, ...outcome }: Preview): string => JSON.stringify(outcome)

/** Others may write to the sheet all the time: a change that the preview does not show needs no second look. */
async function importPreviewed(jobId: string, { previewNow, refresh }: Previews): Promise<void> {
  const shown = await previewNow()
  try {
    await execute(jobId, shown)
  } catch (error) {
    if (listChanges(error).length === 0) throw error
    const current = await refresh()
    if (!isSameOutcome(shown, current)) throw error
    await execute(jobId, current)
  }
}

export function useImport(jobId: string) {
  const client = useQueryClient()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const mutation = useMutation({
    mutationFn(previews: Previews) {
      setIsConfirmed(true)
      return importPreviewed(jobId, previews)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', jobId] }),
    onError: () => setIsConfirmed(false),
  })
  return { isConfirmed, error: mutation.error, isPending: mutation.isPending, start: mutation.mutate }
}
