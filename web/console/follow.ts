/** Invalidates console queries on live events of an environment. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { followEvents } from '../shared/api/live.ts'

const BATCH_MS = 300

export function useEnvironmentEvents(environmentId: string, getAffectedKeys: (topic: string) => string[]): void {
  const client = useQueryClient()
  const latestGetAffectedKeys = useRef(getAffectedKeys)
  latestGetAffectedKeys.current = getAffectedKeys
  useEffect(() => {
    const keys = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
      keys.clear()
    }
    const stop = followEvents({
      scope: environmentId,
      onState: () => {},
      onEvent({ topic }) {
        for (const key of latestGetAffectedKeys.current(topic)) keys.add(key)
        if (keys.size > 0) timer ??= setTimeout(flush, BATCH_MS)
      },
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, environmentId])
}
