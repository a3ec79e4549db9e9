import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type Finding, OpSdkError } from '../../base/errors/index.ts';
import { errnoText, statsAt } from '../../base/util/fs.ts';
import { mostYamlLevels } from './read-yaml.ts';

/**
 * Limits for the YAML of other tools that one command reads, in all files together. The limits are several times the size of the largest
 * bundles (126,000 values). They are small enough that reading the input never takes more than a few seconds and 300 MB of memory.
 */
export const yamlLimits = {
  /** Maximum size of the input in bytes of UTF-8. */
  bytes: 20 * 1024 * 1024,
  lines: 1_000_000,
  /** Maximum number of characters in quoted text that are written as escapes. */
  escapes: 1_000_000,
  /** Maximum number of values (scalars, lists and mappings), counted after aliases are expanded. */
  values: 500_000,
  /**
   * Maximum number of values of a bundle. A bundle of average manifests with more values does not fit into the ConfigMap in which OLM
   * unpacks the bundle.
   */
  valuesOfBundle: 250_000,
  /**
   * Maximum number of values of one object of a bundle. It is limited because a rule may report each value. The limit is five times the
   * number of values of the largest object in the known catalogues.
   */
  valuesOfObject: 60_000,
  /** Maximum number of nested lists and mappings. */
  levels: mostYamlLevels,
  /** Maximum number of findings for one file, which is more than people would read. */
  findings: 100,
} as const;

type YamlLimit = keyof typeof yamlLimits;
type Spendable = Exclude<YamlLimit, 'valuesOfBundle' | 'valuesOfObject' | 'levels' | 'findings'>;

/** The amount of input that a command may still read. A command that reads several files uses one budget for all files. */
export class YamlBudget {
  readonly #left: Record<Spendable, number> = { ...yamlLimits };
  readonly #most: Record<Spendable, number>;

  constructor(limits: { readonly values?: number } = {}) {
    Object.assign(this.#left, limits);
    this.#most = { ...this.#left };
  }

  /** Returns the amount of input that may still be read under a limit. */
  left(limit: 'bytes' | 'values'): number {
    return this.#left[limit];
  }

  /**
   * Subtracts the costs that follow from the text alone, before parsing: bytes, lines and escapes.
   * @throws OpSdkError `io/too-large` if a limit is exceeded
   */
  spendText(text: string, file: string): void {
    this.spend('bytes', Buffer.byteLength(text), { file });
    const lines = 1 + countOf(text, '\n') + countOf(text, '\r');
    const escapes = countOf(text, '\\') + countOf(text, "''");
    this.spend('lines', lines, { file });
    this.spend('escapes', escapes, { file });
  }

  /**
   * Subtracts an amount from the rest of a limit.
   * @throws OpSdkError `io/too-large` if the limit is exceeded
   */
  spend(limit: Spendable, amount: number, where: NonNullable<Finding['where']>): void {
    this.#left[limit] -= amount;
    if (this.#left[limit] < 0) throw new OpSdkError(this.exceeded(limit, where));
  }

  /** Returns the finding for input that exceeds a limit of this budget. */
  exceeded(limit: Spendable, where: NonNullable<Finding['where']>): Finding {
    return tooLargeYaml(limit, where, this.#most[limit]);
  }
}

/**
 * Returns the number of occurrences of `part` in a text, including overlapping ones. Uses `indexOf`, which is several times as fast as a
 * loop over the characters.
 */
function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** Describes to users how the function `plainValues` counts a long text as several values. */
const ofText = 'each 64 characters of a text counted as one';
const split =
  'split the input into smaller files, and if the command reads them all together, run it for each';

/**
 * Descriptions of the limits for messages. Created only when a limit is exceeded, because formatting numbers for people loads the tables of
 * all languages, which would add 15 ms to each start of op-sdk.
 */
const words: Readonly<
  Record<Exclude<YamlLimit, 'valuesOfBundle'>, readonly [what: (most: number) => string, fix: string]>
> = {
  bytes: [() => `more than ${yamlLimits.bytes / 1024 / 1024} MiB of YAML`, split],
  lines: [() => `more than ${count(yamlLimits.lines)} lines of YAML`, split],
  escapes: [() => `more than ${count(yamlLimits.escapes)} escapes in quoted text`, split],
  values: [(most) => `more than ${count(most)} values, ${ofText}`, split],
  valuesOfObject: [
    () => `more than ${count(yamlLimits.valuesOfObject)} values in one object, ${ofText}`,
    'remove what the object does not need',
  ],
  levels: [() => `values nested more than ${yamlLimits.levels} levels deep`, 'flatten the document'],
  findings: [
    () => `more than ${yamlLimits.findings} errors; what follows was not looked at`,
    'correct what is listed, and run the command again',
  ],
};

/** Returns the finding for input that exceeds a limit. */
export function tooLargeYaml(
  limit: keyof typeof words,
  where: NonNullable<Finding['where']>,
  most: number = yamlLimits[limit],
): Finding {
  const [what, fix] = words[limit];
  return { code: 'io/too-large', message: `the input is too large: ${what(most)}`, where, fix: [fix] };
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

/**
 * Reads a stream and returns its text. Stops reading when the maximum size is exceeded.
 *
 * @param file the name shown in findings; `-` for standard input
 * @throws OpSdkError `io/too-large`, `io/cannot-read` for text that is not UTF-8
 */
export async function readYamlStream(
  chunks: AsyncIterable<Uint8Array | string>,
  file: string,
  mostBytes: number = yamlLimits.bytes,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > mostBytes) throw new OpSdkError(tooLargeYaml('bytes', { file }));
    parts.push(bytes);
  }
  const text = Buffer.concat(parts);
  // Invalid UTF-8 is refused, because decoding would silently replace invalid characters.
  if (isUtf8(text)) return text.toString('utf8');
  const message = `cannot read ${file}: it is binary, or not in UTF-8`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['save it as UTF-8'] });
}

/**
 * Reads a file of any type (also a device or a pipe) up to a maximum size, and returns its text.
 *
 * @param path the absolute path of the file
 * @param file the name shown in findings
 * @throws OpSdkError `io/cannot-read`, `io/too-large`
 */
export async function readYamlFile(
  path: string,
  file: string,
  mostBytes: number = yamlLimits.bytes,
): Promise<string> {
  try {
    return await readYamlStream(createReadStream(path), file, mostBytes);
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  }
}

/**
 * Reads a file whose path the user did not give, and returns its text. Refuses devices and pipes, because reading a pipe could block
 * forever.
 *
 * @param path the absolute path of the file
 * @param file the name shown in findings
 * @throws OpSdkError `io/cannot-read`, `io/too-large`
 */
export async function readRegularYamlFile(path: string, file: string, mostBytes?: number): Promise<string> {
  const entry = await statsAt(path);
  if (entry === undefined || entry.isFile()) return await readYamlFile(path, file, mostBytes);
  const message = `cannot read ${file}: it is not a regular file`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['write the file itself'] });
}
