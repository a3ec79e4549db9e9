import {
  shapeProblems,
  fieldAt,
  listOf,
  mapOf,
  textOf,
  collectFindings,
  type FindingCollector,
  countedErrors,
  loadBundle,
  type BundleObject,
  type LoadedBundle,
  annotationKeys,
  annotationOf,
} from '../../bundle/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import {
  type JsonMap,
  asText,
  canonicalJson,
  sortKeys,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
} from '../../../base/util/json-map.ts';
import { CatalogFindings } from '../findings.ts';
import { checkDocument } from '../read/read-catalog.ts';
import { compareBytes } from '../../../base/util/bytes.ts';
import { catalogImages } from './known-document.ts';

/** A bundle, and the document that describes it in a catalogue. */
export interface CatalogueBundle {
  readonly document: JsonMap;
  readonly bundle: LoadedBundle;
  readonly csv: BundleObject;
}

/** Placeholders in the image name of a bundle, as in opm's templates. */
const placeholders = /\{\{ *\.(Package|Name|Version) *\}\}/g;

/**
 * Converts a bundle to its document for a catalogue.
 * @param image image of the bundle; `{{.Package}}`, `{{.Name}}` and `{{.Version}}` in it are replaced
 * @throws OpSdkError with all findings: parts of the bundle that OLM could not read, and parts that a catalogue cannot contain
 */
export async function renderCatalogBundle(folder: Place, image: string): Promise<CatalogueBundle> {
  const collector = collectFindings();
  const bundle = await loadBundle(folder.path, folder.shown, collector);
  const csv = bundle?.csv;
  if (bundle !== undefined) checkCsv(bundle, collector);
  const findings = new FindingList();
  findings.add(...countedErrors(collector.finish()));
  findings.throwIfAny();
  // If the bundle or its ClusterServiceVersion is missing, an error with findings has been thrown above.
  if (bundle === undefined || csv === undefined) throw new TypeError('an incomplete bundle has no findings');
  const named = bundleDocument(bundle, csv, '');
  const values: Readonly<Record<string, string>> = {
    Package: textOf(named['package']),
    Name: csv.name,
    Version: textOf(fieldAt(csv.value, 'spec', 'version')),
  };
  const own = image.replace(placeholders, (_text, name: string) => values[name] ?? '');
  const document = bundleDocument(bundle, csv, own);
  await checkRendered(document, csv);
  return { document, bundle, csv };
}

function checkCsv(bundle: LoadedBundle, collector: FindingCollector): void {
  const { csv, crds, dir, annotations } = bundle;
  const { error } = collector.of('format');
  if (annotations === undefined)
    error(
      'bundle/no-annotations',
      { file: `${dir}/metadata` },
      `${dir}/metadata has no annotations`,
      'create the bundle with `op-sdk generate bundle`',
    );
  if (csv === undefined) {
    collector
      .of('content')
      .error(
        'bundle/no-csv',
        { file: `${dir}/manifests` },
        `${dir}/manifests has no ClusterServiceVersion`,
        'create the bundle with `op-sdk generate bundle`',
      );
    return;
  }
  for (const { kind, path, message, fix } of shapeProblems(csv))
    if (kind === 'type') error('bundle/invalid-field', [csv, path], message, fix);
  const provided = new Set(
    crds.flatMap(({ name, value }) =>
      listOf(fieldAt(value, 'spec', 'versions')).map(
        (version) => `${name} ${textOf(mapOf(version)['name'])}`,
      ),
    ),
  );
  const path = ['spec', 'customresourcedefinitions', 'owned'];
  for (const [index, owned] of listOf(fieldAt(csv.value, ...path)).entries()) {
    const [name, version] = [textOf(mapOf(owned)['name']), textOf(mapOf(owned)['version'])];
    if (provided.has(`${name} ${version}`) || crds.some((crd) => isOld(crd, name))) continue;
    collector
      .of('bundle')
      .error(
        'bundle/owned-crd-missing',
        [csv, [...path, index]],
        `the bundle has no CustomResourceDefinition ${name} with the version ${version}`,
        'add it to manifests/, or remove it from the ClusterServiceVersion',
      );
  }
}

/**
 * Returns true for a v1beta1 CRD with the name `owned`. The only version of such a CRD may be in `spec.version` instead of `spec.versions`.
 */
function isOld({ apiVersion, name }: BundleObject, owned: string): boolean {
  return apiVersion.endsWith('v1beta1') && name === owned;
}

/** Checks a rendered document by the rules of catalogues. The findings point to the file of the ClusterServiceVersion. */
async function checkRendered(document: JsonMap, { file }: BundleObject): Promise<void> {
  const findings = new CatalogFindings();
  const source = { path: '', file, start: 0, length: 0, line: 1 };
  checkDocument({ source, schema: 'olm.bundle', value: document }, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all.map((finding) => ({ ...finding, where: { file } })));
}

interface Property {
  readonly type: string;
  readonly value: unknown;
}

