interface TableLocation {
  environmentId: string
  sheetId: string
}

export const formatTablePrefix = ({ environmentId, sheetId }: TableLocation): string =>
  `tables/${environmentId}/${sheetId}/`
