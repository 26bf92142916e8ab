import { invokePlatformFunction } from './platform-function.ts'

export const runRetentionLater = (environmentId: string, days: number): Promise<Record<string, number>> =>
  invokePlatformFunction('expire', {
    time: new Date(Date.now() + days * 86_400_000).toISOString(),
    environmentId,
  })
