import type { Text } from '../../../../schemas/messages/format.ts'
import type { mappingMessages } from '../../../../schemas/messages/mappings.ts'

export const mappings: Record<keyof typeof mappingMessages, Text> = {
  'mappings.allRequiredMapped': 'Alle Pflichtfelder sind zugeordnet',
  'mappings.requiredUnmapped': 'Pflichtfelder ohne Zuordnung: {fields}',
  'mappings.recordsMapped': { one: '{count} Datensatz übertragen', other: '{count} Datensätze übertragen' },
  'mappings.recordsMappedTo': {
    one: '{count} Datensatz von {source} nach {destination} übertragen.',
    other: '{count} Datensätze von {source} nach {destination} übertragen.',
  },
  'mappings.progress': {
    one: '{done} von {count} Datensatz übertragen',
    other: '{done} von {count} Datensätzen übertragen',
  },
  'mappings.finished': 'Daten übertragen',
  'mappings.importedByKey':
    'Erstellt: {created}, geändert: {updated}, unverändert: {unchanged}, übersprungen: {skipped}',
  'mappings.importedReplacing': 'Erstellt: {created}, gelöscht: {deleted}',
  'mappings.rowsSkipped': 'Übersprungene Zeilen von {source}: {emptyKey} ohne Schlüssel, {noRecord} ohne Datensatz.',
  'mappings.totalsLeftOut': 'Als Summen ausgelassene Zeilen: {count} (Zeilen {rows}).',
  'mappings.carriedOverLeftOut': 'Als Überträge ausgelassene Zeilen: {count} (Zeilen {rows}).',
  'mappings.pageHeadingsLeftOut': 'Als Seitenköpfe ausgelassene Zeilen: {count} (Zeilen {rows}).',
  'mappings.singleTextsLeftOut': 'Als Überschriften oder Anmerkungen ausgelassene Zeilen: {count} (Zeilen {rows}).',
  'mappings.onlyAtTopLevel': 'ist nur auf der obersten Ebene eines Programms möglich',
  'mappings.keyRequired': 'ist für den Modus {mode} erforderlich: nennen Sie die Felder, die einen Datensatz bestimmen',
  'mappings.keyNotUsed': 'wird nur in den Modi {modes} verwendet',
  'mappings.keyNotMapped': 'Das Schlüsselfeld {field} ist nicht zugeordnet. Ordnen Sie ihm eine Spalte zu.',
  'mappings.nothingMapped':
    'Kein Feld von {source} ist einem Feld von {destination} zugeordnet. Ordnen Sie mindestens eines zu.',
  'mappings.ruleDoesNotFit': 'Die Regeln passen nicht zu den Blättern: {rule} {problem}',
  'mappings.rulesDoNotFit': {
    one: '{first} (und {count} weiteres Problem)',
    other: '{first} (und {count} weitere Probleme)',
  },
  'mappings.edgeFillsField': 'eine andere Zuordnung füllt das Feld {field} bereits',
  'mappings.noPlan': 'Der Auftrag hat noch keinen Plan: er erhält ihn, wenn er beginnt.',
  'mappings.invalidPreview': 'muss das Token einer Vorschau dieses Auftrags sein',
  'mappings.planChanged': 'Der Plan hat sich seit der Vorschau geändert',
  'mappings.recordsChanged': 'Datensätze von {sheet} haben sich seit der Vorschau geändert',
  'mappings.fieldsChanged': 'Felder von {sheet} haben sich seit der Vorschau geändert',
  'mappings.linkedRecordsChanged': 'Datensätze, auf die {sheet} verweist, haben sich seit der Vorschau geändert',
  'mappings.previewIncomplete': {
    one: 'Die ersten {done} von {count} Datensatz wurden gezählt: eine Vorschau zählt {seconds} Sekunden lang.',
    other: 'Die ersten {done} von {count} Datensätzen wurden gezählt: eine Vorschau zählt {seconds} Sekunden lang.',
  },

  'mappings.nestNotSupported':
    'nest erzeugt Datensätze innerhalb von Zellen, was Blätter nicht unterstützen: verwenden Sie array oder ein eigenes Blatt',
  'mappings.astNotSupported':
    'ast-Regeln werden nicht unterstützt: verwenden Sie arithmetic, interpolate oder einen Auftrag workbook:mutate-records',
  'mappings.tooManyRules': 'hat {count} Regeln; ein Programm hat höchstens {limit}',
  'mappings.notARule': 'muss eine Regel sein: {example}',
  'mappings.unknownRuleType': 'muss einer dieser Werte sein: {types}',
  'mappings.nestedTooDeep': {
    one: 'ist in mehr als {count} Unterprogramm verschachtelt',
    other: 'ist in mehr als {count} Unterprogrammen verschachtelt',
  },
  'mappings.unknownSourceField': 'die Quelle hat kein Feld {field}',
  'mappings.unknownDestinationField': 'das Ziel hat kein Feld {field}',
  'mappings.ruleFillsField': 'die Regel füllt das Feld {field} bereits',
  'mappings.tooFewGroups': {
    one: 'hat {fields} Felder, aber das Muster hat nur {count} Gruppe',
    other: 'hat {fields} Felder, aber das Muster hat nur {count} Gruppen',
  },
  'mappings.invalidPattern': 'ist kein gültiges Muster: {reason}',
  'mappings.unknownPlaceholder': {
    one: '{placeholder} ist kein Quellfeld: es gibt {count}, beginnend bei {first}',
    other: '{placeholder} ist kein Quellfeld: es gibt {count}, beginnend bei {first}',
  },
  'mappings.formatRequired': 'ist erforderlich, wenn formats nicht gesetzt ist',
  'mappings.invalidDateFormat': 'ist kein gültiges Datumsformat: {reason}',
  'mappings.datePartTwice': 'enthält denselben Teil eines Datums zweimal',
  'mappings.formatWithoutDay': 'hat keinen Tag: verwenden Sie zum Beispiel dd.MM.yyyy, M/d/yy oder d LLLL yyyy',
  'mappings.filterBeforeValidation': 'kann "is {state}" nicht verwenden: Filter werden vor der Prüfung angewendet',
  'mappings.invalidLanguageTag': 'muss ein Sprachcode wie {example} sein',

  'mappings.unexpectedCharacter': 'unerwartetes Zeichen an Position {position}: {character}',
  'mappings.expectedInEquation': 'an Zeichen {position} wird {expected} erwartet, nicht {found}',
  'mappings.endOfEquation': 'das Ende',
  'mappings.operand': 'eine Zahl, ein Feld oder eine Klammer',
  'mappings.operator': 'ein Operator oder das Ende',
  'mappings.unknownEquationField': '{name} an Zeichen {position} ist keines der Quellfelder',
  'mappings.wrongArgumentCount': {
    one: '{name} an Zeichen {position} erwartet {count} Zahl',
    other: '{name} an Zeichen {position} erwartet {count} Zahlen',
  },
  'mappings.wrongArgumentRange': '{name} an Zeichen {position} erwartet {minimum} bis {maximum} Zahlen',
  'mappings.equationTooDeep': 'Klammern und Vorzeichen sind mehr als {count} Ebenen tief verschachtelt',

  'mappings.sideRequired': 'ist erforderlich',
  'mappings.sideRequiredUnless': 'ist erforderlich, wenn {property} nicht angegeben ist',
  'mappings.differentSpaces': 'muss im selben Bereich wie die Quelle liegen',
}
