/** The meanings of error codes of file operations. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EEXIST: 'it was created in the meantime',
  ENOTEMPTY: 'the folder was created in the meantime',
}

/** Explains why a file operation failed. */
export function explainFileError(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  return MEANINGS[code] ?? code
}
