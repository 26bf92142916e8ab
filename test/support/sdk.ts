import { FlatfileClient } from '@flatfile/api'
import { getServer } from './api.ts'
import { account } from './fresh-account.ts'

export const api = new FlatfileClient({
  token: () => account.secretKey,
  environment: () => `${getServer().baseUrl}/v1`,
})
