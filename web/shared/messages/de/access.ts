import type { accessMessages } from '../../../../schemas/messages/access.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const access: Record<keyof typeof accessMessages, Text> = {
  'access.missingPermission': 'Dieses Token hat die Berechtigung {permission} nicht.',
  'access.cannotRunMutations':
    'Dieses Token hat die Berechtigung mutations:run nicht. Administratoren, geheime Schlüssel und Agenten haben sie, ebenso Gäste eines Bereichs mit settings.guestsRunMutations: true.',
  'access.cannotAllowMutations':
    'Dieses Token hat die Berechtigung mutations:run nicht und kann settings.guestsRunMutations daher nicht setzen.',
  'access.createdBySomeoneElse':
    'Dies wurde von jemand anderem erstellt. Gäste können nur ändern, was sie selbst erstellt haben.',
  'access.originNotAllowed':
    'Seiten von {origin} können dieses Token nicht verwenden: Die Umgebung lässt diese Herkunft nicht zu.',
  'access.environmentRequired': 'ist erforderlich, weil dieses Token nicht auf eine Umgebung beschränkt ist',
  'access.changesState':
    'Dieses GET ändert Daten und ist für veröffentlichte Clients mit einem Schlüssel oder Token bestimmt. Senden Sie es stattdessen als POST.',

  'access.tokenNotValid': 'Das Zugriffstoken fehlt, ist unbekannt, abgelaufen oder widerrufen.',
  'access.noAuthorization': 'Der Header Authorization fehlt. Senden Sie `Authorization: Bearer <token>`.',
  'access.noBearerToken':
    'Der Header Authorization enthält kein Bearer-Token. Senden Sie `Authorization: Bearer <token>`.',
  'access.subscriptionTokenNotValid':
    'Das Abonnement-Token fehlt, ist abgelaufen, widerrufen oder gilt für einen anderen Kanal. Fordern Sie ein neues an.',
  'access.subscriptionEnded': 'Das Abonnement ist beendet. Fordern Sie ein neues Token an.',
  'access.sessionExpiredSignIn': 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  'access.sessionExpiredOpenLink': 'Ihre Sitzung ist abgelaufen. Öffnen Sie den Link erneut.',
  'access.linkNotValid':
    'Dieser Link ist ungültig: Er wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt.',
  'access.tooManyFailedAttempts':
    'Zu viele fehlgeschlagene Versuche mit diesen Zugangsdaten. Versuchen Sie es später erneut.',
  'access.credentialsNotValid':
    'Diese Zugangsdaten sind ungültig. Falls Ihr Konto Single Sign-on verwendet, melden Sie sich dort an.',
  'access.credentialsAmbiguous':
    'Benutzer mehrerer Konten haben diese Adresse und dieses Passwort. Geben Sie accountId an: {accounts}.',

  'access.usesSingleSignOn': 'Dieses Konto verwendet Single Sign-on. Melden Sie sich dort an.',
  'access.noSingleSignOn': 'Für dieses Konto ist kein Single Sign-on eingerichtet.',
  'access.noIdentityProvider': 'Unter {issuer} wurde kein OpenID-Anbieter gefunden: {reason}',
  'access.signInNotStartedHere':
    'Diese Anmeldung wurde nicht in diesem Browser begonnen oder ist abgelaufen. Beginnen Sie von vorn.',
  'access.signInRejected': 'Der Identitätsanbieter hat diese Anmeldung abgelehnt.',
  'access.notAUserOfAccount': 'Sie sind kein Benutzer dieses Kontos. Bitten Sie einen Administrator um eine Einladung.',
  'access.emailNotVerified': 'Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt (Claim email_verified).',

  'access.userExists': 'Ein Benutzer mit der Adresse {email} existiert bereits.',
  'access.resourceOfRoleDeleted': 'Eine Ressource, auf die sich eine der Rollen bezieht, wurde gerade gelöscht.',
  'access.invitationAccepted': 'Der Benutzer hat die Einladung bereits angenommen.',
  'access.lastAdministrator':
    'Ein Konto braucht mindestens einen Administrator, der sich anmelden kann. Machen Sie zuerst einen anderen Benutzer zum Administrator.',
  'access.tooManyTokens': 'Ein Benutzer kann höchstens {count} Token haben. Löschen Sie zuerst eines.',
  'access.unknownClient':
    'Die Anwendung, die sich verbinden möchte, ist hier nicht registriert. Verbinden Sie sie erneut.',
  'access.clientNotReachable': 'Die Beschreibung der Anwendung kann nicht gelesen werden: {reason}',
  'access.redirectNotRegistered': 'Die Anwendung hat die Adresse, zu der sie zurückkehren möchte, nicht registriert.',
  'access.redirectNotAllowed':
    'muss eine https-Adresse, eine http-Adresse dieses Computers oder die Adresse einer Anwendung sein',
  'access.unknownResource': 'Die Anwendung möchte auf einen anderen Dienst zugreifen. Dieser ist {resource}.',
  'access.onlyUsersHaveTokens': 'Nur Benutzer können persönliche Zugriffstoken haben.',
  'access.onlyOwnTokenPair':
    'API-Token-Paare handeln im Namen ihres Benutzers; nur dieser Benutzer kann eines erstellen.',
  'access.secretsMaximum': 'Hier gibt es bereits {count} Secrets, das ist die Höchstzahl. Löschen Sie zuerst eines.',

  'access.unknownRole': 'ist keine bekannte Rolle (siehe GET /roles)',
  'access.roleNotForUsers': 'ist keine Rolle für Benutzer',
  'access.roleNotForAgents': 'ist keine Rolle für Agenten',
  'access.roleNotForGuests': 'ist keine Rolle für Gäste',
  'access.roleNotForAccounts': 'ist keine Rolle für Konten',
  'access.roleNotForEnvironments': 'ist keine Rolle für Umgebungen',
  'access.roleNotForSpaces': 'ist keine Rolle für Bereiche',
  'access.notARoleResource': 'muss die ID des Kontos, einer Umgebung oder eines Bereichs sein',
  'access.tooManyRoles': 'Es können höchstens {count} Rollen zugewiesen werden. Entfernen Sie zuerst eine.',
  'access.roleNamesNoWorkbooks': 'benennt keine Arbeitsmappen; weisen Sie sie mit {endpoint} zu',

  'access.guestExists':
    'Ein Gast mit dieser E-Mail-Adresse existiert in der Umgebung bereits oder wurde gleichzeitig geändert.',
  'access.tooManySpacesOfGuest': 'Ein Gast kann höchstens {count} Bereiche haben; {email} hätte {spaces}.',
  'access.guestsCannotInvite': 'Gäste können andere nicht in diesen Bereich einladen.',
  'access.linkGuestsCannotInvite':
    'Gäste, die einen geteilten Link geöffnet haben, können andere nicht einladen, weil ihre Adresse nicht bestätigt ist.',
  'access.inviteToOwnWorkbooks':
    'Sie können andere nur zu Arbeitsmappen einladen, auf die Sie Zugriff haben, nicht in den ganzen Bereich.',
  'access.inviteToOwnSpaces': 'Sie können Gäste nur in Bereiche einladen, auf die Sie Zugriff haben.',
  'access.guestInvitedRecently': {
    one: 'Der Gast wurde vor weniger als {count} Sekunde eingeladen.',
    other: 'Der Gast wurde vor weniger als {count} Sekunden eingeladen.',
  },
  'access.partNotInSpace': 'enthalten {id}, was nicht im Bereich {spaceId} liegt',
  'access.sharedLinkLimited':
    'Dieses Token stammt aus einem geteilten Link und gilt nur für dessen Bereich oder Datenauszug.',
  'access.guestHasNoAccess': 'Der Gast hat keinen Zugriff auf diesen Bereich.',
  'access.guestHasHiddenSpaces':
    'Der Gast hat auch Zugriff auf Bereiche, die Sie nicht sehen. Geben Sie einen der Ihren an.',
  'access.noSharedLink':
    'Gäste dieses Bereichs melden sich mit einem magischen Link an, daher gibt es keinen geteilten Link, der ersetzt werden kann.',
  'access.sameIdTwice': 'darf keine ID mehrfach enthalten',
  'access.grantsNothing': 'darf nicht leer sein; lassen Sie es weg, um den ganzen Bereich freizugeben',
  'access.invitationToken': 'ist erforderlich, wenn email und spaceId fehlen',
  'access.oneLine': 'muss einzeilig sein',
  'access.signInState': 'muss aus 16 bis 200 Buchstaben, Ziffern, Binde- oder Unterstrichen bestehen',
}
