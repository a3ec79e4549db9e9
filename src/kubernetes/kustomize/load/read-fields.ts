import type { FindingList } from '../../../base/errors/index.ts';
import {
  unchecked,
  bool,
  list,
  mapped,
  object,
  oneOf,
  record,
  string,
} from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader, placeInside } from '../../../base/util/read-json.ts';
import type { YamlDocument } from '../../yaml/index.ts';
import { fieldSpec } from '../config/read-config.ts';
import type { LabelRule, PathEntry, SortOrder } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { legacyOrder } from '../sort-resources.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';
import type { Variable } from '../vars/variables.ts';
import {
  type BuildMetadata,
  type Fields,
  filledText,
  readChecked,
  optionalText,
  says,
  type Locate,
  written,
} from './kustomization.ts';
import { generatorOptions, generatorsReader, withOptions } from './load-generated.ts';
import { patchReaders } from './read-patches.ts';
import { imageReader, replicaReader } from './read-transformers.ts';

/** Fields that only kustomize can render, each with a description of the feature for messages. */
const unsupported: Readonly<Record<string, string>> = {
  helmGlobals: 'Helm charts',
  helmCharts: 'Helm charts',
  helmChartInflationGenerator: 'Helm charts',
  validators: 'validator plugins',
  openapi: 'schemas of its own',
};

/**
 * Reads and checks the fields of a kustomization. Problems are reported as findings.
 *
 * @param workaround explains how to render the kustomization with kustomize instead; used as a fix in findings
 * @returns undefined if the kustomization cannot be used at all
 */
export function readFields(
  yaml: YamlDocument,
  findings: FindingList,
  workaround: string,
): Fields | undefined {
  const locate: Locate = (path) => yaml.locate(path);
  const fields = (yaml.value ?? {}) as Json;
  const rendered = isObject(fields) ? { ...fields } : fields;
  if (isObject(rendered)) {
    if (isEmpty(rendered)) {
      findings.add({
        code: 'kustomize/empty',
        message: 'the kustomization is empty: none of its fields has content',
        where: locate([]),
        fix: ['list resources in the kustomization, or remove the file'],
      });
      return undefined;
    }
    for (const [name, what] of Object.entries(unsupported)) {
      if (!isUnused(rendered[name]) && !(name === 'openapi' && isDefaultSchema(rendered[name]))) {
        findings.add({
          code: 'kustomize/unsupported-field',
          message: `${name}: op-sdk does not render ${what}`,
          where: locate([name]),
          fix: [workaround],
        });
      }
      delete rendered[name];
    }
  }
  return readChecked(fieldsReader(locate), rendered, 'the kustomization', locate, findings);
}

/** Returns true if a kustomization has no content. As in kustomize, null and empty texts count as absent, but empty lists do not. */
function isEmpty({ apiVersion: _apiVersion, kind: _kind, ...rest }: JsonObject): boolean {
  return Object.values(rest).every((value) => value === null || value === '');
}

/** Returns true if `openapi` contains only the Kubernetes version whose schemas kustomize uses by default. */
function isDefaultSchema(openapi: Json | undefined): boolean {
  return isObject(openapi) && Object.keys(openapi).length === 1 && openapi['version'] === 'v1.21.2';
}

