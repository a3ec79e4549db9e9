import { isJsonMap } from '../../../../../base/util/json-map.ts';
import { listOf, mapOf, textOf } from '../../fields.ts';
import { isVersionRange } from '../../semver.ts';
import type { Check, FieldPath } from '../../types.ts';

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
