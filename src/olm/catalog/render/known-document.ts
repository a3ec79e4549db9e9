import {
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  sortKeys,
  type JsonMap,
  compareCodeUnits,
} from '../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/index.ts';
import { toYaml } from '../../../kubernetes/yaml/index.ts';

/**
 * Returns a document in the form in which opm writes it: only the fields of its schema, in the schema's order, without empty fields.
 * Documents of other schemas keep all fields, with sorted keys. Source: operator-registry `alpha/declcfg/declcfg.go`,
 * `alpha/action/render.go`.
 */
export function knownDocument(schema: string, value: JsonMap): JsonMap {
  const text = (name: string): string => jsonTextOf(value[name]);
  switch (schema) {
    case 'olm.package':
      return {
        ...{ schema, name: text('name'), defaultChannel: text('defaultChannel') },
        ...icon(value['icon']),
        ...some('description', text('description')),
        ...properties(value),
      };
    case 'olm.channel':
      return {
        ...{ schema, name: text('name'), package: text('package') },
        entries: jsonListOf(value['entries']).map(jsonMapOf).map(entry),
        ...properties(value),
      };
    case 'olm.bundle': {
      const images = jsonListOf(value['relatedImages']).map(jsonMapOf);
      const related = images.map((each) => ({
        name: jsonTextOf(each['name']),
        image: jsonTextOf(each['image']),
      }));
      return {
        schema,
        ...some('name', text('name')),
        ...some('package', text('package')),
        image: text('image'),
        ...properties(value),
        ...(related.length === 0 ? {} : { relatedImages: sortedImages(related) }),
      };
    }
    case 'olm.deprecations':
      return {
        ...{ schema, package: text('package') },
        entries: jsonListOf(value['entries']).map(jsonMapOf).map(deprecation),
      };
    default:
      return sortKeys(value) as JsonMap;
  }
}

function some(name: string, text: string): JsonMap {
  return text === '' ? {} : { [name]: text };
}

function icon(value: unknown): JsonMap {
  if (value === undefined || value === null) return {};
  const { base64data, mediatype } = jsonMapOf(value);
  return {
    icon: {
      base64data: jsonTextOf(base64data).replace(/[\r\n]/g, ''),
      mediatype: jsonTextOf(mediatype),
    },
  };
}

function entry(value: JsonMap): JsonMap {
  const skips = jsonListOf(value['skips']);
  return {
    name: jsonTextOf(value['name']),
    ...some('replaces', jsonTextOf(value['replaces'])),
    ...(skips.length === 0 ? {} : { skips }),
    ...some('skipRange', jsonTextOf(value['skipRange'])),
  };
}

function deprecation(value: JsonMap): JsonMap {
  const reference = jsonMapOf(value['reference']);
  return {
    reference: {
      schema: jsonTextOf(reference['schema']),
      ...some('name', jsonTextOf(reference['name'])),
    },
    message: jsonTextOf(value['message']),
  };
}

/** Types of properties that are written after all other properties of a bundle, because they are large. */
const lastProperties: readonly unknown[] = ['olm.bundle.object', 'olm.csv.metadata'];

function properties(value: JsonMap): JsonMap {
  const all = jsonListOf(value['properties']).map(jsonMapOf);
  if (all.length === 0) return {};
  const written = all.map((property) => ({
    type: jsonTextOf(property['type']),
    value: sortKeys(property['value']),
  }));
  if (value['schema'] !== 'olm.bundle') return { properties: written };
  const isLast = ({ type }: { readonly type: string }): boolean => lastProperties.includes(type);
  return { properties: [...written.filter((each) => !isLast(each)), ...written.filter(isLast)] };
}

/** An image that a bundle needs. */
interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/**
 * Returns the images of a bundle: the images listed in its ClusterServiceVersion, the image of the bundle itself, and the images of the
 * operator's containers. Source: operator-registry `alpha/action/render.go`, `getRelatedImages`.
 */
export function catalogImages(csv: JsonMap, image: string): readonly RelatedImage[] {
  const listed = listOf(fieldAt(csv, 'spec', 'relatedImages'))
    .map(mapOf)
    .map((related): RelatedImage => ({ name: textOf(related['name']), image: textOf(related['image']) }));
  const known = new Set(listed.map((related) => related.image));
  const own = known.has(image) ? [] : [{ name: '', image }];
  const others = [...new Set(containerImages(csv))].filter((other) => !known.has(other));
  return sortedImages([...listed, ...own, ...others.map((other) => ({ name: '', image: other }))]);
}

/** Returns the images in the order in which opm writes them. */
function sortedImages<T extends { readonly image: string }>(images: readonly T[]): readonly T[] {
  return [...images].sort((a, b) => compareCodeUnits(a.image, b.image));
}

function containerImages(csv: JsonMap): readonly string[] {
  const install = mapOf(fieldAt(csv, 'spec', 'install'));
  if (install['strategy'] !== 'deployment') return [];
  return listOf(fieldAt(install, 'spec', 'deployments')).flatMap((deployment) => {
    const pod = mapOf(fieldAt(deployment, 'spec', 'template', 'spec'));
    return [...listOf(pod['containers']), ...listOf(pod['initContainers'])].map((container) =>
      textOf(mapOf(container)['image']),
    );
  });
}

type CatalogFormat = 'yaml' | 'json';

/**
 * Prints one document of a catalogue in the form in which opm writes it: YAML preceded by a line `---`, or JSON without a separator between
 * documents.
 */
export function printDocument(document: JsonMap, format: CatalogFormat): string {
  if (format === 'yaml') return `---\n${toYaml(document)}`;
  // Go escapes U+2028 and U+2029, because they are line terminators in JavaScript.
  const text = JSON.stringify(document, null, 4).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
  return `${text}\n`;
}
