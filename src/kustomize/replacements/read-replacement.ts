import type { FindingList, Where } from '../../errors/index.ts';
import type { ReplacementEntry } from '../entries.ts';
import { valueReader, type Path, type ValueReader } from '../load/value-reader.ts';
import type { Json, JsonObject } from '../resource.ts';
import { parseSelector, type Selector, type SelectorFields } from '../select/parse-selector.ts';
import { FieldPathError, parseFieldPath, type PathStep } from './field-path.ts';

/** A path and where it is written. */
export interface PlacedPath {
  readonly steps: readonly PathStep[];
  readonly text: string;
  readonly where: Where;
}

/** Which part of a text between delimiters is meant. */
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
  /** A constant, or where the value is found. */
  readonly source: { readonly text: string } | SourceSelector;
  readonly targets: readonly TargetSelector[];
}

const idFields = ['group', 'version', 'kind', 'name', 'namespace'] as const;
const selectorFields = [...idFields, 'labelSelector', 'annotationSelector'] as const;
const defaultPath = 'metadata.name';

/** Checks an entry of `replacements`; undefined if it is wrong, which is among the findings then. */
export function readReplacement(entry: ReplacementEntry, findings: FindingList): Replacement | undefined {
  const before = findings.all.length;
  const read = valueReader((path) => (path.length === 0 ? entry.where : entry.locate(path)), findings);
  const value = read.record(entry.value, [], ['source', 'sourceValue', 'targets', 'path']) ?? {};
  const source = readSource(value, read);
  const targets = read.list(value['targets'], ['targets'], (item, path) => readTarget(item, path, read));
  if (targets.length === 0 && findings.all.length === before)
    read.wrong([], 'the replacement has no targets', 'name the resources and fields that get the value');
  if (source === undefined || findings.all.length > before) return undefined;
  return { source, targets };
}

function readSource(value: JsonObject, read: ValueReader): Replacement['source'] | undefined {
  const text = read.text(value['sourceValue'], ['sourceValue']);
  const record = read.record(value['source'], ['source'], [...idFields, 'fieldPath', 'options']);
  if (text !== undefined && record !== undefined)
    return read.wrong(['sourceValue'], 'source and sourceValue exclude each other', 'take one of them out');
  if (text !== undefined) return { text };
  if (record === undefined)
    return read.wrong([], 'the replacement has no source', 'name the resource that has the value');
  const path = readPath(
    record['fieldPath'] === '' ? defaultPath : (record['fieldPath'] ?? defaultPath),
    ['source', 'fieldPath'],
    read,
  );
  const { part } = readOptions(record['options'], ['source', 'options'], read, false);
  if (path === undefined) return undefined;
  return { id: readFields(record, ['source'], idFields, read), path, part, where: read.locate(['source']) };
}

function readTarget(item: Json, path: Path, read: ValueReader): TargetSelector | undefined {
  const record = read.record(item, path, ['select', 'reject', 'fieldPaths', 'options']);
  if (record === undefined) return read.wrong(path, 'the target is empty');
  const selectPath = [...path, 'select'];
  if (read.record(record['select'], selectPath) === undefined)
    return read.wrong(path, 'the target selects no resources', 'add `select` with their kind and name');
  const select = readSelector(record['select'] ?? null, selectPath, read)?.selector;
  const reject = read.list(record['reject'], [...path, 'reject'], (each, at) => readSelector(each, at, read));
  const given = record['fieldPaths'];
  const all = Array.isArray(given) && given.length > 0 ? given : [defaultPath];
  const paths = read.list(all, [...path, 'fieldPaths'], (each, at) => readPath(each, at, read));
  const { part, create } = readOptions(record['options'], [...path, 'options'], read, true);
  return select === undefined ? undefined : { select, reject, paths, part, create, where: read.locate(path) };
}

function readSelector(
  value: Json,
  path: Path,
  read: ValueReader,
): { readonly fields: SelectorFields; readonly selector: Selector } | undefined {
  const record = read.record(value, path, selectorFields);
  if (record === undefined) return read.wrong(path, 'the selector is empty');
  const fields = readFields(record, path, selectorFields, read);
  const selector = parseSelector(fields, (field, problem) => read.wrong([...path, field], problem));
  return selector === undefined ? undefined : { fields, selector };
}

function readFields<Field extends string>(
  record: JsonObject,
  path: Path,
  fields: readonly Field[],
  read: ValueReader,
): { readonly [F in Field]?: string } {
  const entries = fields.flatMap((field) => {
    const text = read.text(record[field], [...path, field]);
    return text === undefined || text === '' ? [] : [[field, text] as const];
  });
  return Object.fromEntries(entries) as { readonly [F in Field]?: string };
}

function readPath(value: Json, path: Path, read: ValueReader): PlacedPath | undefined {
  const text = read.text(value, path);
  if (text === undefined) return undefined;
  try {
    return { steps: parseFieldPath(text), text, where: read.locate(path) };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return read.wrong(path, `invalid field path ${JSON.stringify(text)}: ${error.message}`);
  }
}

function readOptions(
  value: Json | undefined,
  path: Path,
  read: ValueReader,
  isTarget: boolean,
): { readonly part: Part | undefined; readonly create: boolean } {
  const record = read.record(value, path, ['delimiter', 'index', 'encoding', 'create']) ?? {};
  if (read.text(record['encoding'], [...path, 'encoding']) !== undefined)
    read.wrong(
      [...path, 'encoding'],
      'kustomize ignores this option',
      'take it out, and encode the value yourself',
    );
  const create = read.flag(record['create'], [...path, 'create']) ?? false;
  if (create && !isTarget) read.wrong([...path, 'create'], 'a source is not created', 'take it out');
  const delimiter = read.text(record['delimiter'], [...path, 'delimiter']) ?? '';
  const index = read.integer(record['index'], [...path, 'index']) ?? 0;
  return { part: delimiter === '' ? undefined : { delimiter, index }, create };
}
