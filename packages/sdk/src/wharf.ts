import { Domains } from './domains.generated.ts'
import { type ImportOptions, type ImportResult, importFile, type UploadedFile } from './import-file.ts'
import type { UploadInput } from './upload-source.ts'

/** A client of all domains. For a small bundle, pass a `Client` to the classes of single domains instead. */
export class Wharf extends Domains {
  /**
   * Imports a file into a sheet: uploads and extracts it, maps its columns as suggested, and adds the records.
   * @throws OpenQuestions if a column can be read in several ways and `decide` does not choose
   */
  importFile(input: UploadInput | UploadedFile, options: ImportOptions): Promise<ImportResult> {
    return importFile(this, input, options)
  }
}
