import type { SheetRef } from '../records/index.ts'

/** The sheet that a reference field refers to, if it has the field `key`. `ref` can have the workbook before its slug. */
export async function findLinkTarget(
  sheet: SheetRef,
  { ref, key }: { ref: string; key: string },
): Promise<SheetRef | undefined> {
  const target = await sheet.findLinkedSheet?.(ref.slice(ref.lastIndexOf('/') + 1))
  return target?.fields.some((field) => field.key === key) ? target : undefined
}
