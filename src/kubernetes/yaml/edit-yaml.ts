import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml';
import { OpSdkError, type Where, isOpSdkError } from '../../base/errors/index.ts';
import { lineBreakOf } from '../../base/util/line-break.ts';
import { YamlSpliceError, addToYamlList } from './splice.ts';
import { toYaml } from './to-yaml.ts';
import { parseYaml } from './read-yaml.ts';

/**
 * Runs `edit`, which changes the YAML file `file`. If `edit` fails, reports that the file cannot be edited.
 * @param byHand lines that the user is asked to add by hand if `edit` fails
 * @throws OpSdkError `project/cannot-edit` if `edit` fails
 */
export function editYaml<T extends string | undefined>(file: string, byHand: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof YamlSpliceError)) throw error;
    throw new OpSdkError(
      {
        code: 'project/cannot-edit',
        message: `${file} cannot be edited: ${error.message}`,
        where: { file },
        fix: [`mend the file, or add this by hand:\n${byHand.trimEnd()}`],
      },
      { cause: error },
    );
  }
}

/**
 * Replaces the items of the list at `path`. Everything around the list is kept byte for byte, but comments inside the list are lost. The
 * list is created if it is absent. If the new items equal the present ones, the text is not changed.
 * @throws YamlSpliceError if the value at `path` is not a list
 */
export function replaceYamlList(text: string, path: readonly string[], items: readonly unknown[]): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new YamlSpliceError(error.message, { cause: error });
  const node = find(document.contents, path);
  if (node === undefined || (isScalar(node) && node.value === null))
    return items.reduce<string>((result, item) => addToYamlList(result, path, item), text);
  if (!isSeq(node)) throw new YamlSpliceError(`${path.join('.')} is not a list`);
  const root = document.toJS() as unknown;
  const present = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
  if (isDeepStrictEqual(present, items)) return text;

  const [start, end] = node.range;
  let edited: string;
  if (node.flow === true) {
    edited = text.slice(0, start) + JSON.stringify(items) + text.slice(end);
  } else {
    const line = text.lastIndexOf('\n', start - 1) + 1;
    const indent = ' '.repeat(start - line);
    const lines = toYaml(items)
      .trimEnd()
      .split('\n')
      .map((written) => (written === '' ? written : indent + written));
    const eol = lineBreakOf(text);
    const isWhole = text[end - 1] === '\n';
    edited = text.slice(0, line) + lines.join(eol) + (isWhole ? eol : '') + text.slice(end);
  }
  const result = parseDocument(edited);
  if (result.errors.length > 0 || !isDeepStrictEqual(result.toJS(), withList(root, path, items)))
    throw new YamlSpliceError('the edit would also change other parts of the file');
  return edited;
}

function find(root: ParsedNode | null, path: readonly string[]): ParsedNode | undefined {
  let node: ParsedNode | null | undefined = root;
  for (const key of path) {
    node = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value
      : undefined;
  }
  return node ?? undefined;
}

function withList(value: unknown, [key, ...rest]: readonly string[], items: readonly unknown[]): unknown {
  if (key === undefined) return items;
  const map = value as Record<string, unknown>;
  return { ...map, [key]: withList(map[key], rest, items) };
}

/**
 * Returns the position (file and line) of the value at a path in a JSON file.
 * @param file the name shown in findings
 */
export function placeInJson(text: string, file: string, path: readonly (string | number)[]): Where {
  try {
    return parseYaml(text, file).locate(path);
  } catch (error) {
    // JSON that YAML tools would read differently is refused, so its positions are unknown. The result then names only the file, and the
    // message contains the path.
    if (isOpSdkError(error)) return { file };
    throw error;
  }
}
