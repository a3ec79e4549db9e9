import type { FindingList, Where } from '../../../base/errors/index.ts';
import { bool, integer, list, mapped, object, string } from '../../../base/util/json-reader.ts';
import { invalid, placeInside, type JsonReader } from '../../../base/util/read-json.ts';
import type { ReplacementEntry } from '../entries.ts';
import { readChecked, optionalText, type Locate } from '../load/kustomization.ts';
import { parseSelector, type Selector, type SelectorFields } from '../select/selector.ts';
import { FieldPathError, parseFieldPath, type PathStep } from './find-slots.ts';

/** Path of a field, and the source location where the path is written. */
export interface PlacedPath {
  readonly steps: readonly PathStep[];
  readonly text: string;
  readonly where: Where;
}

/** Selects one part of a text that is split at a delimiter. */
export interface Part {
  readonly delimiter: string;
  readonly index: number;
}

export interface SourceSelector {
  readonly id: Pick<SelectorFields, 'group' | 'version' | 'kind' | 'name' | 'namespace'>;
  readonly path: PlacedPath;
  readonly part: Part | undefined;
  readonly where: Where;
}

export interface TargetSelector {
  readonly select: Selector;
  readonly reject: readonly { readonly fields: SelectorFields; readonly selector: Selector }[];
  readonly paths: readonly PlacedPath[];
  readonly part: Part | undefined;
  readonly create: boolean;
  readonly where: Where;
}

export interface Replacement {
  /** The source of the value: a constant text, or a selector of a field. */
  readonly source: { readonly text: string } | SourceSelector;
  readonly targets: readonly TargetSelector[];
}

const idFields = {
  group: optionalText,
  version: optionalText,
  kind: optionalText,
  name: optionalText,
  namespace: optionalText,
};
const selectorFields = { ...idFields, labelSelector: optionalText, annotationSelector: optionalText };
const defaultPath = 'metadata.name';

/** Reads and checks an entry of `replacements`. Returns undefined if the entry is invalid. Problems are reported as findings. */
export function readReplacement(entry: ReplacementEntry, findings: FindingList): Replacement | undefined {
  const before = findings.all.length;
  const locate: Locate = (path) => (path.length === 0 ? entry.where : entry.locate(path));
  const read = readChecked(replacementReader(locate), entry.value, 'the replacement', locate, findings);
  return findings.all.length > before ? undefined : read;
}

function replacementReader(locate: Locate): JsonReader<Replacement> {
  const fields = object({
    source: sourceReader(locate),
    sourceValue: string,
    targets: list(targetReader(locate)),
    path: optionalText,
  });
  return mapped(fields, ({ source, sourceValue, targets = [] }, place, value) => {
    const { source: givenSource, sourceValue: givenText, targets: givenTargets } = value as EntryFields;
    const isGiven = (part: unknown): boolean => part !== undefined && part !== null;
    if (isGiven(givenText) && isGiven(givenSource))
      invalid(
        placeInside(place, 'sourceValue'),
        'source and sourceValue exclude each other',
        'remove one of them',
      );
    if (!isGiven(givenText) && !isGiven(givenSource))
      invalid(place, 'the source is missing', 'name the resource that has the value');
    if (!isGiven(givenTargets) || (Array.isArray(givenTargets) && givenTargets.length === 0))
      invalid(place, 'the targets are missing', 'name the resources and fields that get the value');
    if (sourceValue !== undefined) return { source: { text: sourceValue }, targets };
    return source && { source, targets };
  });
}

interface EntryFields {
  readonly source?: unknown;
  readonly sourceValue?: unknown;
  readonly targets?: unknown;
}

function sourceReader(locate: Locate): JsonReader<SourceSelector> {
  const fields = object({
    ...idFields,
    fieldPath: pathReader(optionalText, locate),
    options: optionsReader(false),
  });
  return mapped(fields, ({ fieldPath, options, ...id }, { path }) => ({
    id,
    path: fieldPath ?? { steps: parseFieldPath(defaultPath), text: defaultPath, where: locate(path) },
    part: options?.part,
    where: locate(path),
  }));
}

function targetReader(locate: Locate): JsonReader<TargetSelector> {
  const fields = object(
    {
      select: selectorReader,
      reject: list(selectorReader),
      fieldPaths: list(pathReader(string, locate)),
      options: optionsReader(true),
    },
    { required: { select: 'add `select` with the kind and name of the resources' } },
  );
  return mapped(fields, ({ select, reject = [], fieldPaths = [], options }, { path }) => {
    const where = locate(path);
    const byDefault = { steps: parseFieldPath(defaultPath), text: defaultPath, where };
    const { part, create = false } = options ?? {};
    const paths = fieldPaths.length === 0 ? [byDefault] : fieldPaths;
    return select && { select: select.selector, reject, paths, part, create, where };
  });
}

const selectorReader = mapped(object(selectorFields), (fields: SelectorFields, place) => {
  const parsed = parseSelector(fields);
  if (parsed.selector !== undefined) return { fields, selector: parsed.selector };
  for (const { field, message } of parsed.problems) invalid(placeInside(place, field), message, 'correct it');
  return undefined;
});

function pathReader(reader: JsonReader<string>, locate: Locate): JsonReader<PlacedPath> {
  return mapped(reader, (path, place) => {
    try {
      return { steps: parseFieldPath(path), text: path, where: locate(place.path) };
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      return invalid(
        place,
        `invalid field path ${JSON.stringify(path)}: ${error.message}`,
        'correct the path',
      );
    }
  });
}

function optionsReader(
  isTarget: boolean,
): JsonReader<{ readonly part: Part | undefined; readonly create: boolean }> {
  const encoding = mapped(string, (_, place) =>
    invalid(place, 'kustomize ignores this option', 'remove it, and encode the value yourself'),
  );
  const fields = object({ delimiter: string, index: integer, encoding, create: bool });
  return mapped(fields, ({ delimiter = '', index = 0, create = false }, place) => {
    if (create && !isTarget) invalid(placeInside(place, 'create'), 'a source is not created', 'remove it');
    return { part: delimiter === '' ? undefined : { delimiter, index }, create };
  });
}
