/** The comments of an XLSX sheet: texts, and the shapes that show them (ECMA-376 part 1, 18.7, and part 4, 19). */
import { MAX_COMMENTS_PER_SHEET } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { toColumnLetters } from '../../column-letters.ts'
import { MAX_CELL_CHARACTERS } from './sheet.ts'
import { escapeCellText, MAIN } from './xlsx-parts.ts'
import { XML_HEADER } from './xml.ts'

const MAX_COMMENT_CHARACTERS_PER_SHEET = 32 * 1024 * 1024
const COMMENTS_PER_PIECE = 1000

interface Comment {
  row: number
  column: number
  text: string
}

export class Comments {
  readonly #sheet: string
  readonly #comments: Comment[] = []
  #characters = 0

  constructor(sheet: string) {
    this.#sheet = sheet
  }

  get count(): number {
    return this.#comments.length
  }

  add(row: number, column: number, text: string): void {
    if (text === '') return
    this.#comments.push({ row, column, text: text.slice(0, MAX_CELL_CHARACTERS) })
    this.#characters += text.length
    if (this.count > MAX_COMMENTS_PER_SHEET || this.#characters > MAX_COMMENT_CHARACTERS_PER_SHEET)
      throw unprocessable(message('files.tooManyComments', { sheet: this.#sheet, count: MAX_COMMENTS_PER_SHEET }))
  }

  async *writeTexts(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${XML_HEADER}<comments xmlns="${MAIN}"><authors><author>Wharf</author></authors><commentList>`)
    yield* this.#writePieces(
      ({ row, column, text }) =>
        `<comment ref="${toColumnLetters(column)}${row}" authorId="0"><text><t xml:space="preserve">${escapeCellText(text)}</t></text></comment>`,
    )
    yield Buffer.from('</commentList></comments>')
  }

  /** @param firstBlock of 1024 shape ids, unique in the workbook */
  async *writeShapes(firstBlock: number): AsyncGenerator<Buffer> {
    yield Buffer.from(buildShapesStart(firstBlock, countIdBlocks(this.count)))
    yield* this.#writePieces(({ row, column }, at) => buildShape(firstBlock * IDS_PER_BLOCK + at + 1, row, column))
    yield Buffer.from('</xml>')
  }

  async *#writePieces(build: (comment: Comment, at: number) => string): AsyncGenerator<Buffer> {
    this.#comments.sort((a, b) => a.row - b.row || a.column - b.column)
    for (let at = 0; at < this.count; at += COMMENTS_PER_PIECE)
      yield Buffer.from(
        this.#comments
          .slice(at, at + COMMENTS_PER_PIECE)
          .map((comment, i) => build(comment, at + i))
          .join(''),
      )
  }
}

const IDS_PER_BLOCK = 1024
export const countIdBlocks = (comments: number): number => Math.floor(comments / IDS_PER_BLOCK) + 1

function buildShapesStart(firstBlock: number, blocks: number): string {
  const ids = Array.from({ length: blocks }, (_, i) => firstBlock + i).join(',')
  const vml = 'urn:schemas-microsoft-com:vml'
  const office = 'urn:schemas-microsoft-com:office'
  return `<xml xmlns:v="${vml}" xmlns:o="${office}:office" xmlns:x="${office}:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${ids}"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`
}

function buildShape(id: number, row: number, column: number): string {
  const style = 'position:absolute;margin-left:59.25pt;margin-top:1.5pt;width:180pt;height:60pt;visibility:hidden'
  // Left, top, right and bottom as column or row and pixels, from 0.
  const anchor = [column + 1, 15, Math.max(0, row - 2), 2, column + 4, 15, row + 2, 4].join(',')
  return `<v:shape id="_x0000_s${id}" type="#_x0000_t202" style="${style}" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
}
