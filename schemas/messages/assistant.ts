import type { Text } from './format.ts'

export const assistantMessages = {
  'assistant.notConfigured': 'This environment has no assistant. An administrator can set its model.',
  'assistant.busy': 'The assistant is still replying to the last message of this thread.',
  'assistant.threadFull': 'This thread has {count} messages, the maximum with the assistant. Start another thread.',
  'assistant.dayFull': {
    one: 'The assistant of this environment was asked {count} time today, the maximum.',
    other: 'The assistant of this environment was asked {count} times today, the maximum.',
  },
  'assistant.otherResource': 'The assistant needs a thread about a space, a workbook or a sheet.',
  'assistant.byMessage': 'Replies of the assistant are requested by a message in their thread.',
  'assistant.replying': 'Replying',
  'assistant.replied': 'Replied',
  'assistant.noReply': 'The thread or its question was deleted, so there is no reply.',

  'assistant.required': 'is required with the provider {provider}',
  'assistant.unused': 'is not used with the provider {provider}',
  'assistant.modelNotAllowed': 'is not one of the models of this deployment: {models}',
  'assistant.noModels': 'cannot be used, because this deployment allows no models of Amazon Bedrock',
  'assistant.keyForAddress': 'is required again, because the stored key is only for the earlier address',

  'assistant.modelFailed': 'The model could not be reached: {reason} Nothing was proposed.',
  'assistant.modelStatus': 'The model returned status {status}. Nothing was proposed.',
  'assistant.modelTooLarge': 'The reply of the model has more than {limit} bytes. Nothing was proposed.',
  'assistant.modelUnclear': 'The reply of the model could not be understood. Nothing was proposed.',
  'assistant.tooManyCalls': 'The model did not come to an end within {count} steps. Nothing was proposed.',
  'assistant.outOfTime': 'The model took longer than {count} seconds. Nothing was proposed.',
  'assistant.accessEnded': 'The access that this question was sent with has ended. Nothing was proposed.',
  'assistant.failed': 'Something went wrong on our side. Nothing was proposed.',

  'assistant.beingApplied': 'Someone else is applying this proposal.',
  'assistant.undone': 'This proposal was undone. Ask the assistant again.',
  'assistant.notApplied': 'This proposal was not applied.',
  'assistant.stillRunning': 'The job of this proposal is still running. Undo it when the job is completed.',
  'assistant.nothingToUndo': 'This proposal changed no records, so there is nothing to undo.',
  'assistant.fieldChanged': 'The field {field} was changed since the preview.',
} as const satisfies Record<string, Text>
