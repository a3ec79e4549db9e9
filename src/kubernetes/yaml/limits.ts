import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Finding, OpSdkError } from '../../base/errors/index.ts';
import { errnoText } from '../../base/util/fs.ts';
import { mostYamlLevels } from './read-yaml.ts';

/**
 * Limits for other people's YAML that one command reads, all files together: several times what the largest bundles hold (126,000 values), and
 * little enough to be read within a few seconds and 300 MB of memory, whatever it is.
 */
export const yamlLimits = {
  /** Bytes of UTF-8. */
  bytes: 20 * 1024 * 1024,
  lines: 1_000_000,
  /** Characters written as escapes in quoted text. */
  escapes: 1_000_000,
  /** Scalars, lists and mappings, aliases written out. */
  values: 500_000,
  /** Values of a bundle: more than fit into the ConfigMap in which OLM unpacks it, as dense as manifests are. */
  valuesOfBundle: 250_000,
  /** Values of one object of a bundle, where rules may find something in each: five times what the largest one of catalogues holds. */
  valuesOfObject: 60_000,
  /** Lists and mappings inside of each other. */
  levels: mostYamlLevels,
  /** Findings of one file: more than people would read. */
  findings: 100,
} as const;

type YamlLimit = keyof typeof yamlLimits;
type Spendable = Exclude<YamlLimit, 'valuesOfBundle' | 'valuesOfObject' | 'levels' | 'findings'>;

/** The amount that may still be read. Readers of several files pass one budget from file to file. */
export class YamlBudget {
  readonly #left: Record<Spendable, number> = { ...yamlLimits };
  readonly #most: Record<Spendable, number>;

  constructor(limits: { readonly values?: number } = {}) {
    Object.assign(this.#left, limits);
    this.#most = { ...this.#left };
  }

  /** Returns the amount that is left. */
  left(limit: 'bytes' | 'values'): number {
    return this.#left[limit];
  }

  /**
   * Spends what a text costs by its mere length.
   * @throws OpSdkError `io/too-large`
   */
  spendText(text: string, file: string): void {
    this.spend('bytes', Buffer.byteLength(text), { file });
    const lines = 1 + countOf(text, '\n') + countOf(text, '\r');
    const escapes = countOf(text, '\\') + countOf(text, "''");
    this.spend('lines', lines, { file });
    this.spend('escapes', escapes, { file });
  }

  /** @throws OpSdkError `io/too-large` */
  spend(limit: Spendable, amount: number, where: NonNullable<Finding['where']>): void {
    this.#left[limit] -= amount;
    if (this.#left[limit] < 0) throw new OpSdkError(this.exceeded(limit, where));
  }

  /** The finding for what is over a limit of this budget. */
  exceeded(limit: Spendable, where: NonNullable<Finding['where']>): Finding {
    return tooLargeYaml(limit, where, this.#most[limit]);
  }
}

/** Counts how often a text contains another one, overlapping or not. The engine searches several times as fast as a loop over the characters. */
function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** As `plainValues` counts. */
const ofText = 'each 64 characters of a text counted as one';
const split =
  'split the input into smaller files, and if the command reads them all together, run it for each';

/** Said only when a limit is exceeded: writing a number the way people read it loads the tables of all languages, 15 ms of each start. */
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

/** The finding for input that is over a limit. */
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
 * The text of a stream, which is left as soon as more has come than is read.
 *
 * @param file the name that findings give; `-` for standard input
 * @throws OpSdkError `io/too-large`, `io/cannot-read` for text that is not in UTF-8
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
  // Decoded, it would hold other characters than the file, and nobody would know.
  if (isUtf8(text)) return text.toString('utf8');
  const message = `cannot read ${file}: it is binary, or not in UTF-8`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['save it as UTF-8'] });
}

/**
 * The text of a file, read up to a limit, whatever the file is.
 *
 * @param path absolute
 * @param file the name that findings give
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
 * The text of a file that nobody named: a pipe, for which a reader would wait without end, and a device are refused.
 *
 * @param path absolute
 * @param file the name that findings give
 * @throws OpSdkError `io/cannot-read`, `io/too-large`
 */
export async function readRegularYamlFile(path: string, file: string, mostBytes?: number): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined || entry.isFile()) return await readYamlFile(path, file, mostBytes);
  const message = `cannot read ${file}: it is not a regular file`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['write the file itself'] });
}
