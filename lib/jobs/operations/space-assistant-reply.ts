import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { fitsContract, type PlatformOperation } from './operation.ts'

export const assistantReply: PlatformOperation = {
  contract: contracts.assistantReply,
  matches: (job) => fitsContract(contracts.assistantReply, job),
  validate: async () => {
    throw unprocessable(message('assistant.byMessage'))
  },
  run: async (run) => (await import('../../assistant/reply.ts')).reply(run),
}
