/** A file as a listing shows it. */
export interface ListedFile {
  readonly key: string;
  /** Milliseconds since 1970 at which it was put. */
  readonly modifiedAt: number;
}

/** Place where the files of backups are kept, by keys such as `prod/orders/nightly/nightly-29384100/manifest.json`. */
export interface ObjectStore {
  /** Puts a file, and replaces one of the same key. It appears whole or not at all. */
  put(key: string, content: Buffer): Promise<void>;
  /** Returns undefined if the file does not exist. */
  get(key: string): Promise<Buffer | undefined>;
  /** Lists the files whose keys begin with a prefix, in the order of their keys. */
  list(prefix: string): Promise<readonly ListedFile[]>;
  /** Deletes a file. One that does not exist is not an error. */
  delete(key: string): Promise<void>;
}
