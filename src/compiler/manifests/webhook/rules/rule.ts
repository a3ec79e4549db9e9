import { jsonListOf, jsonTextOf, type JsonMap } from '../../../../base/util/json-map.ts';
import type { AddViolation } from './violation.ts';

const operations = ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** A rule of a webhook. Source: `validateRuleWithOperations`. */
export function checkRule(rule: JsonMap, index: number, add: AddViolation): void {
  const texts = (field: string): readonly string[] => jsonListOf(rule[field]).map(jsonTextOf);
  const at = (...path: readonly (string | number)[]): readonly (string | number)[] => [
    'rules',
    index,
    ...path,
  ];
  for (const field of ['operations', 'apiGroups', 'apiVersions', 'resources']) {
    const values = texts(field);
    if (values.length === 0) add(at(field), `a rule lacks ${field}`, `name ${field}`);
    const isLone = field !== 'resources';
    if (isLone && values.length > 1 && values.includes('*'))
      add(at(field), `${field} of a rule: '*' includes all others`, "leave '*' alone, or remove it");
    for (const [position, value] of values.entries()) {
      if (value !== '' || field === 'apiGroups') continue;
      add(at(field, position), `an item of ${field} of a rule is empty`, 'remove it, or write a name');
    }
  }
  for (const [position, operation] of texts('operations').entries()) {
    if (operations.includes(operation)) continue;
    const expected = operations.join(', ');
    add(
      at('operations', position),
      `expected one of ${expected}, got '${operation}'`,
      `write one of ${expected}`,
    );
  }
  if (rule['scope'] !== undefined && !scopes.includes(jsonTextOf(rule['scope'])))
    add(
      at('scope'),
      `expected one of ${scopes.join(', ')}, got ${JSON.stringify(rule['scope'])}`,
      'correct the scope',
    );
  checkResources(texts('resources'), (path, ...rest) => add(at('resources', ...path), ...rest));
}

/** Which resources exclude one another. Source: `validateResources`. */
function checkResources(resources: readonly string[], add: AddViolation): void {
  const fix = 'leave one of the two out';
  if (resources.length > 1 && resources.includes('*/*'))
    add([], "resources of a rule: '*/*' includes all others", fix);
  // The API server looks at the last one only.
  const last = resources.filter((each) => !each.includes('/')).at(-1);
  if (resources.includes('*') && last !== '*')
    add([], "resources of a rule: '*' includes all others without a subresource", fix);
  for (const [index, resource] of resources.entries()) {
    const [name = '', subresource] = resource.split(/\/(.*)/s);
    if (subresource === undefined) continue;
    const wider = [`${name}/*`, `*/${subresource}`].find(
      (each) => resources.indexOf(each) < index && resources.includes(each),
    );
    if (wider !== undefined) add([index], `resources of a rule: '${wider}' includes '${resource}'`, fix);
  }
}
