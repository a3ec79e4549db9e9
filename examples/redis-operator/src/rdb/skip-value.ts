import type { RdbReader } from './rdb-reader.ts';

type Skip = (reader: RdbReader) => void;

const string: Skip = (reader) => reader.skipString();

/** Skips items that a length precedes. */
const times =
  (...items: readonly Skip[]): Skip =>
  (reader) => {
    for (let left = reader.length(); left > 0; left--) for (const item of items) item(reader);
  };
const bytes =
  (count: number): Skip =>
  (reader) =>
    reader.skip(count);
const lengths =
  (count: number): Skip =>
  (reader) => {
    for (let left = count; left > 0; left--) reader.length();
  };
/** Number as text of its own form: three of its lengths are no number and the two infinities. */
const score: Skip = (reader) => {
  const size = reader.byte();
  if (size < 253) reader.skip(size);
};

/** Skips a stream. @param form 1 to 3: later ones have more fields */
const stream =
  (form: number): Skip =>
  (reader) => {
    times(string, string)(reader); // nodes with their entries
    lengths(3)(reader); // number of entries, last ID
    if (form >= 2) lengths(5)(reader); // first ID, last deleted ID, number of entries ever added
    times((group) => {
      string(group);
      lengths(form >= 2 ? 3 : 2)(group); // last delivered ID, number of entries read
      times(bytes(16 + 8), lengths(1))(group); // pending: ID, time of delivery, number of deliveries
      times((consumer) => {
        string(consumer);
        consumer.skip(form >= 3 ? 16 : 8); // times at which it was seen and active
        times(bytes(16))(consumer);
      })(group);
    })(reader);
  };

/** How the values of each type are written. Types of modules are not here: only their modules can read them. */
const types: Readonly<Record<number, Skip>> = {
  0: string,
  1: times(string), // list
  2: times(string), // set
  3: times(string, score), // sorted set
  4: times(string, string), // hash
  5: times(string, bytes(8)), // sorted set
  9: string, // hash as a zipmap
  10: string, // list as a ziplist
  11: string, // set of integers
  12: string, // sorted set as a ziplist
  13: string, // hash as a ziplist
  14: times(string), // list as a quicklist
  15: stream(1),
  16: string, // hash as a listpack
  17: string, // sorted set as a listpack
  18: times(lengths(1), string), // list as a quicklist
  19: stream(2),
  20: string, // set as a listpack
  21: stream(3),
  24: (reader) => {
    reader.skip(8); // first expiry
    times(lengths(1), string, string)(reader); // hash whose fields expire
  },
  25: (reader) => {
    reader.skip(8);
    reader.skipString(); // the same as a listpack
  },
};

/**
 * Skips the value of a key.
 * @throws Error for types that are unknown, also those of modules
 * @see https://github.com/redis/redis/blob/7.0/src/rdb.c rdbLoadObject
 */
export function skipValue(type: number, reader: RdbReader): void {
  const skip = types[type];
  if (skip === undefined)
    throw new Error(
      type === 6 || type === 7
        ? 'RDB: values of modules are not supported'
        : `RDB: expected a known type of value, got ${type}`,
    );
  skip(reader);
}
