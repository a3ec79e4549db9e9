import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  parseKubernetesYaml,
  YamlBudget,
  type DocumentBytes,
  tooLargeYaml,
} from '../../../kubernetes/yaml/index.ts';
import { catalogLimits, type DocumentSource } from '../types.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';

/** Counter for the values that may still be read from the YAML documents of a catalogue. */
export interface ValueBudget {
  left: number;
}

/**
 * Parses one document of a catalogue; an empty document yields an empty list. JSON, the format that opm writes, is parsed by the JavaScript
 * engine, because that is many times faster than the YAML parser.
 * @param exact true to refuse integers that JavaScript cannot represent; otherwise they lose digits
 * @throws OpSdkError `io/yaml-syntax`, `io/yaml-not-json`, `io/too-large`, `io/cannot-read`
 */
export function parseDocument(
  { bytes, line }: DocumentBytes,
  file: string,
  { budget, exact }: { readonly budget: ValueBudget; readonly exact: boolean },
): readonly unknown[] {
  if (!isUtf8(bytes)) {
    const message = `cannot read ${file}: it is binary, or not in UTF-8`;
    throw new OpSdkError({
      code: 'io/cannot-read',
      message,
      where: { file, line },
      fix: ['save it as UTF-8'],
    });
  }
  const text = bytes.toString('utf8');
  const json = jsonOf(text, bytes, { file, line }, exact);
  if (json !== undefined) return [json.value];
  const most = Math.min(catalogLimits.documentValues, budget.left);
  const own = new YamlBudget({ values: most });
  try {
    return parseKubernetesYaml(text, file, { budget: own, roundIntegers: !exact }).map(({ value }) => value);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    throw new OpSdkError(
      error.findings.map((finding) => below(finding, line)),
      { cause: error },
    );
  } finally {
    budget.left -= most - Math.max(0, own.left('values'));
  }
}

function jsonOf(
  text: string,
  bytes: Buffer,
  where: { readonly file: string; readonly line: number },
  exact: boolean,
): { readonly value: unknown } | undefined {
  if (!/^\uFEFF?\s*(?:---\s+)?\{/.test(text)) return undefined;
  if (valuesIn(bytes) > catalogLimits.documentValues)
    throw new OpSdkError(tooLargeYaml('values', { ...where, column: 1 }, catalogLimits.documentValues));
  if (exact && /[:,[\s]-?\d{16}/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF?\s*(?:---\s+)?/, '')) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A text that is not JSON may still be YAML. If it is not YAML either, the YAML parser reports the position of the error.
    return undefined;
  }
}

const [quote, backslash, comma, colon, list, map] = [34, 92, 44, 58, 91, 123];

/**
 * Estimates the number of values in a JSON text. The estimate is made before the text is parsed, because values take far more memory than
 * the text.
 */
function valuesIn(bytes: Buffer): number {
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === colon || byte === list || byte === map) values++;
  }
  return values;
}

/** Makes the line number of a finding count from the start of the file instead of the start of the document. */
function below(finding: Finding, line: number): Finding {
  const { where } = finding;
  if (where === undefined || !('file' in where)) return finding;
  return { ...finding, where: { ...where, line: (where.line ?? 1) + line - 1 } };
}

/**
 * Reads the text of a document from its file a second time.
 * @throws OpSdkError `io/cannot-read`
 */
export async function documentText({ path, file, start, length }: DocumentSource): Promise<string> {
  try {
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  }
}

/** A property of a bundle, with a type and a value. */
export interface BundleProperty {
  readonly type?: string;
  readonly value?: unknown;
}

/** Package and version of a bundle, from its property `olm.package`. */
interface PackageProperty {
  readonly packageName: string;
  readonly version: string;
  readonly release: string;
}

/** Returns the value of the property `olm.package` of a bundle; undefined unless the bundle has exactly one such property. */
export function packageProperty(properties: readonly BundleProperty[]): PackageProperty | undefined {
  const [only, second] = properties.filter(({ type }) => type === 'olm.package');
  if (only === undefined || second !== undefined) return undefined;
  const value = jsonMapOf(only.value);
  return {
    packageName: jsonTextOf(value['packageName']),
    version: jsonTextOf(value['version']),
    release: jsonTextOf(value['release']),
  };
}
