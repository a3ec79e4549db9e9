import { annotationIn, annotationKeys } from '../../annotations.ts';
import type { Check, PlacedDocument, Report, FieldPath } from '../../types.ts';
import { isJsonMap } from '../../../../../base/util/json-map.ts';
import { listOf, mapOf, textOf } from '../../fields.ts';
import { isVersionRange } from '../../semver.ts';

/** The values that a bundle of manifests always has. */
const fixed = [
  [annotationKeys.mediaType, 'registry+v1'],
  // Read by operator-sdk, which looks for the objects there.
  [annotationKeys.manifests, 'manifests/'],
] as const;

const present = [
  [annotationKeys.metadata, 'metadata/'],
  [annotationKeys.package, '<name of the package>'],
  [annotationKeys.channels, 'alpha'],
] as const;

/**
 * `metadata/annotations.yaml`: what OLM needs to find its way in the bundle's image.
 * Source: operator-registry `pkg/lib/bundle/validate.go` `validateAnnotations`.
 */
export const checkAnnotations: Check<'format'> = (bundle, report) => {
  const { annotations: file } = bundle;
  if (file === undefined) {
    report.error(
      'bundle/no-annotations',
      { file: `${bundle.dir}/metadata` },
      'no file of metadata/ has annotations, so OLM does not know what kind of bundle this is',
      'make metadata/annotations.yaml with `op-sdk generate bundle`',
    );
    return;
  }
  for (const [key, wanted] of fixed) checkFixed(file, key, wanted, report);
  for (const [key, example] of present) valueOrMissing(file, key, example, report);
  checkEmpty(file, report);
};

function checkFixed(file: PlacedDocument, key: string, wanted: string, report: Report<'format'>): void {
  const value = valueOrMissing(file, key, wanted, report);
  if (value === undefined || value === wanted || (wanted.endsWith('/') && `${value}/` === wanted)) return;
  report.error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key} is ${JSON.stringify(value)}; a bundle of manifests has ${wanted}`,
    `write ${key}: ${wanted}`,
  );
}

function checkEmpty(file: PlacedDocument, { error }: Report<'format'>): void {
  const { channels, defaultChannel } = annotationKeys;
  if (annotationIn(file, channels) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', channels]],
      `the annotation ${channels} is empty`,
      'write the channels with commas and nothing else between them, such as alpha,stable',
    );
  if (annotationIn(file, defaultChannel) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', defaultChannel]],
      `the annotation ${defaultChannel} is empty`,
      'name the default channel of the package, or remove the annotation',
    );
}

function valueOrMissing(
  file: PlacedDocument,
  key: string,
  example: string,
  { error }: Report<'format'>,
): string | undefined {
  const value = annotationIn(file, key);
  if (value === undefined) {
    const message = `the annotation ${key} is missing`;
    error('bundle/missing-annotation', [file, ['annotations']], message, `add ${key}: ${example}`);
  }
  return value;
}

/**
 * `metadata/dependencies.yaml`: what OLM installs first. Expressions of CEL are not compiled here.
 * Source: operator-registry `pkg/registry/types.go`.
 */
export const checkDependencies: Check<'format'> = ({ dependencies: file }, report) => {
  if (file === undefined) return;
  const list = file.value['dependencies'];
  for (const [index, item] of listOf(list).entries()) {
    for (const [path, problem, fix] of problemsOf(mapOf(item))) {
      report.error(
        'bundle/invalid-dependency',
        [file, ['dependencies', index, ...path]],
        `dependencies[${index}]: ${problem}`,
        fix,
      );
    }
  }
};

type Problem = readonly [FieldPath, string, string];

const kinds: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => readonly Problem[]>> = {
  'olm.gvk': (value) => empty(value, ['group', 'version', 'kind']),
  'olm.package': (value) => {
    const version = textOf(value['version']);
    const missing = empty(value, ['packageName', 'version']);
    if (version === '' || isVersionRange(version)) return missing;
    const problem = `the version ${JSON.stringify(version)} is not a range of versions`;
    return [...missing, [['value', 'version'], problem, 'write a range such as ">=1.2.0 <2.0.0"']];
  },
  'olm.label': (value) => empty(value, ['label']),
  'olm.constraint': ({ cel }) => {
    if (isJsonMap(cel) && textOf(cel['rule']) !== '') return [];
    return [[['value'], 'the constraint has no rule in CEL', 'write it as value.cel.rule']];
  },
};

function problemsOf(dependency: Readonly<Record<string, unknown>>): readonly Problem[] {
  const type = textOf(dependency['type']);
  const check = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (check === undefined)
    return [
      [['type'], `unknown type ${JSON.stringify(type)}`, `write one of ${Object.keys(kinds).join(', ')}`],
    ];
  const { value } = dependency;
  if (!isJsonMap(value))
    return [[['value'], 'value is not a mapping', `write the fields of ${type} below value`]];
  return check(value);
}

function empty(value: Readonly<Record<string, unknown>>, fields: readonly string[]): readonly Problem[] {
  return fields.flatMap((field): readonly Problem[] => {
    const item = value[field];
    if (typeof item === 'string' && item !== '') return [];
    const problem = item === undefined || item === '' ? `${field} is missing` : `${field} is not a text`;
    return [[['value', field], problem, `write value.${field}, in quotes`]];
  });
}
