import type en from './en.ts'

const texts: Record<keyof typeof en, string> = {
  askAssistant: 'Fragen',
  assistant: 'Assistent',
  assistantApplied: 'Angewendet',
  assistantEmpty: 'Fragen Sie nach den Daten dieses Space',
  assistantExamples: 'Zum Beispiel: Welche Werte sind falsch, und kannst du sie korrigieren?',
  assistantHint:
    'Der Assistent ändert selbst nichts. Sie wenden an, was er vorschlägt, und können es rückgängig machen.',
  assistantQuestion: 'Frage',
  assistantThinking: 'Der Assistent antwortet…',
  assistantUndone: 'Rückgängig gemacht',
  exampleAfter: 'Nachher',
  exampleBefore: 'Vorher',
  newConversation: 'Neue Unterhaltung',
  proposalConstraint: 'Regel hinzufügen',
  proposalCreateMissing: 'Fehlende Datensätze anlegen',
  proposalEdit: 'Werte korrigieren',
  proposalImport: 'Datei importieren',
  proposalIn: 'in {sheet}',
  proposalMerge: 'Duplikate zusammenführen',
  proposalMutation: 'Skript ausführen',
  proposalReplaceText: 'Text ersetzen',
  proposalSetValues: 'Werte setzen',
  proposalUpdateRecords: 'Datensätze ändern',
}

export default texts
