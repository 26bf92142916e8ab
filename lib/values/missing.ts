/** Words that people and programs write where a value is missing. */
import { cleanText, withoutAccents } from './texts.ts'

const DASHES = /^[-–—_?]{1,5}$/
const WORDS = new Set(
  [
    ...['n/a', 'na', '#n/a', '#nv', '#nd', 'nan', 'null', 'nil', 'none', 'nothing', 'blank', 'empty', 'not available'],
    ...['not applicable', 'not specified', 'not provided', 'not known', 'no data', 'no answer'],
    ...['ka', 'k/a', 'nn', 'keine angabe', 'keine angaben', 'nicht angegeben', 'nicht vorhanden', 'leer', 'entfallt'],
    ...['nc', 'n/c', 'nr', 'non communique', 'non renseigne', 'non disponible', 'sans objet', 'vide', 'neant', 'aucun'],
    ...['s/d', 'sd', 'n/d', 'nd', 'sin datos', 'no disponible', 'no aplica', 'ninguno', 'ninguna', 'vacio'],
    ...['non disponibile', 'non applicabile', 'non specificato', 'nessuno', 'nessuna', 'vuoto'],
    ...['nvt', 'n/v/t', 'nb', 'niet van toepassing', 'niet bekend', 'niet beschikbaar', 'geen', 'leeg'],
    ...['nao disponivel', 'nao aplicavel', 'nao informado', 'sem dados', 'nenhum', 'vazio'],
    ...['b/d', 'bd', 'brak', 'brak danych', 'nie dotyczy', 'nd', 'puste'],
  ].map((word) => word.replace(/ /g, '')),
)
const MAX_LENGTH = 24

export function isMissingWord(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const word = cleanText(text)
  return DASHES.test(word) || WORDS.has(withoutAccents(word.toLowerCase()).replace(/[\s.()<>[\]]/g, ''))
}

export const isDash = (text: string): boolean => DASHES.test(cleanText(text))
