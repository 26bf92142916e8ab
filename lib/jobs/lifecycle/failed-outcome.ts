import { message } from '../../../schemas/messages/index.ts'

export const buildFailedOutcome = (info: string) => ({
  acknowledge: true,
  heading: message('jobs.failed'),
  message: info,
  next: { type: 'retry', label: message('jobs.tryAgain') },
})