/**
 * Returns the catalogue document of a bundle, with the schema `olm.bundle`. Its fields and properties, and their order, are the same as
 * those written by `opm render --migrate-level=bundle-object-to-csv-metadata`. Source: operator-registry `alpha/action/render.go`,
 * `pkg/registry/registry_to_model.go`, `pkg/registry/parse.go`.
 * @param csv the ClusterServiceVersion of the bundle
 * @param image image from which OLM gets the bundle
 */
function bundleDocument(bundle: LoadedBundle, csv: BundleObject, image: string): JsonMap {
  const packageName = annotationOf(bundle, annotationKeys.package) ?? '';
  return {
    schema: 'olm.bundle',
    name: csv.name,
    package: packageName,
    image,
    properties: [
      ...propertiesOf(bundle, csv, packageName),
      { type: 'olm.csv.metadata', value: csvMetadata(csv.value) },
    ],
    relatedImages: catalogImages(csv.value, image),
  };
}

function propertiesOf(bundle: LoadedBundle, csv: BundleObject, packageName: string): readonly Property[] {
  const listed = [
    ...propertyList(bundle.properties?.value['properties']),
    ...propertyList(annotated(csv, 'olm.properties')),
  ];
  const release = asText(fieldAt(csv.value, 'spec', 'release'));
  const own: Property = {
    type: 'olm.package',
    value: {
      packageName,
      version: textOf(fieldAt(csv.value, 'spec', 'version')),
      ...(release === '' ? {} : { release }),
    },
  };
  const others = listed.filter(({ type }) => type !== 'olm.package' && type !== 'olm.gvk');
  // If several properties `olm.package` exist, use the last one. Properties from the ClusterServiceVersion's annotation `olm.properties`
  // come after the properties in the bundle's `metadata/`.
  const named = propertyList(annotated(csv, 'olm.properties')).findLast(({ type }) => type === 'olm.package');
  const dependencies = propertyList(bundle.dependencies?.value['dependencies']);
  const all = unique([
    named === undefined ? own : { ...named, value: packageValue(named.value) },
    ...kinds('olm.gvk', [
      ...listed.filter(({ type }) => type === 'olm.gvk').map(({ value }) => mapOf(value)),
      ...providedKinds(bundle, csv),
    ]),
    ...kinds('olm.gvk.required', [
      ...dependencies.filter(({ type }) => type === 'olm.gvk').map(({ value }) => mapOf(value)),
      ...requiredKinds(csv),
    ]),
  ]);
  return [
    ...all,
    ...dependencies
      .filter(({ type }) => type === 'olm.package')
      .map(({ value }) => ({
        type: 'olm.package.required',
        value: {
          packageName: textOf(mapOf(value)['packageName']),
          versionRange: textOf(mapOf(value)['version']),
        },
      })),
    ...unique(others),
    ...dependencies.filter(({ type }) => type !== 'olm.package' && type !== 'olm.gvk'),
  ].sort(compareProperties);
}

function propertyList(value: unknown): readonly Property[] {
  return listOf(value).map((item) => ({
    type: textOf(mapOf(item)['type']),
    value: sortKeys(mapOf(item)['value']),
  }));
}

/**
 * Parses the JSON in an annotation of the ClusterServiceVersion. Returns undefined if the annotation is missing or is not JSON, because opm
 * ignores such annotations.
 */
