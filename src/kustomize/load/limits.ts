/** What no real project comes near; beyond it a build is refused before it exhausts the memory. */
export const limits = {
  /** Bytes of one file. */
  fileBytes: 4 * 1024 * 1024,
  /** Bytes of all files. */
  totalBytes: 16 * 1024 * 1024,
  /** JSON values of all resources, each use of a file counted. */
  values: 1_000_000,
  /** Folders, each use counted. */
  folders: 10_000,
  /** Folders within folders. */
  depth: 200,
} as const;
