/** Texts of the assistant in a space. */
const texts = {
  askAssistant: 'Ask',
  assistant: 'Assistant',
  assistantApplied: 'Applied',
  assistantEmpty: 'Ask about the data of this space',
  assistantExamples: 'Such as: Which values are wrong, and can you fix them?',
  assistantHint: 'The assistant changes nothing itself. You apply what it proposes, and can undo it.',
  assistantQuestion: 'Question',
  assistantThinking: 'The assistant is replying…',
  assistantUndone: 'Undone',
  exampleAfter: 'After',
  exampleBefore: 'Before',
  newConversation: 'New conversation',
  proposalConstraint: 'Add a constraint',
  proposalCreateMissing: 'Create missing records',
  proposalEdit: 'Correct values',
  proposalImport: 'Import the file',
  proposalIn: 'in {sheet}',
  proposalMerge: 'Merge duplicates',
  proposalMutation: 'Run a script',
  proposalReplaceText: 'Replace text',
  proposalSetValues: 'Set values',
  proposalUpdateRecords: 'Change records',
}

export default texts
