import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import {
  editYaml,
  parseYaml,
  removeFromYamlMap,
  replaceInYamlMap,
  setInYamlMap,
  toYaml,
} from '../../kubernetes/yaml/index.ts';
import { mergeText, type TextVersions } from '../scaffold/index.ts';

/** Values after a merge. */
export interface MergedValues {
  readonly text: string;
  /** Paths of values that both the user and op-sdk have changed. The user's values are kept. */
  readonly kept: readonly string[];
}

/**
 * Merges the user's edits of values.yaml with the newly generated file. Values that the user has changed are kept, and so are comments and
 * order.
 *
 * @param file path for errors
 * @throws OpSdkError `project/cannot-edit` if a value has to be set by hand; the errors of `parseYaml`
 */
export function mergeValues(file: string, versions: TextVersions): MergedValues {
  const edited = mapOf(versions.edited, file);
  const merge = new Merge();
  const wanted = merge.of(mapOf(versions.base, file), edited, mapOf(versions.generated, file));
  // The merge of lines adds new values with their comments. If its result differs from the merge of values, the latter takes precedence.
  const lines = mergeText(versions);
  if (lines.conflicts === 0 && isDeepStrictEqual(valueOf(lines.text), wanted))
    return { text: lines.text, kept: merge.kept };
  const text = editYaml(file, toYaml(wanted), () => spliced(versions.edited, [], edited, wanted));
  return { text, kept: merge.kept };
}

class Merge {
  readonly kept: string[] = [];

  of(base: JsonMap, edited: JsonMap, generated: JsonMap, path: readonly string[] = []): JsonMap {
    const names = [...new Set([...Object.keys(edited), ...Object.keys(generated)])];
    const entries = names.map((name) => {
      const value = this.#value(base[name], edited[name], generated[name], [...path, name]);
      return [name, value] as const;
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  /** Merges one value. Undefined stands for an absent value. */
  #value(base: unknown, edited: unknown, generated: unknown, path: readonly string[]): unknown {
    if (isDeepStrictEqual(edited, generated) || isDeepStrictEqual(base, generated)) return edited;
    if (isDeepStrictEqual(base, edited)) return generated;
    if (isJsonMap(edited) && isJsonMap(generated))
      return this.of(isJsonMap(base) ? base : {}, edited, generated, path);
    this.kept.push(path.join('.'));
    return edited;
  }
}

function spliced(text: string, path: readonly string[], before: JsonMap, after: JsonMap): string {
  let result = text;
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) result = removeFromYamlMap(result, path, name);
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (isDeepStrictEqual(former, value)) continue;
    const isCollection = typeof former === 'object' || typeof value === 'object';
    if (
      isJsonMap(former) &&
      isJsonMap(value) &&
      Object.keys(former).some((each) => Object.hasOwn(value, each))
    )
      result = spliced(result, [...path, name], former, value);
    else if (Object.hasOwn(before, name) && former !== null && isCollection)
      result = replaceInYamlMap(result, path, name, value);
    else result = setInYamlMap(result, path, { [name]: value });
  }
  return result;
}

function mapOf(text: string, file: string): JsonMap {
  return jsonMapOf(parseYaml(text, file).value);
}

function valueOf(text: string): unknown {
  try {
    return parseYaml(text, '').value;
  } catch {
    // The merged lines may be invalid YAML.
    return undefined;
  }
}
