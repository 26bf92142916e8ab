/** Messages about requests, limits, conflicts, environments, apps, canvases, events and webhooks. */
import type { Text } from './format.ts'

export const requestMessages = {
  'requests.bodyMissing': 'is missing',
  'requests.notJsonBecause': 'is not valid JSON: {reason}',
  'requests.tooDeep': 'exceeds the limit of {count} nesting levels',
  'requests.tooManyValues': 'A JSON body can have at most {limit} objects, lists and members; this one has {values}.',
  'requests.numberOutOfRange': 'contains a number outside the supported range of 1e-130 to 1e126',
  'requests.bodyTooLarge': 'The body of this request can have at most {limit} bytes after any Content-Encoding.',
  'requests.encodingNotSupported': '{encoding} is not supported; use gzip, deflate, br or none',
  'requests.notEncoded': 'is not valid {encoding} data',

  'requests.idempotencyKeyForm': 'must be 1 to 255 visible ASCII characters',
  'requests.idempotencyKeyUsed':
    'This Idempotency-Key was already used for another request. Use a new key for each request.',
  'requests.idempotencyKeyInProgress': 'The request with this Idempotency-Key is still in progress.',
  'requests.secretWasShown':
    'The request with this Idempotency-Key was completed. Its response had a secret, which is shown once and not stored. Look up what was created, delete it if the secret is lost, and create another with a new Idempotency-Key.',

  'requests.partFailed': 'A function that read part of the sheet failed. Repeat the request.',
  'requests.overloaded': 'The service is overloaded. Repeat the request, with its Idempotency-Key if it has one.',
  'requests.internal': 'Something went wrong on our side; nothing was changed.',
  'requests.timedOut': 'The request timed out and may still complete. Check before retrying, or use a job.',
  'requests.notResponding': 'The {part} is not responding.',
  'requests.rateLimit': {
    one: 'Rate limit of {count} request per second exceeded.',
    other: 'Rate limit of {count} requests per second exceeded.',
  },
  'requests.methodNotAllowed': '{path} does not support {method}. Use {allowed}.',

  'requests.changedConcurrently': 'The resource was changed concurrently. Reload it and retry.',
  'requests.tooManyChanges': 'A request can change at most {limit} items; this one would change {items}.',
  'requests.actionTooLarge': 'An action can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.threadTooLarge': 'A thread can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.messageTooLarge': 'A message can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.canvasTooLarge': 'A canvas can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.canvasAreaTooLarge': 'A canvas area can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.documentTooLarge': 'A document can have at most {limit} bytes as JSON; this one has {bytes}.',
  'requests.eventTooLarge': 'Events are limited to {limit} bytes of JSON; this {topic} event has {bytes}.',
  'requests.planTooLarge': 'The plan is too large. The limit is {limit} bytes compressed.',
  'requests.programTooLarge': 'The mapping program is too large. The limit is {limit} bytes compressed.',

  'requests.environmentSlugTaken':
    'The slug {slug} is already used by another environment, or the environment was changed concurrently.',
  'requests.environmentSlugForm': 'must consist of lower-case letters, digits and dashes',
  'requests.originForm': 'must be an origin such as https://app.example.com, or *',
  'requests.lastProduction': 'This is the last production environment of the account. Create another one first.',
  'requests.autobuildOfAppExists': 'An autobuild configuration of the app {appId} already exists.',
  'requests.autobuildWithoutAppExists': 'An autobuild configuration without an app already exists.',
  'requests.tooManySheetsInAll': 'must not exceed {limit} sheets in total; there are {sheets}',
  'requests.spaceOfOtherEnvironment':
    'does not match the environment of the space; spaces cannot be moved to another environment',
  'requests.guestOfOtherEnvironment':
    'does not match the environment of the guest; guests cannot be moved to another environment',
  'requests.duplicateEntitlements': 'must not contain duplicate keys',
  'requests.month': 'must be a month in the form yyyy-mm',

  'requests.policiesMaximum': 'This environment already has {count} data retention policies, the maximum.',
  'requests.policyEnvironment': 'cannot be changed; create a policy in the other environment instead',
  'requests.namespaceTaken':
    'The namespace {namespace} is already used by another app, or the app was changed concurrently.',
  'requests.otherApp': 'does not match the app in the path',
  'requests.constraintsMaximum': 'This app already has {count} constraints, the maximum.',
  'requests.validatorTaken': 'This app already has a constraint with the validator {validator}.',
  'requests.constraintVersionsMaximum':
    'This constraint already has {count} versions, the maximum. Create a new constraint instead.',
  'requests.notAnAreaOfCanvas': 'is not an area of the same canvas',
  'requests.parentIsDescendant': 'is the area itself or one of its descendants',
  'requests.canvasAreasMaximum': 'This canvas already has {count} areas, the maximum.',
  'requests.areaOfOtherCanvas': 'does not match the canvas of the area; areas cannot be moved to another canvas',
  'requests.messageOfOtherThread':
    'does not match the thread of the message; messages cannot be moved to another thread',

  'requests.topicForm': 'must be <domain>:<event>',
  'requests.subscriptionForm': 'must be <domain>:<event>, <domain>:* or **',
  'requests.unknownTopicSuggestion': 'is not a topic: {topic}. Did you mean {suggestion}?',
  'requests.reservedTopic':
    'is not a topic: {topic}. Topics of custom events must not use a domain of the platform, such as {domain}.',
  'requests.apiPath': 'must be a path below /api, e.g. v1/sheets/<id>/records?pageSize=100',
  'requests.eventIdsExclusive': 'cannot be combined with eventIds',
  'requests.replaySelection': 'or eventIds is required',
  'requests.replaySelectionOr': 'or eventIds, or {name} is required',
  'requests.eventsNotDeletable': 'is not supported: events cannot be deleted',
  'requests.notInSpace': 'is not in the space {spaceId}',

  'requests.webhooksMaximum': 'This environment already has {count} webhooks, the maximum.',
  'requests.webhookNotActive': 'The webhook is not active.',
  'requests.webhookDeliversNothing': 'The webhook is not active, so nothing is delivered to it.',
  'requests.eventBeingDelivered': 'The event is currently being delivered.',
  'requests.eventNotStored': 'The event is no longer stored.',

  'requests.urlNotValid': 'must be a URL',
  'requests.urlNotHttps': 'must start with https://',
  'requests.urlWithCredentials': 'must not have a user name or a password',
  'requests.urlNotPublic': 'must be a public internet address',
  'requests.urlOfPlatform': 'must not be an address of the platform itself',
  'requests.urlRejected': 'The URL {problem}.',
  'requests.hostNotResolved': 'The host {host} could not be resolved.',
  'requests.hostNotPublic': 'The host does not have a public internet address.',
  'requests.noResponse': {
    one: 'No response was received within {count} second.',
    other: 'No response was received within {count} seconds.',
  },
  'requests.requestFailed': 'The request failed: {reason}.',
  'requests.connectionClosed': 'the connection was closed',
} as const satisfies Record<string, Text>
