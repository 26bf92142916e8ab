import type { accessMessages } from '../../../../schemas/messages/access.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const access: Record<keyof typeof accessMessages, Text> = {
  'access.missingPermission': 'Ce jeton n’a pas l’autorisation {permission}.',
  'access.cannotRunMutations':
    'Ce jeton n’a pas l’autorisation mutations:run. Les administrateurs, les clés secrètes et les agents l’ont, ainsi que les invités d’un espace avec settings.guestsRunMutations: true.',
  'access.cannotAllowMutations':
    'Ce jeton n’a pas l’autorisation mutations:run et ne peut donc pas définir settings.guestsRunMutations.',
  'access.createdBySomeoneElse':
    'Cet élément a été créé par quelqu’un d’autre. Les invités ne peuvent modifier que ce qu’ils ont créé eux-mêmes.',
  'access.originNotAllowed':
    'Les pages de {origin} ne peuvent pas utiliser ce jeton : l’environnement n’autorise pas cette origine.',
  'access.environmentRequired': 'est obligatoire, car ce jeton n’est pas limité à un seul environnement',
  'access.changesState':
    'Ce GET modifie des données et est réservé aux clients publiés disposant d’une clé ou d’un jeton. Envoyez-le plutôt en POST.',

  'access.tokenNotValid': 'Le jeton d’accès est absent, inconnu, expiré ou révoqué.',
  'access.noAuthorization': 'L’en-tête Authorization est absent. Envoyez `Authorization: Bearer <token>`.',
  'access.noBearerToken':
    'L’en-tête Authorization ne contient pas de jeton Bearer. Envoyez `Authorization: Bearer <token>`.',
  'access.subscriptionTokenNotValid':
    'Le jeton d’abonnement est absent, expiré, révoqué ou destiné à un autre canal. Demandez-en un nouveau.',
  'access.subscriptionEnded': 'L’abonnement est terminé. Demandez un nouveau jeton.',
  'access.sessionExpiredSignIn': 'Votre session a expiré. Reconnectez-vous.',
  'access.sessionExpiredOpenLink': 'Votre session a expiré. Ouvrez de nouveau le lien.',
  'access.linkNotValid':
    'Ce lien n’est pas valide : il a déjà été utilisé, a expiré ou a été remplacé par un plus récent.',
  'access.tooManyFailedAttempts': 'Trop de tentatives échouées avec ces identifiants. Réessayez plus tard.',
  'access.credentialsNotValid':
    'Ces identifiants ne sont pas valides. Si votre compte utilise l’authentification unique, connectez-vous par ce biais.',
  'access.credentialsAmbiguous':
    'Des utilisateurs de plusieurs comptes ont cette adresse et ce mot de passe. Indiquez accountId : {accounts}.',

  'access.usesSingleSignOn': 'Ce compte utilise l’authentification unique. Connectez-vous par ce biais.',
  'access.noSingleSignOn': 'L’authentification unique n’est pas configurée pour ce compte.',
  'access.noIdentityProvider': 'Aucun fournisseur OpenID n’a été trouvé à l’adresse {issuer} : {reason}',
  'access.signInNotStartedHere':
    'Cette connexion n’a pas été lancée dans ce navigateur, ou elle a expiré. Recommencez.',
  'access.signInRejected': 'Le fournisseur d’identité a refusé cette connexion.',
  'access.notAUserOfAccount':
    'Vous n’êtes pas un utilisateur de ce compte. Demandez à un administrateur de vous inviter.',
  'access.emailNotVerified': 'Le fournisseur d’identité n’a pas vérifié votre adresse e-mail (claim email_verified).',

  'access.userExists': 'Un utilisateur avec l’adresse {email} existe déjà.',
  'access.resourceOfRoleDeleted': 'Une ressource à laquelle l’un des rôles se rapporte vient d’être supprimée.',
  'access.invitationAccepted': 'L’utilisateur a déjà accepté l’invitation.',
  'access.lastAdministrator':
    'Un compte a besoin d’au moins un administrateur pouvant se connecter. Nommez d’abord un autre utilisateur administrateur.',
  'access.tooManyTokens': 'Un utilisateur peut avoir au plus {count} jetons. Supprimez-en d’abord un.',
  'access.unknownClient': 'L’application qui veut se connecter n’est pas enregistrée ici. Connectez-la à nouveau.',
  'access.clientNotReachable': 'La description de l’application est illisible : {reason}',
  'access.redirectNotRegistered': 'L’application n’a pas enregistré l’adresse à laquelle elle veut revenir.',
  'access.redirectNotAllowed':
    'doit être une adresse https, une adresse http de cet ordinateur ou l’adresse d’une application',
  'access.unknownResource': 'L’application veut accéder à un autre service. Celui-ci est {resource}.',
  'access.onlyUsersHaveTokens': 'Seuls les utilisateurs peuvent avoir des jetons d’accès personnels.',
  'access.onlyOwnTokenPair':
    'Les paires de jetons d’API agissent au nom de leur utilisateur ; seul cet utilisateur peut en créer.',
  'access.secretsMaximum': 'Cette portée compte déjà {count} secrets, le maximum. Supprimez-en d’abord un.',

  'access.unknownRole': 'n’est pas un rôle connu (voir GET /roles)',
  'access.roleNotForUsers': 'n’est pas un rôle pour les utilisateurs',
  'access.roleNotForAgents': 'n’est pas un rôle pour les agents',
  'access.roleNotForGuests': 'n’est pas un rôle pour les invités',
  'access.roleNotForAccounts': 'n’est pas un rôle pour les comptes',
  'access.roleNotForEnvironments': 'n’est pas un rôle pour les environnements',
  'access.roleNotForSpaces': 'n’est pas un rôle pour les espaces',
  'access.notARoleResource': 'doit être l’identifiant du compte, d’un environnement ou d’un espace',
  'access.tooManyRoles': 'Au plus {count} rôles peuvent être attribués. Retirez-en d’abord un.',
  'access.roleNamesNoWorkbooks': 'ne désigne aucun classeur ; attribuez-les avec {endpoint}',

  'access.guestExists':
    'Un invité avec cette adresse e-mail existe déjà dans l’environnement, ou a été modifié en même temps.',
  'access.tooManySpacesOfGuest': 'Un invité peut avoir au plus {count} espaces ; {email} en aurait {spaces}.',
  'access.guestsCannotInvite': 'Les invités ne peuvent pas inviter d’autres personnes dans cet espace.',
  'access.linkGuestsCannotInvite':
    'Les invités qui ont ouvert un lien partagé ne peuvent pas inviter d’autres personnes, car leur adresse n’est pas vérifiée.',
  'access.inviteToOwnWorkbooks':
    'Vous ne pouvez inviter d’autres personnes que dans les classeurs auxquels vous avez accès, pas dans tout l’espace.',
  'access.inviteToOwnSpaces': 'Vous ne pouvez inviter des personnes que dans les espaces auxquels vous avez accès.',
  'access.guestInvitedRecently': {
    one: 'L’invité a été invité il y a moins de {count} seconde.',
    other: 'L’invité a été invité il y a moins de {count} secondes.',
  },
  'access.partNotInSpace': 'contiennent {id}, qui n’est pas dans l’espace {spaceId}',
  'access.sharedLinkLimited':
    'Ce jeton provient d’un lien partagé et se limite à son espace ou à son extrait de données.',
  'access.guestHasNoAccess': 'L’invité n’a pas accès à cet espace.',
  'access.guestHasHiddenSpaces':
    'L’invité a aussi accès à des espaces que vous ne voyez pas. Indiquez l’un des vôtres.',
  'access.noSharedLink':
    'Les invités de cet espace se connectent par lien magique ; il n’y a donc pas de lien partagé à remplacer.',
  'access.sameIdTwice': 'ne doit pas contenir deux fois le même identifiant',
  'access.grantsNothing': 'ne doit pas être vide ; omettez-le pour donner accès à tout l’espace',
  'access.invitationToken': 'est obligatoire, sauf si email et spaceId sont indiqués',
  'access.oneLine': 'doit tenir sur une ligne',
  'access.signInState': 'doit comporter de 16 à 200 lettres, chiffres, tirets ou traits de soulignement',
}
