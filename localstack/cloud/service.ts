/**
 * What the parts of the embedded cloud share: the shape of a service and the identity of the one account it holds.
 * Knows nothing of Wharf: a service speaks an AWS wire protocol over node:http.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export const ACCOUNT_ID = '000000000000'
export const REGION = 'us-east-1'

/** One AWS service: answers requests already known to be its own, and gives back its files when closed. */
export interface Service {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  close(): Promise<void>
}
