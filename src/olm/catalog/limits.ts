/**
 * Limits for reading a catalogue: several times what the largest ones of operator-framework hold, and little enough to be read within
 * 300 MB of memory.
 */
export const catalogLimits = {
  /** Bytes of all files. */
  bytes: 256 * 1024 * 1024,
  /** Bytes of one document. */
  documentBytes: 8 * 1024 * 1024,
  /** Scalars, lists and mappings of one document. */
  documentValues: 100_000,
  /** Values of all documents in YAML, which is read far more slowly than JSON. */
  values: 4_000_000,
  documents: 50_000,
  files: 20_000,
  /** Entries of all channels. */
  entries: 50_000,
  /** Entries of one channel; they are compared with one another. */
  channelEntries: 2000,
} as const;
