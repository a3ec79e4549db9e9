import { closestName } from '../../../base/util/terminal-words.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { JSONSchemaProps } from '../../objects/index.ts';
import { collect, type FieldPath, type Violation } from './violation.ts';

/** Source: apiextensions `MaxSelectableFields`. */
const FIELDS_MAX = 8;
/** Source: apiextensions `allowedSelectableFieldSchema`. */
const types = ['string', 'boolean', 'integer'];

/** `selectableFields` of a version. Source: apiextensions `ValidateCustomResourceSelectableFields`, `cel.ValidFieldPath`. */
export function checkSelectableFields(
  version: JsonMap,
  schema: JSONSchemaProps,
  at: FieldPath,
): readonly Violation[] {
  const path = [...at, 'selectableFields'];
  const fields = jsonListOf(version['selectableFields']).map((field) =>
    jsonTextOf(jsonMapOf(field)['jsonPath']),
  );
  return collect('crd/selectable-field', (add) => {
    const valid = new Set<string>();
    for (const [index, field] of fields.entries()) {
      const problem = valid.has(field) ? 'it is listed twice' : pathProblem(schema, field);
      if (problem === undefined) valid.add(field);
      else
        add(
          [...path, index, 'jsonPath'],
          `the selectable field ${JSON.stringify(field)} is not valid: ${problem}`,
          'name a string, an integer or a boolean of spec or status, such as .spec.mode',
        );
    }
    if (valid.size <= FIELDS_MAX) return;
    const message = `the version has ${valid.size} selectable fields; ${FIELDS_MAX} are allowed`;
    add([...path, FIELDS_MAX], message, `remove ${valid.size - FIELDS_MAX} of them`);
  });
}

function pathProblem(root: JSONSchemaProps, path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (!path.startsWith('.')) return 'it does not start with a dot';
  if (path.includes('[')) return 'array notation is not allowed in a selectable field';
  const names = path.slice(1).split('.');
  if (names[0] === 'metadata')
    return 'fields of metadata cannot be added; only metadata.name and metadata.namespace are selectable, and always';
  let node = root;
  let at = '';
  for (const name of names) {
    const next = step(node, name);
    if (typeof next === 'string') return `${at === '' ? 'the object' : at} ${next}`;
    if (next === undefined) {
      const closest = closestName(name, Object.keys(node.properties ?? {}));
      const meant = closest === undefined ? '' : `; did you mean ${at}.${closest}?`;
      return `unknown field ${at}.${name}${meant}`;
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
  return 'declares no fields in the schema';
}

function describe(node: JSONSchemaProps): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'an integer or a string';
  if (node.type === 'array') return 'a list';
  if (node.type === 'object') return 'an object';
  return node.type === undefined ? 'of no type' : `of type ${node.type}`;
}
