/** The interface and the account that the services of the embedded cloud share. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export const ACCOUNT_ID = '000000000000'
export const REGION = 'us-east-1'

export interface Service {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  close(): Promise<void>
}
