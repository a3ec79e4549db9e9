import { compareBytes } from '../../../base/util/compare-bytes.ts';
import { annotationKeys, annotationOf } from '../../bundle/validate/annotations.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/validate/fields.ts';
import type { BundleObject, LoadedBundle } from '../../bundle/validate/types.ts';
import { asText, canonicalJson, sortKeys, type JsonMap } from '../../../base/util/json-map.ts';
import { csvMetadata } from './csv-metadata.ts';
import { catalogImages } from './catalog-images.ts';

interface Property {
  readonly type: string;
  readonly value: unknown;
}

/**
 * Renders a bundle for a catalogue: a document of the schema `olm.bundle` with the fields, properties and orders of
 * `opm render --migrate-level=bundle-object-to-csv-metadata`.
 * Source: operator-registry `alpha/action/render.go`, `pkg/registry/registry_to_model.go`, `pkg/registry/parse.go`.
 *
 * @param csv the one of the bundle
 * @param image by which OLM gets the bundle
 */
export function bundleDocument(bundle: LoadedBundle, csv: BundleObject, image: string): JsonMap {
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
  // Of several the last one counts: what the annotation of the ClusterServiceVersion says comes after the bundle's own.
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

/** The JSON in an annotation of the ClusterServiceVersion; undefined if there is none, or it is not JSON, which opm passes over. */
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

/** The kinds of the definitions, each in all of its versions, and those of API services. */
function providedKinds({ crds }: LoadedBundle, csv: BundleObject): readonly JsonMap[] {
  const defined = crds.flatMap(({ value }) => {
    const spec = mapOf(value['spec']);
    const names = listOf(spec['versions']).map((version) => mapOf(version)['name']);
    // v1beta1 may name one version beside the list.
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

/** By their types, then by their values as Go writes them. */
function compareProperties(a: Property, b: Property): number {
  return compareBytes(a.type, b.type) || compareBytes(goText(a.value), goText(b.value));
}

/** As JSON with the characters that mean something in HTML written as escapes. */
function goText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
