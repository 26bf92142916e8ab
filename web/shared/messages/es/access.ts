import type { accessMessages } from '../../../../schemas/messages/access.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const access: Record<keyof typeof accessMessages, Text> = {
  'access.missingPermission': 'Este token no tiene el permiso {permission}.',
  'access.cannotRunMutations':
    'Este token no tiene el permiso mutations:run. Lo tienen los administradores, las claves secretas y los agentes, y los invitados de un espacio con settings.guestsRunMutations: true.',
  'access.cannotAllowMutations':
    'Este token no tiene el permiso mutations:run, por lo que no puede establecer settings.guestsRunMutations.',
  'access.createdBySomeoneElse':
    'Esto lo creó otra persona. Los invitados solo pueden cambiar lo que ellos mismos han creado.',
  'access.originNotAllowed': 'Las páginas de {origin} no pueden usar este token: el entorno no permite este origen.',
  'access.environmentRequired': 'es obligatorio porque este token no está limitado a un solo entorno',
  'access.changesState':
    'Este GET cambia datos y es para clientes publicados con una clave o un token. Envíelo como POST.',

  'access.tokenNotValid': 'El token de acceso falta, es desconocido, ha caducado o se ha revocado.',
  'access.noAuthorization': 'Falta la cabecera Authorization. Envíe `Authorization: Bearer <token>`.',
  'access.noBearerToken':
    'La cabecera Authorization no contiene un token Bearer. Envíe `Authorization: Bearer <token>`.',
  'access.subscriptionTokenNotValid':
    'El token de suscripción falta, ha caducado, se ha revocado o es de otro canal. Solicite uno nuevo.',
  'access.subscriptionEnded': 'La suscripción ha terminado. Solicite un token nuevo.',
  'access.sessionExpiredSignIn': 'Su sesión ha caducado. Inicie sesión de nuevo.',
  'access.sessionExpiredOpenLink': 'Su sesión ha caducado. Abra el enlace de nuevo.',
  'access.linkNotValid': 'Este enlace no es válido: ya se usó, ha caducado o se sustituyó por uno más reciente.',
  'access.tooManyFailedAttempts': 'Demasiados intentos fallidos con estas credenciales. Inténtelo de nuevo más tarde.',
  'access.credentialsNotValid':
    'Estas credenciales no son válidas. Si su cuenta usa el inicio de sesión único, inicie sesión allí.',
  'access.credentialsAmbiguous':
    'Usuarios de varias cuentas tienen esta dirección y contraseña. Indique accountId: {accounts}.',

  'access.usesSingleSignOn': 'Esta cuenta usa el inicio de sesión único. Inicie sesión allí.',
  'access.noSingleSignOn': 'El inicio de sesión único no está configurado para esta cuenta.',
  'access.noIdentityProvider': 'No se encontró ningún proveedor OpenID en {issuer}: {reason}',
  'access.signInNotStartedHere':
    'Este inicio de sesión no se empezó en este navegador o ha caducado. Empiece de nuevo.',
  'access.signInRejected': 'El proveedor de identidad rechazó este inicio de sesión.',
  'access.notAUserOfAccount': 'Usted no es usuario de esta cuenta. Pida a un administrador que le invite.',
  'access.emailNotVerified':
    'El proveedor de identidad no ha verificado su dirección de correo electrónico (claim email_verified).',

  'access.userExists': 'Ya existe un usuario con la dirección {email}.',
  'access.resourceOfRoleDeleted': 'Se acaba de eliminar un recurso al que se refiere uno de los roles.',
  'access.invitationAccepted': 'El usuario ya ha aceptado la invitación.',
  'access.lastAdministrator':
    'Una cuenta necesita al menos un administrador que pueda iniciar sesión. Convierta primero a otro usuario en administrador.',
  'access.tooManyTokens': 'Un usuario puede tener como máximo {count} tokens. Elimine uno primero.',
  'access.unknownClient': 'La aplicación que quiere conectarse no está registrada aquí. Conéctela de nuevo.',
  'access.clientNotReachable': 'No se puede leer la descripción de la aplicación: {reason}',
  'access.redirectNotRegistered': 'La aplicación no registró la dirección a la que quiere volver.',
  'access.redirectNotAllowed':
    'debe ser una dirección https, una dirección http de este equipo o la dirección de una aplicación',
  'access.unknownResource': 'La aplicación quiere acceder a otro servicio. Este es {resource}.',
  'access.onlyUsersHaveTokens': 'Solo los usuarios pueden tener tokens de acceso personal.',
  'access.onlyOwnTokenPair':
    'Los pares de tokens de API actúan en nombre de su usuario; solo ese usuario puede crear uno.',
  'access.secretsMaximum': 'Este ámbito ya tiene {count} secretos, el máximo. Elimine uno primero.',

  'access.unknownRole': 'no es un rol conocido (consulte GET /roles)',
  'access.roleNotForUsers': 'no es un rol para usuarios',
  'access.roleNotForAgents': 'no es un rol para agentes',
  'access.roleNotForGuests': 'no es un rol para invitados',
  'access.roleNotForAccounts': 'no es un rol para cuentas',
  'access.roleNotForEnvironments': 'no es un rol para entornos',
  'access.roleNotForSpaces': 'no es un rol para espacios',
  'access.notARoleResource': 'debe ser el identificador de la cuenta, de un entorno o de un espacio',
  'access.tooManyRoles': 'Se pueden asignar como máximo {count} roles. Quite uno primero.',
  'access.roleNamesNoWorkbooks': 'no indica ningún libro; asígnelos con {endpoint}',

  'access.guestExists':
    'Ya existe un invitado con esta dirección de correo electrónico en el entorno, o se cambió al mismo tiempo.',
  'access.tooManySpacesOfGuest': 'Un invitado puede tener como máximo {count} espacios; {email} tendría {spaces}.',
  'access.guestsCannotInvite': 'Los invitados no pueden invitar a otras personas a este espacio.',
  'access.linkGuestsCannotInvite':
    'Los invitados que abrieron un enlace compartido no pueden invitar a otras personas porque su dirección no está verificada.',
  'access.inviteToOwnWorkbooks':
    'Solo puede invitar a otras personas a los libros a los que usted tiene acceso, no a todo el espacio.',
  'access.inviteToOwnSpaces': 'Solo puede invitar a personas a los espacios a los que usted tiene acceso.',
  'access.guestInvitedRecently': {
    one: 'Se invitó a esta persona hace menos de {count} segundo.',
    other: 'Se invitó a esta persona hace menos de {count} segundos.',
  },
  'access.partNotInSpace': 'incluyen {id}, que no está en el espacio {spaceId}',
  'access.sharedLinkLimited':
    'Este token procede de un enlace compartido y se limita a su espacio o extracto de datos.',
  'access.guestHasNoAccess': 'El invitado no tiene acceso a este espacio.',
  'access.guestHasHiddenSpaces':
    'El invitado también tiene acceso a espacios que usted no ve. Indique uno de los suyos.',
  'access.noSharedLink':
    'Los invitados de este espacio inician sesión con un enlace mágico, así que no hay ningún enlace compartido que sustituir.',
  'access.sameIdTwice': 'no debe contener un identificador más de una vez',
  'access.grantsNothing': 'no debe estar vacío; omítalo para dar acceso a todo el espacio',
  'access.invitationToken': 'es obligatorio, salvo que se indiquen email y spaceId',
  'access.oneLine': 'debe ocupar una sola línea',
  'access.signInState': 'debe tener entre 16 y 200 letras, dígitos, guiones o guiones bajos',
}
