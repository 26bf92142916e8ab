export const ZIP_SIGNATURE = 'PK\x03\x04'
export const COMPOUND_FILE_SIGNATURE = '\xd0\xcf\x11\xe0'
