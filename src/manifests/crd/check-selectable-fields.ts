import type { FindingList } from '../../errors/index.ts';
import type { JSONSchemaProps } from '../../schema/index.ts';
import { closestName } from '../../util/closest-name.ts';
import type { KindWithSchema } from './kind-version.ts';

/** Source: apiextensions `MaxSelectableFields`. */
const FIELDS_MAX = 8;
/** Source: apiextensions `allowedSelectableFieldSchema`. */
const types = ['string', 'boolean', 'integer'];

/** Checks the selectable fields of a version. Source: apiextensions `ValidateCustomResourceSelectableFields`, `cel.ValidFieldPath`. */
export function checkSelectableFields(
  findings: FindingList,
  { selectableFields, schema }: KindWithSchema,
): void {
  if (selectableFields === undefined) return;
  const paths = selectableFields.value;
  const valid = new Set<string>();
  for (const { value, place } of paths) {
    const problem = valid.has(value) ? 'it stands there twice' : pathProblem(schema, value);
    if (problem === undefined) {
      valid.add(value);
      continue;
    }
    findings.add({
      code: 'manifests/invalid-selectable-field',
      message: `the selectable field ${JSON.stringify(value)} is not valid: ${problem}`,
      where: place,
      fix: ['name a string, an integer or a boolean of spec or status, such as .spec.mode'],
    });
  }
  if (valid.size <= FIELDS_MAX) return;
  findings.add({
    code: 'manifests/invalid-selectable-field',
    message: `the version has ${valid.size} selectable fields; ${FIELDS_MAX} are allowed`,
    where: paths[FIELDS_MAX]?.place ?? selectableFields.place,
    fix: [`leave ${valid.size - FIELDS_MAX} of them out`],
  });
}

function pathProblem(root: JSONSchemaProps, path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (!path.startsWith('.')) return 'it does not start with a dot';
  if (path.includes('[')) return 'brackets are not allowed, for nothing inside of a list can be selected by';
  const names = path.slice(1).split('.');
  if (names[0] === 'metadata')
    return 'the name and the namespace can always be selected by, other metadata cannot';
  let node = root;
  let at = '';
  for (const name of names) {
    const next = step(node, name);
    if (typeof next === 'string') return `${at === '' ? 'the object' : at} ${next}`;
    if (next === undefined) {
      const closest = closestName(name, Object.keys(node.properties ?? {}));
      const meant = closest === undefined ? '' : `; did you mean ${at}.${closest}?`;
      return `there is no field ${at}.${name}${meant}`;
    }
    node = next;
    at = `${at}.${name}`;
  }
  return types.includes(node.type ?? '') ? undefined : `the field is ${describe(node)}`;
}

/** The schema of a field; undefined if there is none, a text if there can be none. */
function step(node: JSONSchemaProps, name: string): JSONSchemaProps | undefined | string {
  const { properties, additionalProperties } = node;
  if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return 'has no fields that the schema names';
}

function describe(node: JSONSchemaProps): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'an integer or a string';
  if (node.type === 'array') return 'a list';
  if (node.type === 'object') return 'an object';
  return node.type === undefined ? 'of no type' : `of type ${node.type}`;
}
