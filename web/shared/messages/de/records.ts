import type { Text } from '../../../../schemas/messages/format.ts'
import type { recordMessages } from '../../../../schemas/messages/records.ts'

export const records: Record<keyof typeof recordMessages, Text> = {
  'records.required': 'Dieses Feld ist erforderlich',
  'records.notUnique': 'Dieser Wert ist nicht eindeutig',
  'records.combinationNotUnique': 'Diese Kombination von Werten ist nicht eindeutig',
  'records.unlinked': 'Dieser Wert ist im referenzierten Blatt nicht vorhanden',
  'records.notOption': 'Dieser Wert gehört nicht zu den Optionen',

  'records.patternMismatch': 'Dieser Wert hat nicht das verlangte Format',
  'records.tooShort': 'Dieser Wert muss mindestens {count} Zeichen haben',
  'records.tooLong': 'Dieser Wert darf höchstens {count} Zeichen haben',
  'records.mustBeLess': 'Dieser Wert muss kleiner als {limit} sein',
  'records.mustBeAtMost': 'Dieser Wert darf höchstens {limit} sein',
  'records.mustBeMore': 'Dieser Wert muss größer als {limit} sein',
  'records.mustBeAtLeast': 'Dieser Wert muss mindestens {limit} sein',
  'records.mustEqual': 'Dieser Wert muss gleich {limit} sein',
  'records.mustDiffer': 'Dieser Wert muss sich von {limit} unterscheiden',
  'records.valueNotAllowed': 'Dieser Wert gehört nicht zu den erlaubten Werten',
  'records.notEmail': 'Dieser Wert ist keine E-Mail-Adresse',
  'records.notUrl': 'Dieser Wert ist keine Webadresse: Verwenden Sie die Form https://example.com',
  'records.notUuid': 'Dieser Wert ist keine UUID',
  'records.notPhone':
    'Dieser Wert ist keine gültige Telefonnummer: Beginnen Sie mit dem Land, z. B. +1, oder verwenden Sie die Schreibweise des Landes',
  'records.requiredWith': 'Dieses Feld ist zusammen mit {fields} erforderlich',
  'records.requiredIf': 'Dieses Feld ist für diesen Datensatz erforderlich',
  'records.formerRule': 'Eine frühere Regel des Blatts hat diesen Wert abgelehnt',

  'records.notNumber':
    'Dieser Wert ist keine Zahl: Verwenden Sie nur Ziffern, einen Dezimalpunkt und ein Minuszeichen, z. B. -1234.5',
  'records.numberTooLong':
    'Diese Zahl hat zu viele Stellen, um genau gespeichert zu werden: Verwenden Sie stattdessen ein Textfeld',
  'records.notBoolean': 'Dieser Wert ist kein Wahrheitswert: Verwenden Sie true oder false',

  'records.notDate': 'Dieser Wert ist kein Datum: Verwenden Sie das Format JJJJ-MM-TT',
  'records.ambiguousDate':
    'Dieses Datum ist mehrdeutig, weil Tag und Monat vertauscht sein könnten: Verwenden Sie das Format JJJJ-MM-TT',
  'records.impossibleDate': 'Dieses Datum gibt es nicht: Verwenden Sie ein gültiges Datum im Format JJJJ-MM-TT',
  'records.dateWithTime':
    'Dieser Wert enthält eine Uhrzeit, das Feld speichert aber nur Daten: Verwenden Sie das Format JJJJ-MM-TT',
  'records.shortYear':
    'Dieses Datum ist mehrdeutig, weil das Jahr weniger als vier Stellen hat: Verwenden Sie das Format JJJJ-MM-TT',

  'records.notText': 'Dieser Wert ist kein Text',
  'records.textTooLong': 'Dieser Text ist länger als {count} Bytes',
  'records.notList': 'Dieser Wert ist keine Liste',
  'records.invalidListEntry': 'Eine Liste kann nur Texte, Zahlen und Wahrheitswerte enthalten',
  'records.listTooLong': 'Eine Liste kann höchstens {count} Werte haben',

  'records.sheetFull': {
    one: 'Ein Blatt kann höchstens {count} Datensatz haben; dieses hat {current}.',
    other: 'Ein Blatt kann höchstens {count} Datensätze haben; dieses hat {current}.',
  },
  'records.insertTooLarge': 'In einer Anfrage können höchstens {count} Datensätze eingefügt werden.',
  'records.rowTooLarge': '{part} von Zeile {row} überschreitet die Grenze von {count} Bytes.',
  'records.recordTooLarge': '{part} des Datensatzes {record} überschreitet die Grenze von {count} Bytes.',
  'records.linksTooLarge':
    'Die verknüpften Datensätze einer Seite können höchstens {count} Bytes haben. Fordern Sie eine kleinere Seite an.',
  'records.sheetLocked': 'Das Blatt {sheet} ist gesperrt: Entsperren Sie es, um seine Datensätze zu ändern.',
  'records.keysRepeatedInRows': 'Schlüssel, die mehrere Zeilen der Quelle haben: {keys}, zum Beispiel {examples}.',
  'records.keysRepeatedInRecords':
    'Schlüssel der Quelle, die mehrere Datensätze haben: {keys}, zum Beispiel {examples}.',
  'records.keysKeepChanging':
    'Die Datensätze haben sich während des Imports immer wieder geändert. Wiederholen Sie ihn später.',
  'records.fieldsChangedDuringImport':
    'Die Felder des Blattes wurden während des Imports geändert. Starten Sie ihn erneut.',
  'records.changedSincePreview':
    'Das Blatt wurde seit der Vorschau geändert. Fordern Sie eine neue Vorschau an und versuchen Sie es erneut.',

  'records.noField': 'Das Blatt hat kein Feld „{field}“.',
  'records.noCommit': 'Das Blatt hat keinen Commit „{commit}“.',
  'records.rowWithoutId': 'muss eine Position in ids sein; ids hat {count} Einträge',
  'records.notOneValuePerRow': 'muss einen Wert je Zeile haben: {count}',
  'records.partIncomplete': 'ist nötig, um einen Teil eines Commits auszuwählen',
  'records.partTooHigh': 'darf die Zahl der Teile ({count}) nicht überschreiten',
  'records.noVersion': 'Das Blatt hat keine Version {version}.',
  'records.idsEmpty': 'muss mindestens einen Datensatz enthalten',
  'records.updatesEmpty': 'muss mindestens ein Feld nennen',

  'records.invalidCellValue': 'muss ein Text, eine Zahl, true, false, null oder eine Liste davon sein',
  'records.notCell': 'ist keine Zelle: Eine Zelle ist ein Wert oder ein Objekt wie {example}',
  'records.isCell': 'ist eine Zelle',
  'records.unknownCellProperties':
    'hat unbekannte Eigenschaften: {properties}. Eine Zelle ist ein Wert oder ein Objekt wie {example}',
  'records.unknownRecordProperties':
    'hat unbekannte Eigenschaften: {properties}. Geben Sie Zellen in „values“ an, wie in {example}',
  'records.andMore': '{list} und {count} weitere',
  'records.idAssigned':
    'wird von der Plattform vergeben: Lassen Sie sie weg oder ändern Sie den vorhandenen Datensatz mit PUT',
  'records.nestedValues': 'ist kein Feld dieses Blatts; ein Datensatz ist {flat} oder {nested}',
  'records.reservedKey': 'darf nicht __proto__ sein',

  'records.queryError': 'In Spalte {column}: {problem}',
  'records.queryTooLong': 'Eine Abfrage kann höchstens {count} Zeichen haben.',
  'records.queryTooDeep': 'eine Abfrage kann höchstens {count} Ebenen tief verschachtelt sein.',
  'records.patternTooLong': 'ein Muster mit „_“ kann höchstens {count} Zeichen haben.',
  'records.quoteNotClosed': 'das Anführungszeichen {quote} wird nicht geschlossen.',
  'records.parenthesisNotOpened': 'diese Klammer wurde nicht geöffnet.',
  'records.parenthesisNotClosed': 'diese Klammer wird nicht geschlossen.',
  'records.expectedEnd':
    '„and“, „or“ oder das Ende erwartet, nicht „{found}“; ein Text mit Leerzeichen braucht Anführungszeichen.',
  'records.expectedParenthesis': '„and“, „or“ oder „)“ erwartet, nicht „{found}“.',
  'records.expectedField': 'ein Feld oder ein Operator erwartet, nicht „{found}“.',
  'records.expectedFieldAtEnd': 'ein Feld oder ein Operator erwartet.',
  'records.expectedOperator': 'ein Operator ({operators}, is) nach „{text}“ erwartet.',
  'records.expectedValue': 'ein Wert nach „{text}“ erwartet; setzen Sie and, or, not und Zeichen in Anführungszeichen.',
  'records.expectedState': 'nach „is“ eines von {states} erwartet.',
  'records.unknownQueryField': 'das Blatt hat kein Feld „{field}“.',

  'records.lineTooLong': 'Zeile {line} ist länger als {count} Bytes.',
  'records.lineNotUtf8': 'ist nicht in UTF-8 kodiert',
  'records.lineNotObject': 'ist kein JSON-Objekt',
  'records.lineWithoutId': 'hat __d, aber kein __k: Geben Sie die ID des zu löschenden Datensatzes an',
  'records.lineKeyNotText': '{key} ist kein nicht leerer Text',
  'records.lineKeyNotBoolean': '{key} ist weder true noch false',
  'records.lineKeyNotObject': '{key} ist kein Objekt',
  'records.lineKeyNotCell': '{key} ist ein Objekt, aber keine Zelle: Es hat weder value noch messages',
  'records.lineUnknownProperty': '{key} hat {property}, das ist keine Eigenschaft einer Zelle',
  'records.lineNumberTooLarge': '{key} ist eine zu große Zahl',
  'records.lineNotMessages': '{key} ist keine Liste von Meldungen',
  'records.lineMessageWithoutField': '__i enthält eine Meldung ohne Feld',
  'records.lineKeyProblem': '„{key}“ {problem}',

  'records.sheetRequired': 'ist erforderlich, wenn workbookId und sheetSlug nicht angegeben sind',
  'records.otherSheet': 'betrifft ein anderes Blatt als {sheet}; eine Anfrage kann nur in ein Blatt schreiben',
  'records.snapshotsNotAllowed': 'Dieses Token hat keine Berechtigung, Snapshots zu erstellen.',
  'records.beforeJsonLines': 'Vor dem Schreiben von JSON Lines',
  'records.onlyCsv': 'muss csv sein: Verwenden Sie für xlsx, json und jsonl einen `sheet:export`-Job',

  'records.fieldExists': 'Das Blatt hat bereits ein Feld {field}.',
  'records.tooManyFields': 'kann nicht hinzugefügt werden: Ein Blatt kann höchstens {count} Felder haben',
  'records.duplicateFieldKey': 'ist der Schlüssel zweier Felder: {key}',
  'records.sheetConfigTooLarge': 'die Konfiguration eines Blatts kann höchstens {count} Bytes haben',
  'records.duplicateSlug': 'wird von zwei Blättern verwendet: {slug}',
  'records.slugTaken': 'Zwei Blätter der Arbeitsmappe hätten den Slug {slug}.',
  'records.noSheet': 'ist kein Blatt der Arbeitsmappe: {sheet}.',
  'records.noSheetButSimilar': 'ist kein Blatt der Arbeitsmappe: {sheet}. Meinten Sie {suggestion}?',
  'records.noReferencedField': 'ist kein Feld des Blatts {sheet}: {field}.',
  'records.noReferencedFieldButSimilar': 'ist kein Feld des Blatts {sheet}: {field}. Meinten Sie {suggestion}?',
  'records.sheetProblem': '{path} des Blatts {sheet}: {problem}',
  'records.sheetTooLargeToCopy':
    'Das Blatt {sheet} ist zu groß, um in einer Anfrage kopiert zu werden. Erstellen Sie ein Blatt mit denselben Feldern und füllen Sie es mit einem workbook:map-Job.',

  'records.invalidPattern': 'ist kein gültiges RE2-Muster: {reason}',
  'records.patternTooComplex': 'ist zu komplex: Das Muster ergibt {size} Schritte; höchstens {count} sind möglich',
  'records.boundMissing': 'benötigt mindestens eine dieser Angaben: {names}',
  'records.boundTwice': '{first} und {second} können nicht kombiniert werden',
  'records.boundsEmpty': 'lässt keinen Wert zu: Die untere Grenze liegt über der oberen',
  'records.boundNotNumber': 'muss eine Zahl sein, weil das Feld eine Zahl ist',
  'records.boundNotDate': 'muss ein Datum der Form JJJJ-MM-TT sein, weil das Feld ein Datum ist',
  'records.rangeOfText': 'ist nur bei Feldern der Typen number und date möglich',
  'records.unknownCountry': 'ist kein Land mit Telefonnummern: {country}. Verwenden Sie zwei Buchstaben, z. B. DE',
  'records.countryTwice': 'kann nicht mit country kombiniert werden',
  'records.ruleOfItself': 'muss ein anderes Feld als {field} nennen',
  'records.notComparable': 'Diese Felder sind nicht vergleichbar: {field} ist {type}, {other} ist {otherType}',
  'records.listNotComparable': 'ist nicht vergleichbar, weil es Listen enthält: {field}',
  'records.invalidCondition': 'ist keine gültige Abfrage. {problem}',
  'records.conditionWithoutField': 'muss in jedem Vergleich ein Feld nennen',
  'records.conditionOfState': 'darf nicht von Meldungen abhängen: Möglich ist nur „is empty“, nicht „is {state}“',
  'records.tooManyRules': 'Ein Blatt kann höchstens {count} Regeln über mehrere Felder haben; dieses hat {current}.',

  'records.otherWorkbook':
    'stimmt nicht mit der Arbeitsmappe des Blatts überein; Blätter können nicht in eine andere Arbeitsmappe verschoben werden',
  'records.otherSpace':
    'stimmt nicht mit dem Bereich der Arbeitsmappe überein; Arbeitsmappen können nicht in einen anderen Bereich verschoben werden',
  'records.otherEnvironmentThanSpace': 'stimmt nicht mit der Umgebung des Bereichs überein',
  'records.otherEnvironmentThanWorkbook': 'stimmt nicht mit der Umgebung der Arbeitsmappe überein',
  'records.spaceRequired': 'ist erforderlich, weil dieses Token nicht auf eine Umgebung beschränkt ist',
  'records.tooManyViews': 'Dieses Blatt hat bereits {count} Ansichten, mehr sind nicht möglich.',
  'records.viewKeysTooLong': 'kann insgesamt höchstens {count} Zeichen haben',
  'records.nothingToUndo': 'Die Änderung kann nicht rückgängig gemacht werden.',
  'records.undoChangedBy': '{actor} hat dieselben Datensätze seitdem geändert: {updated} geändert, {deleted} gelöscht.',
  'records.undoExamples': 'Zum Beispiel: {examples}.',
  'records.undoTooLarge':
    'Die Änderung hat mehr als {limit} Datensätze betroffen, und {actors} hat seitdem andere Datensätze geschrieben. Deshalb kann sie nicht mehr rückgängig gemacht werden.',
}
