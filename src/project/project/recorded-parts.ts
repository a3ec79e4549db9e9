import { isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import { editYaml, parseYaml, removeFromYamlMap, setInYamlMap, toYaml } from '../../kubernetes/yaml/index.ts';
import { LAYOUT_KEY, layout } from './layout.ts';

/** Hashes of the parts of a generated file by their keys. */
type PartHashes = Readonly<Record<string, string>>;

const place = ['plugins', LAYOUT_KEY, 'parts'] as const;

/**
 * Returns the hashes of the parts of a generated file that {@link recordParts} has recorded in PROJECT. They distinguish parts that the
 * user has edited or removed from parts that are out of date or new.
 * @returns undefined if the file was never generated
 */
export function recordedParts(text: string, file: string): PartHashes | undefined {
  const found = place.reduce<unknown>(
    (value, key) => jsonMapOf(value)[key],
    parseYaml(text, layout.projectFile).value,
  );
  const hashes = jsonMapOf(found)[file];
  if (!isJsonMap(hashes)) return undefined;
  return Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [key, String(hash)]));
}

/**
 * Records the hashes of the parts of a generated file in the text of PROJECT, in place of the former ones.
 * @throws OpSdkError `project/cannot-edit` with the text to write by hand
 */
export function recordParts(text: string, file: string, hashes: PartHashes): string {
  const former = Object.keys(recordedParts(text, file) ?? {});
  const byHand = toYaml({ plugins: { [LAYOUT_KEY]: { parts: { [file]: hashes } } } });
  return editYaml(layout.projectFile, byHand, () => {
    const set = setInYamlMap(text, [...place, file], hashes);
    return former
      .filter((key) => !Object.hasOwn(hashes, key))
      .reduce((rest, key) => removeFromYamlMap(rest, [...place, file], key), set);
  });
}

/** Returns the paths of the files whose parts PROJECT records. */
export function filesWithParts(text: string): readonly string[] {
  const found = place.reduce<unknown>(
    (value, key) => jsonMapOf(value)[key],
    parseYaml(text, layout.projectFile).value,
  );
  return Object.keys(jsonMapOf(found));
}
