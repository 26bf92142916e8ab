/** Messages about access: permissions, tokens, sign-in, roles and guests. */
import type { Text } from './format.ts'

export const accessMessages = {
  'access.missingPermission': 'This token does not have the {permission} permission.',
  'access.cannotRunMutations':
    'This token does not have the mutations:run permission. Administrators, secret keys and agents have it, and guests of a space with settings.guestsRunMutations: true.',
  'access.cannotAllowMutations':
    'This token does not have the mutations:run permission, so it cannot set settings.guestsRunMutations.',
  'access.createdBySomeoneElse':
    'This was created by someone else. Guests can change only what they created themselves.',
  'access.originNotAllowed':
    'This token cannot be used by pages of {origin}: the environment does not allow this origin.',
  'access.environmentRequired': 'is required because this token is not limited to one environment',
  'access.changesState':
    'This GET changes state and is for published clients with a key or token. Send it as a POST instead.',

  'access.tokenNotValid': 'The access token is missing, unknown, expired or revoked.',
  'access.noAuthorization': 'The Authorization header is missing. Send `Authorization: Bearer <token>`.',
  'access.noBearerToken': 'The Authorization header has no bearer token. Send `Authorization: Bearer <token>`.',
  'access.subscriptionTokenNotValid':
    'The subscription token is missing, expired, revoked or for another channel. Request a new one.',
  'access.subscriptionEnded': 'The subscription has ended. Request a new token.',
  'access.sessionExpiredSignIn': 'Your session has expired. Sign in again.',
  'access.sessionExpiredOpenLink': 'Your session has expired. Open the link again.',
  'access.linkNotValid': 'This link is not valid: it was already used, has expired or was replaced by a newer one.',
  'access.tooManyFailedAttempts': 'Too many failed attempts with these credentials. Try again later.',
  'access.credentialsNotValid': 'These credentials are not valid. If your account uses single sign-on, sign in there.',
  'access.credentialsAmbiguous':
    'Users of several accounts have this address and password. Specify accountId: {accounts}.',

  'access.usesSingleSignOn': 'This account uses single sign-on. Sign in there.',
  'access.noSingleSignOn': 'Single sign-on is not configured for this account.',
  'access.noIdentityProvider': 'No OpenID provider was found at {issuer}: {reason}',
  'access.signInNotStartedHere': 'This sign-in was not started in this browser, or it has expired. Start again.',
  'access.signInRejected': 'The identity provider rejected this sign-in.',
  'access.notAUserOfAccount': 'You are not a user of this account. Ask an administrator to invite you.',
  'access.emailNotVerified': 'The identity provider has not verified your email address (claim email_verified).',

  'access.userExists': 'A user with the address {email} already exists.',
  'access.resourceOfRoleDeleted': 'A resource referenced by one of the roles was just deleted.',
  'access.invitationAccepted': 'The user has already accepted the invitation.',
  'access.lastAdministrator':
    'An account needs at least one administrator who can sign in. Make another user an administrator first.',
  'access.tooManyTokens': 'A user can have at most {count} tokens. Delete one first.',
  'access.unknownClient': 'The application that wants to connect is not registered here. Connect it again.',
  'access.clientNotReachable': 'The description of the application cannot be read: {reason}',
  'access.redirectNotRegistered': 'The application did not register the address that it wants to return to.',
  'access.redirectNotAllowed':
    'must be an https address, an http address of this computer, or an address of an application',
  'access.unknownResource': 'The application wants access to another service. This one is {resource}.',
  'access.onlyUsersHaveTokens': 'Only users can have personal access tokens.',
  'access.onlyOwnTokenPair': 'API token pairs act as their user; only that user can create one.',
  'access.secretsMaximum': 'This scope already has {count} secrets, the maximum. Delete one first.',

  'access.unknownRole': 'is not a known role (see GET /roles)',
  'access.roleNotForUsers': 'is not a role for users',
  'access.roleNotForAgents': 'is not a role for agents',
  'access.roleNotForGuests': 'is not a role for guests',
  'access.roleNotForAccounts': 'is not a role for accounts',
  'access.roleNotForEnvironments': 'is not a role for environments',
  'access.roleNotForSpaces': 'is not a role for spaces',
  'access.notARoleResource': 'must be the id of the account, an environment or a space',
  'access.tooManyRoles': 'At most {count} roles can be assigned. Remove one first.',
  'access.roleNamesNoWorkbooks': 'does not name any workbooks; assign them with {endpoint}',

  'access.guestExists':
    'A guest with this email address already exists in the environment, or was changed concurrently.',
  'access.tooManySpacesOfGuest': 'A guest can have at most {count} spaces; {email} would have {spaces}.',
  'access.guestsCannotInvite': 'Guests cannot invite others to this space.',
  'access.linkGuestsCannotInvite':
    'Guests who opened a shared link cannot invite others, because their address is not verified.',
  'access.inviteToOwnWorkbooks': 'You can invite others only to workbooks you have access to, not to the whole space.',
  'access.inviteToOwnSpaces': 'You can only invite guests to spaces you have access to.',
  'access.guestInvitedRecently': {
    one: 'The guest was invited less than {count} second ago.',
    other: 'The guest was invited less than {count} seconds ago.',
  },
  'access.partNotInSpace': 'include {id}, which is not in space {spaceId}',
  'access.sharedLinkLimited': 'This token comes from a shared link and is limited to its space or data clip.',
  'access.guestHasNoAccess': 'The guest does not have access to this space.',
  'access.guestHasHiddenSpaces': 'The guest also has access to spaces you cannot see. Specify one of yours.',
  'access.noSharedLink': 'Guests of this space sign in by magic link, so there is no shared link to replace.',
  'access.sameIdTwice': 'must not contain an id more than once',
  'access.grantsNothing': 'must not be empty; omit it to grant the whole space',
  'access.invitationToken': 'is required, unless email and spaceId are given',
  'access.oneLine': 'must be one line',
  'access.signInState': 'must be 16 to 200 letters, digits, hyphens or underscores',
} as const satisfies Record<string, Text>