function annotated(csv: BundleObject, name: string): unknown {
  try {
    return JSON.parse(textOf(fieldAt(csv.value, 'metadata', 'annotations', name))) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function packageValue(value: unknown): JsonMap {
  const { packageName, version, release } = mapOf(value);
  const text = textOf(release);
  return {
    packageName: textOf(packageName),
    version: textOf(version),
    ...(text === '' ? {} : { release: text }),
  };
}

function kinds(type: string, all: readonly JsonMap[]): readonly Property[] {
  return all.map(({ group, kind, version }) => ({
    type,
    value: { group: textOf(group), kind: textOf(kind), version: textOf(version) },
  }));
}

/** Returns the kinds that the bundle provides: the kinds of its CRDs, in all versions, and the kinds of its API services. */
function providedKinds({ crds }: LoadedBundle, csv: BundleObject): readonly JsonMap[] {
  const defined = crds.flatMap(({ value }) => {
    const spec = mapOf(value['spec']);
    const names = listOf(spec['versions']).map((version) => mapOf(version)['name']);
    // A v1beta1 CRD may name a version in `spec.version` in addition to the list `spec.versions`.
    const single = textOf(spec['version']) === '' ? [] : [spec['version']];
    return [...names, ...single].map((version) => ({
      ...{ group: spec['group'], kind: mapOf(spec['names'])['kind'], version },
    }));
  });
  return [...defined, ...listOf(fieldAt(csv.value, 'spec', 'apiservicedefinitions', 'owned')).map(mapOf)];
}

function requiredKinds({ value }: BundleObject): readonly JsonMap[] {
  const required = listOf(fieldAt(value, 'spec', 'customresourcedefinitions', 'required')).map(mapOf);
  return [
    ...required.map((crd) => ({ ...crd, group: textOf(crd['name']).replace(/^[^.]*\.?/, '') })),
    ...listOf(fieldAt(value, 'spec', 'apiservicedefinitions', 'required')).map(mapOf),
  ];
}

function unique(properties: readonly Property[]): readonly Property[] {
  return [...new Map(properties.map((property) => [canonicalJson(property), property])).values()];
}

/** Compares properties by type, then by the JSON that Go writes for their values. */
function compareProperties(a: Property, b: Property): number {
  return compareBytes(a.type, b.type) || compareBytes(goText(a.value), goText(b.value));
}

/** Encodes a value as Go does, with the special characters of HTML escaped. */
function goText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A field of an OLM type in JSON. An empty field is omitted, unless `always` is set. */
interface Field {
  readonly form: 'text' | 'flag' | 'number' | 'any' | 'texts' | 'text map' | Struct | readonly [Struct];
  readonly always?: true;
}

/** The fields of a Go struct, in the order in which Go writes them. */
type Struct = ReadonlyMap<string, Field>;

function struct(fields: Readonly<Record<string, Field['form'] | Field>>): Struct {
  const isField = (value: Field['form'] | Field): value is Field =>
    typeof value === 'object' && 'form' in value && !(value instanceof Map);
  return new Map(
    Object.entries(fields).map(([name, field]) => [name, isField(field) ? field : { form: field }]),
  );
}

const text: Field = { form: 'text', always: true };

const descriptor = struct({
  path: text,
  displayName: 'text',
  description: 'text',
  'x-descriptors': 'texts',
  value: 'any',
});
const described = {
  displayName: 'text',
  description: 'text',
  resources: [struct({ name: text, kind: text, version: text })],
  statusDescriptors: [descriptor],
  specDescriptors: [descriptor],
  actionDescriptors: [descriptor],
} as const;
const definition = struct({ name: text, version: text, kind: text, ...described });
const service = struct({
  name: text,
  group: text,
  version: text,
  kind: text,
  deploymentName: 'text',
  containerPort: 'number',
  ...described,
});
const link = struct({ name: 'text', url: 'text' });

/**
 * Fields of the property `olm.csv.metadata`. Source: operator-registry `alpha/property/property.go`, operator-framework/api
 * `pkg/operators/v1alpha1`.
 */
const metadata = struct({
  annotations: 'text map',
  apiServiceDefinitions: struct({ owned: [service], required: [service] }),
  crdDescriptions: struct({ owned: [definition], required: [definition] }),
  description: 'text',
  displayName: 'text',
  installModes: [struct({ type: text, supported: { form: 'flag', always: true } })],
  keywords: 'texts',
  labels: 'text map',
  links: [link],
  maintainers: [struct({ name: 'text', email: 'text' })],
  maturity: 'text',
  minKubeVersion: 'text',
  nativeAPIs: [struct({ group: text, version: text, kind: text })],
  provider: link,
});

/**
 * Returns the value of the property `olm.csv.metadata`. The value is the part of a ClusterServiceVersion that catalogues show, with the
 * fields in the order of opm. Fields that OLM's types do not have are omitted.
 * @param csv a ClusterServiceVersion whose fields have the types that OLM reads
 */
function csvMetadata(csv: JsonMap): JsonMap {
  const own = jsonMapOf(csv['metadata']);
  const spec = jsonMapOf(csv['spec']);
  return written(metadata, {
    ...spec,
    annotations: own['annotations'],
    labels: own['labels'],
    apiServiceDefinitions: spec['apiservicedefinitions'],
    crdDescriptions: spec['customresourcedefinitions'],
  });
}

function written(fields: Struct, value: JsonMap): JsonMap {
  const result: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const item = writtenField(field, value[name]);
    if (item !== undefined) result[name] = item;
  }
  return result;
}

function writtenField({ form, always }: Field, value: unknown): unknown {
  if (form instanceof Map) return written(form as Struct, jsonMapOf(value));
  if (Array.isArray(form)) {
    const [items] = form as readonly [Struct];
    const list = jsonListOf(value).map((item) => written(items, jsonMapOf(item)));
    return list.length === 0 ? undefined : list;
  }
  switch (form) {
    case 'text':
      return always === true || jsonTextOf(value) !== '' ? jsonTextOf(value) : undefined;
    case 'flag':
      return value === true;
    case 'number':
      return typeof value === 'number' && value !== 0 ? value : undefined;
    case 'texts':
      return jsonListOf(value).length === 0 ? undefined : value;
    case 'text map':
      return isJsonMap(value) && Object.keys(value).length > 0 ? sortKeys(value) : undefined;
    case 'any':
      return value === undefined || value === null ? undefined : sortKeys(value);
  }
}
