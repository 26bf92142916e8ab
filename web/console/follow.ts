/** Live events of an environment, for the pages that show what happens. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { follow } from '../shared/api/live.ts'

/** Events of one moment are answered together. */
const GATHER_MS = 300

/** @param touched the lists a topic changes */
export function useEnvironmentEvents(environmentId: string, touched: (topic: string) => string[]): void {
  const client = useQueryClient()
  const chosen = useRef(touched)
  chosen.current = touched
  useEffect(() => {
    const keys = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
      keys.clear()
    }
    const stop = follow({
      scope: environmentId,
      onState: () => {},
      onEvent({ topic }) {
        for (const key of chosen.current(topic)) keys.add(key)
        if (keys.size > 0) timer ??= setTimeout(flush, GATHER_MS)
      },
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, environmentId])
}
