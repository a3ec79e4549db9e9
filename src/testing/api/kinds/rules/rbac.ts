import {
  invalidValue,
  listOf,
  objectOf,
  pathSegmentProblems,
  required,
  subdomainProblems,
  unsupportedValue,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { immutable, nameErrors, objectsOf, selectorErrors } from './checks.ts';

const group = 'rbac.authorization.k8s.io';

function ruleErrors(object: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  return objectsOf(object['rules']).flatMap((rule, index) => {
    const at = `rules[${index}]`;
    const { nonResourceURLs = [] } = rule;
    const isEmpty = (name: string): boolean => listOf(rule[name]).length === 0;
    const errors: FieldError[] = isEmpty('verbs') ? [required(`${at}.verbs`)] : [];
    const field = `${at}.nonResourceURLs`;
    if (!isEmpty('nonResourceURLs')) {
      if (isNamespaced)
        errors.push(
          invalidValue(field, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'),
        );
      if (!['apiGroups', 'resources', 'resourceNames'].every(isEmpty))
        errors.push(
          invalidValue(
            field,
            nonResourceURLs,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        );
      return errors;
    }
    if (isEmpty('apiGroups'))
      errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'));
    if (isEmpty('resources'))
      errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'));
    return errors;
  });
}

function clusterRoleErrors(object: JsonObject): readonly FieldError[] {
  const { aggregationRule } = object;
  const errors = [...ruleErrors(object, false)];
  if (aggregationRule === undefined) return errors;
  const selectors = listOf(objectOf(aggregationRule)['clusterRoleSelectors']);
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    errors.push(required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  for (const [index, selector] of selectors.entries()) {
    const found = selectorErrors(selector, `${field}[${index}]`);
    errors.push(...found);
    if (found.length > 0) errors.push(invalidValue(`${field}[${index}]`, null, 'invalid label selector.'));
  }
  return errors;
}

function normalizeBinding(object: JsonObject): void {
  setDefaults(objectOf(object['roleRef']), { apiGroup: group });
  if (objectOf(object['roleRef'])['apiGroup'] === '') objectOf(object['roleRef'])['apiGroup'] = group;
  for (const subject of objectsOf(object['subjects']))
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') setDefaults(subject, { apiGroup: group });
}

function bindingErrors(object: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  const { apiGroup, kind, name } = objectOf(object['roleRef']);
  const errors: FieldError[] = [];
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (apiGroup !== group) errors.push(unsupportedValue('roleRef.apiGroup', apiGroup ?? '', [group]));
  if (!kinds.includes(jsonTextOf(kind))) errors.push(unsupportedValue('roleRef.kind', kind ?? '', kinds));
  if (jsonTextOf(name) === '') errors.push(required('roleRef.name'));
  else errors.push(...nameErrors(name, 'roleRef.name', pathSegmentProblems));
  for (const [index, subject] of objectsOf(object['subjects']).entries())
    errors.push(...subjectErrors(subject, isNamespaced, `subjects[${index}]`));
  return errors;
}

function subjectErrors(subject: JsonObject, isNamespaced: boolean, at: string): readonly FieldError[] {
  const { kind, name, apiGroup, namespace } = subject;
  const errors: FieldError[] = jsonTextOf(name) === '' ? [required(`${at}.name`)] : [];
  const own = jsonTextOf(apiGroup);
  switch (jsonTextOf(kind)) {
    case 'ServiceAccount':
      errors.push(...nameErrors(name, `${at}.name`, subdomainProblems));
      if (own !== '') errors.push(unsupportedValue(`${at}.apiGroup`, own, ['']));
      if (!isNamespaced && jsonTextOf(namespace) === '') errors.push(required(`${at}.namespace`));
      return errors;
    case 'User':
    case 'Group':
      if (own !== group) errors.push(unsupportedValue(`${at}.apiGroup`, own, [group]));
      return errors;
    default:
      errors.push(unsupportedValue(`${at}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']));
      return errors;
  }
}

const plain = { hasGeneration: false, unconditionalUpdate: true, returnsDeleted: false } as const;

const binding = (isNamespaced: boolean): BuiltInEntry => ({
  ...plain,
  normalize: normalizeBinding,
  validate: (object) => bindingErrors(object, isNamespaced),
  validateUpdate: (now, before) => [
    ...bindingErrors(now, isNamespaced),
    ...immutable(now['roleRef'], before['roleRef'], 'roleRef'),
  ],
});

export const rbacRules: Readonly<Record<string, BuiltInEntry>> = {
  [`${group}/v1 Role`]: {
    ...plain,
    validate: (object) => ruleErrors(object, true),
    validateUpdate: (object) => ruleErrors(object, true),
  },
  [`${group}/v1 ClusterRole`]: { ...plain, validate: clusterRoleErrors, validateUpdate: clusterRoleErrors },
  [`${group}/v1 RoleBinding`]: binding(true),
  [`${group}/v1 ClusterRoleBinding`]: binding(false),
};
