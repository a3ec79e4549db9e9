import type { FindingList, Where } from '../../errors/index.ts';
import type { YamlDocument } from '../../yaml/index.ts';
import { isObject, type Json, type JsonObject } from '../resource.ts';
import type { Fields, ImageRule, LabelRule, PathEntry, ReplicaRule } from './kustomization.ts';
import { readPatches } from './read-patches.ts';
import { readSortOrder } from './read-sort-order.ts';
import { valueReader, type Path, type ValueReader } from './value-reader.ts';

/** Fields that only kustomize itself renders, with what they are. */
const unsupported: Readonly<Record<string, string>> = {
  configMapGenerator: 'generators',
  secretGenerator: 'generators',
  generators: 'generators',
  helmGlobals: 'Helm charts',
  helmCharts: 'Helm charts',
  helmChartInflationGenerator: 'Helm charts',
  transformers: 'transformer plugins',
  validators: 'validator plugins',
  configurations: 'configurations of transformers',
  crds: 'schemas of custom resources',
  openapi: 'schemas of custom resources',
  vars: 'variables (replacements do the same)',
  buildMetadata: 'annotations about the build',
};

/** Fields that op-sdk renders. */
const supported = [
  ...['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'components', 'namespace', 'namePrefix'],
  ...['nameSuffix', 'labels', 'commonLabels', 'commonAnnotations', 'images', 'imageTags', 'replicas'],
  ...['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements', 'generatorOptions'],
  'sortOptions',
] as const;

/**
 * Checks a kustomization.
 *
 * @param wayRound how to render it with kustomize instead, as a fix
 * @returns undefined if nothing can be made of it; what is wrong has become a finding
 */
export function readFields(yaml: YamlDocument, findings: FindingList, wayRound: string): Fields | undefined {
  const locate = (path: Path): Where => yaml.locate(path);
  const reader = valueReader(locate, findings);
  const document = yaml.value as Json;
  if (document !== null && !isObject(document)) {
    return reader.wrong([], 'a kustomization is a mapping of fields');
  }
  const fields = document ?? {};
  if (isEmpty(fields)) {
    findings.add({
      code: 'kustomize/empty',
      message: 'the kustomization has no field that says anything',
      where: locate([]),
      fix: ['name its resources, or take the file out'],
    });
    return undefined;
  }
  const rendered = { ...fields };
  for (const [name, what] of Object.entries(unsupported)) {
    if (!isUnused(fields[name])) {
      findings.add({
        code: 'kustomize/unsupported-field',
        message: `${name}: op-sdk does not render ${what}`,
        where: locate([name]),
        fix: [wayRound],
      });
    }
    delete rendered[name];
  }
  reader.record(rendered, [], supported);
  checkOptions(fields, reader);
  const kind = readKind(fields, reader);
  const paths = (name: string): readonly PathEntry[] =>
    reader.list(fields[name], [name], (item, path) => readPath(item, path, reader));
  return {
    kind,
    resources: [...paths('resources'), ...paths('bases')],
    components: paths('components'),
    namespace: reader.text(fields['namespace'], ['namespace']) ?? '',
    namePrefix: reader.text(fields['namePrefix'], ['namePrefix']) ?? '',
    nameSuffix: reader.text(fields['nameSuffix'], ['nameSuffix']) ?? '',
    labels: reader.list(fields['labels'], ['labels'], (item, path) => readLabels(item, path, reader)),
    commonLabels: reader.pairs(fields['commonLabels'], ['commonLabels']),
    commonAnnotations: reader.pairs(fields['commonAnnotations'], ['commonAnnotations']),
    images: ['images', 'imageTags'].flatMap((name) =>
      reader.list(fields[name], [name], (item, path) => readImage(item, path, reader)),
    ),
    replicas: reader.list(fields['replicas'], ['replicas'], (item, path) => readReplicas(item, path, reader)),
    ...readPatches(fields, reader),
    sortOrder: readSortOrder(fields['sortOptions'], reader),
  };
}

/** As kustomize counts: a field that is null or an empty text is not there, an empty list is. */
function isEmpty({ apiVersion: _apiVersion, kind: _kind, ...rest }: JsonObject): boolean {
  return Object.values(rest).every((value) => value === null || value === '');
}

function isUnused(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Generators are refused, so their options change nothing; metadata is for people. */
function checkOptions(fields: JsonObject, reader: ValueReader): void {
  const { metadata, generatorOptions } = fields;
  reader.record(metadata, ['metadata'], ['name', 'namespace', 'labels', 'annotations']);
  const known = ['labels', 'annotations', 'disableNameSuffixHash', 'immutable'];
  const options = reader.record(generatorOptions, ['generatorOptions'], known) ?? {};
  for (const name of ['labels', 'annotations']) reader.pairs(options[name], ['generatorOptions', name]);
  for (const name of ['disableNameSuffixHash', 'immutable'])
    reader.flag(options[name], ['generatorOptions', name]);
}

function readKind(fields: JsonObject, reader: ValueReader): Fields['kind'] {
  const given = reader.text(fields['kind'], ['kind']) ?? '';
  const kind = given === '' ? 'Kustomization' : given;
  if (kind !== 'Kustomization' && kind !== 'Component') {
    reader.wrong(['kind'], `it is ${kind}`, 'write kind: Kustomization or kind: Component');
    return 'Kustomization';
  }
  const expected = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
  const apiVersion = reader.text(fields['apiVersion'], ['apiVersion']) ?? '';
  if (apiVersion !== '' && apiVersion !== expected) {
    reader.wrong(['apiVersion'], `it is ${apiVersion}`, `write apiVersion: ${expected}`);
  }
  return kind;
}

function readPath(item: Json, path: Path, reader: ValueReader): PathEntry | undefined {
  const text = reader.text(item, path);
  if (text === '') return reader.wrong(path, 'the path is empty');
  return text === undefined ? undefined : { path: text, where: reader.locate(path) };
}

function readLabels(item: Json, path: Path, reader: ValueReader): LabelRule | undefined {
  const rule = reader.record(item, path, ['pairs', 'includeSelectors', 'includeTemplates', 'fields']);
  if (rule === undefined) return undefined;
  return {
    pairs: reader.pairs(rule['pairs'], [...path, 'pairs']),
    includeSelectors: reader.flag(rule['includeSelectors'], [...path, 'includeSelectors']) ?? false,
    includeTemplates: reader.flag(rule['includeTemplates'], [...path, 'includeTemplates']) ?? false,
    fields: reader.list(rule['fields'], [...path, 'fields'], (spec, here) => {
      const field = reader.record(spec, here, ['path', 'group', 'version', 'kind', 'create']);
      if (field === undefined) return undefined;
      const text = (name: string): string => reader.text(field[name], [...here, name]) ?? '';
      const fieldPath = text('path');
      if (fieldPath === '') return reader.wrong(here, 'the path is missing', 'such as path: metadata/labels');
      return {
        path: fieldPath,
        group: text('group'),
        version: text('version'),
        kind: text('kind'),
        create: reader.flag(field['create'], [...here, 'create']) ?? false,
      };
    }),
    where: reader.locate(path),
  };
}

/** kustomize takes the name for a regular expression; names of images mean the same in all dialects of them. */
const imageName = /^[\w./:@-]+$/;

function readImage(item: Json, path: Path, reader: ValueReader): ImageRule | undefined {
  const known = ['name', 'newName', 'newTag', 'tagSuffix', 'digest'] as const;
  const rule = reader.record(item, path, known);
  if (rule === undefined) return undefined;
  const [name = '', newName, newTag, tagSuffix, digest] = known.map((field) => {
    const text = reader.text(rule[field], [...path, field]);
    return text === '' ? undefined : text;
  });
  if (name === '') {
    // What is of the wrong type has been reported.
    const isMissing = (rule['name'] ?? '') === '';
    return isMissing ? reader.wrong(path, 'the name of the image is missing') : undefined;
  }
  if (!imageName.test(name)) {
    return reader.wrong([...path, 'name'], `${JSON.stringify(name)} is not the name of an image`);
  }
  return {
    name,
    ...(newName === undefined ? {} : { newName }),
    ...(newTag === undefined ? {} : { newTag }),
    ...(tagSuffix === undefined ? {} : { tagSuffix }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function readReplicas(item: Json, path: Path, reader: ValueReader): ReplicaRule | undefined {
  const rule = reader.record(item, path, ['name', 'count']);
  if (rule === undefined) return undefined;
  const name = reader.text(rule['name'], [...path, 'name']);
  const count = reader.integer(rule['count'], [...path, 'count']);
  if ((rule['name'] ?? '') === '') return reader.wrong(path, 'the name of the resource is missing');
  if ((rule['count'] ?? null) === null) return reader.wrong(path, 'the count is missing');
  return name === undefined || count === undefined ? undefined : { name, count, where: reader.locate(path) };
}
