import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'war „{original}“',
  'values.severalMeanings': 'Dieser Text kann {alternatives} bedeuten: geben Sie eines davon ein',
  'values.otherUnit':
    'Die Einheit dieser Zahl weicht von den anderen Zahlen oder vom Feld ab: geben Sie eine Zahl ohne Einheit ein',
  'values.notEmail': 'Dieser Wert ist keine E-Mail-Adresse: verwenden Sie eine Form wie ada@example.com',
  'values.notPhone':
    'Dieser Wert ist keine Telefonnummer, oder ihr Land ist nicht bekannt: beginnen Sie mit + und der Landesvorwahl',
  'values.notUrl': 'Dieser Wert ist keine Webadresse: verwenden Sie eine Form wie https://example.com',
  'values.notTime': 'Dieser Wert ist keine Uhrzeit: verwenden Sie eine Form wie 14:30',
  'values.fieldsOrSheet': 'ist erforderlich, wenn sheetId fehlt, und sonst nicht erlaubt',
  'values.tooMany': 'haben {count} Werte; ein Aufruf kann höchstens {limit} haben',
  'values.otherType': 'ist eine Lesart des Typs {reading}; das Feld hat den Typ {field}',
  'values.whyBoolean': {
    one: '{count} von {total} Wert ist ja oder nein',
    other: '{count} von {total} Werten sind ja oder nein',
  },
  'values.whyDate': { one: '{count} von {total} Wert ist ein Datum', other: '{count} von {total} Werten sind Daten' },
  'values.whyEmail': {
    one: '{count} von {total} Wert ist eine E-Mail-Adresse',
    other: '{count} von {total} Werten sind E-Mail-Adressen',
  },
  'values.whyEmpty': {
    one: 'Die Spalte ist in {count} Zeile leer',
    other: 'Die Spalte ist in allen {count} Zeilen leer',
  },
  'values.whyNumber': {
    one: '{count} von {total} Wert ist eine Zahl',
    other: '{count} von {total} Werten sind Zahlen',
  },
  'values.whyOptions': {
    one: '{distinct} verschiedene Werte in {count} Zeile',
    other: '{distinct} verschiedene Werte in {count} Zeilen',
  },
  'values.whyPhone': {
    one: '{count} von {total} Wert ist eine Telefonnummer',
    other: '{count} von {total} Werten sind Telefonnummern',
  },
  'values.whyRequired': { one: 'In {count} Zeile nie leer', other: 'In {count} Zeilen nie leer' },
  'values.whyText': { one: 'Verschiedene Texte bis {count} Zeichen', other: 'Verschiedene Texte bis {count} Zeichen' },
  'values.whyTime': {
    one: '{count} von {total} Wert ist eine Uhrzeit',
    other: '{count} von {total} Werten sind Uhrzeiten',
  },
  'values.whyUnique': { one: '{count} Wert, keine Dubletten', other: '{count} Werte, keine Dubletten' },
  'values.whyUnit': {
    one: '{count} von {total} Wert ist eine Zahl in {unit}',
    other: '{count} von {total} Werten sind Zahlen in {unit}',
  },
  'values.whyUrl': {
    one: '{count} von {total} Wert ist eine Webadresse',
    other: '{count} von {total} Werten sind Webadressen',
  },
}