function isUnused(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const pairs = record(string);

/** Returns a reader for all fields of a kustomization that op-sdk renders. */
function fieldsReader(locate: Locate): JsonReader<Fields> {
  const paths = list(pathEntry(locate));
  const images = list(imageReader);
  const fields = object({
    apiVersion: optionalText,
    kind: mapped(string, (kind, place) => (kind === '' ? undefined : kindReader(kind, place))),
    // `metadata` is accepted but ignored, because it is only meant for people.
    metadata: object({ name: unchecked, namespace: unchecked, labels: unchecked, annotations: unchecked }),
    resources: paths,
    bases: paths,
    components: paths,
    namespace: string,
    namePrefix: string,
    nameSuffix: string,
    labels: list(labels(locate)),
    commonLabels: pairs,
    commonAnnotations: pairs,
    images,
    imageTags: images,
    replicas: list(replicaReader(locate)),
    ...patchReaders(locate),
    configMapGenerator: generatorsReader('ConfigMap', locate),
    secretGenerator: generatorsReader('Secret', locate),
    generatorOptions,
    generators: paths,
    transformers: paths,
    configurations: paths,
    crds: paths,
    vars: varsReader(locate),
    buildMetadata: list(buildMetadata),
    sortOptions: sortOrderReader,
  });
  return mapped(fields, (read, place, value) => {
    const kind = read.kind ?? 'Kustomization';
    const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
    // The expected apiVersion depends on the kind, so apiVersion is not checked if the kind is misspelt.
    const isKindKnown = read.kind !== undefined || !says(value, 'kind');
    if (isKindKnown && read.apiVersion !== undefined && read.apiVersion !== apiVersion) {
      const message = `apiVersion: expected ${apiVersion}, got ${read.apiVersion}`;
      place.report({ path: ['apiVersion'], message, fix: `write apiVersion: ${apiVersion}` });
    }
    return {
      kind,
      resources: [...(read.resources ?? []), ...(read.bases ?? [])],
      components: read.components ?? [],
      generatorPlugins: read.generators ?? [],
      transformerPlugins: read.transformers ?? [],
      generators: [...(read.configMapGenerator ?? []), ...(read.secretGenerator ?? [])].map((rule) =>
        withOptions(rule, read.generatorOptions ?? {}),
      ),
      namespace: read.namespace ?? '',
      namePrefix: read.namePrefix ?? '',
      nameSuffix: read.nameSuffix ?? '',
      labels: read.labels ?? [],
      commonLabels: read.commonLabels ?? {},
      commonAnnotations: read.commonAnnotations ?? {},
      images: [...(read.images ?? []), ...(read.imageTags ?? [])],
      replicas: read.replicas ?? [],
      patches: [
        ...(read.patchesStrategicMerge ?? []),
        ...(read.patches ?? []),
        ...(read.patchesJson6902 ?? []),
      ],
      replacements: read.replacements ?? [],
      configurations: read.configurations ?? [],
      crds: read.crds ?? [],
      vars: read.vars ?? [],
      buildMetadata: read.buildMetadata ?? [],
      sortOrder: read.sortOptions,
    };
  });
}

/**
 * Reads a value of `buildMetadata`. Only the values that request annotations with origins and transformers are supported. `managedByLabel`
 * is refused, because its label would contain a version of kustomize.
 */
const buildMetadata: JsonReader<BuildMetadata> = (value, place) =>
  value === 'managedByLabel'
    ? invalid(
        place,
        'managedByLabel names the version of kustomize, which op-sdk is not',
        'add the label app.kubernetes.io/managed-by by `labels`',
      )
    : oneOf('originAnnotations', 'transformerAnnotations')(value, place);

const kindReader = oneOf('Kustomization', 'Component');

function pathEntry(locate: Locate): JsonReader<PathEntry> {
  return mapped(filledText, (path, place) => ({ path, where: locate(place.path) }));
}

function labels(locate: Locate): JsonReader<LabelRule> {
  return mapped(
    object({ pairs, includeSelectors: bool, includeTemplates: bool, fields: list(fieldSpec) }),
    (rule, { path }) => ({
      pairs: rule.pairs ?? {},
      includeSelectors: rule.includeSelectors ?? false,
      includeTemplates: rule.includeTemplates ?? false,
      fields: rule.fields ?? [],
      where: locate(path),
    }),
  );
}

const kinds = list(string);

/** Reads `sortOptions`. Only the options of the outermost kustomization take effect. */
const sortOrderReader: JsonReader<SortOrder> = mapped(
  object(
    { order: oneOf('fifo', 'legacy'), legacySortOptions: object({ orderFirst: kinds, orderLast: kinds }) },
    { required: { order: 'write order: fifo or order: legacy' } },
  ),
  ({ order, legacySortOptions: legacy }, place) => {
    if (order === 'legacy') {
      return legacy === undefined
        ? { order, ...legacyOrder }
        : { order, first: legacy.orderFirst ?? [], last: legacy.orderLast ?? [] };
    }
    if (order === undefined) return undefined;
    if (legacy === undefined) return { order };
    return invalid(
      placeInside(place, 'legacySortOptions'),
      'only the order legacy has such options',
      'remove them, or write order: legacy',
    );
  },
);

const target = object(
  {
    apiVersion: optionalText,
    group: string,
    version: string,
    kind: string,
    name: filledText,
    namespace: optionalText,
  },
  { required: { name: 'name the object' } },
);

/** Reads `fieldref`. Accepts `fieldPath`, and also `fieldpath`, which is common and used in kustomize's own examples. */
const fieldref = mapped(
  written(object({ fieldPath: optionalText, fieldpath: optionalText })),
  ({ read, value }, place) =>
    says(value, 'fieldPath') && says(value, 'fieldpath')
      ? invalid(place, 'it has both fieldPath and fieldpath', 'keep one of them')
      : read,
);

/** Returns a reader for `vars`. */
function varsReader(locate: Locate): JsonReader<readonly Variable[]> {
  const entry = object(
    { name: filledText, objref: target, fieldref },
    { required: { name: 'name the variable', objref: 'name the object that has the value' } },
  );
  return list(
    mapped(entry, ({ name, objref, fieldref: read }, place): Variable | undefined => {
      if (name === undefined || objref?.name === undefined) return undefined;
      const { apiVersion } = objref;
      const hasGroup = apiVersion?.includes('/') === true;
      return {
        name,
        group: hasGroup ? groupOf(apiVersion) : (objref.group ?? ''),
        version: apiVersion?.slice(apiVersion.indexOf('/') + 1) ?? objref.version ?? '',
        kind: objref.kind ?? '',
        object: objref.name,
        namespace: objref.namespace ?? '',
        fieldPath: read?.fieldPath ?? read?.fieldpath ?? 'metadata.name',
        where: locate(place.path),
      };
    }),
  );
}
