/** The editor of a cell whose value is one of some: a list to choose from. */
import { type GridCell, GridCellKind, type ProvideEditorCallback } from '@glideapps/glide-data-grid'

type Editor = ReturnType<ProvideEditorCallback<GridCell>>

/** None where the value is not one of some. */
export function optionEditor(
  content: GridCell,
  options: { value: string; label: string }[] | undefined,
  label: string,
): Editor {
  if (!options || content.kind !== GridCellKind.Text || content.readonly) return undefined
  return ({ value, onFinishedEditing }) => {
    const cell = value as typeof content
    return (
      <select
        // biome-ignore lint/a11y/noAutofocus: it stands where the focus was
        autoFocus
        className="cell-select"
        aria-label={label}
        value={cell.data}
        onChange={(event) => onFinishedEditing({ ...cell, data: event.target.value, displayData: event.target.value })}
      >
        <option value="" />
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    )
  }
}
