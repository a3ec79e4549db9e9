/** Limits that no real project comes near; beyond them a build is refused before it exhausts the memory. */
export const limits = {
  /** Bytes of one file. */
  fileBytes: 8 * 1024 * 1024,
  /** Values that may be in one file, by {@link countMarks}: the parser needs about a kilobyte for each. */
  fileMarks: 150_000,
  /** The same for all files together. */
  totalMarks: 200_000,
  /** Bytes of everything that generators make, each use counted. An object that Kubernetes stores has a million at most. */
  generatedBytes: 64 * 1024 * 1024,
  /** Fields that one configuration, or one file of schemas, names. */
  fieldSpecs: 2_000,
  /** JSON values of all resources, each use of a file counted. */
  values: 1_000_000,
  /** Folders, each use counted. */
  folders: 10_000,
  /** Folders within folders. */
  depth: 200,
} as const;

/** Counts line breaks, commas and opening brackets of a text: hardly fewer than its YAML has values. */
export function countMarks(text: string): number {
  let marks = 0;
  for (const _mark of text.matchAll(/[\n,[{]/g)) marks++;
  return marks;
}
