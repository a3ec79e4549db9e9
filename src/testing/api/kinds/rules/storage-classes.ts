import {
  duplicateValue,
  invalidValue,
  listOf,
  qualifiedNameProblems,
  required,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { choiceErrors, immutable, nameErrors, objectsOf, problemErrors } from './checks.ts';

function classErrors(object: JsonObject): readonly FieldError[] {
  const provisioner = jsonTextOf(object['provisioner']);
  const policy = object['reclaimPolicy'];
  return [
    ...(provisioner === ''
      ? [required('provisioner')]
      : nameErrors(provisioner.toLowerCase(), 'provisioner', qualifiedNameProblems)),
    ...Object.keys(parametersOf(object)).flatMap((name) =>
      name === '' ? [invalidValue('parameters', '', 'field can not be empty.')] : [],
    ),
    ...(policy === '' ? [] : choiceErrors(policy, 'reclaimPolicy', ['Delete', 'Retain'])),
    ...choiceErrors(object['volumeBindingMode'], 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
    ...topologyErrors(object['allowedTopologies'], 'allowedTopologies'),
  ];
}

const parametersOf = ({ parameters }: JsonObject): JsonObject => (parameters ?? {}) as JsonObject;

function topologyErrors(list: Json | undefined, path: string): readonly FieldError[] {
  const before: JsonObject[] = [];
  return objectsOf(list).flatMap((term, index) => {
    const at = `${path}[${index}].matchLabelExpressions`;
    const found: JsonObject = {};
    const errors = objectsOf(term['matchLabelExpressions']).flatMap((requirement, number) => {
      const key = jsonTextOf(requirement['key']);
      const isKnown = Object.hasOwn(found, key);
      found[key] = [...new Set(listOf(requirement['values']))].map(jsonTextOf).sort();
      return [
        ...requirementErrors(requirement, `${at}[${number}]`),
        ...(isKnown ? [duplicateValue(`${at}[${number}].key`, key)] : []),
      ];
    });
    // The server compares a term with empty ones, too: as many as there are terms.
    const isEmpty = Object.keys(found).length === 0;
    const isRepeated = isEmpty || before.some((other) => isEqualJson(other, found));
    before.push(found);
    return isRepeated ? [...errors, duplicateValue(at, '')] : errors;
  });
}

function requirementErrors({ key, values }: JsonObject, at: string): readonly FieldError[] {
  const list = listOf(values);
  return [
    ...(list.length === 0 ? [required(`${at}.values`)] : []),
    ...list.flatMap((value, index) =>
      list.indexOf(value) < index ? [duplicateValue(`${at}.values[${index}]`, value)] : [],
    ),
    ...problemErrors(key ?? '', `${at}.key`, qualifiedNameProblems),
  ];
}

export const storageClassRules: Readonly<Record<string, BuiltInEntry>> = {
  'storage.k8s.io/v1 StorageClass': {
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    normalize: (object) => setDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
    validate: classErrors,
    validateUpdate: (now, before) => [
      ...classErrors(now),
      ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
        immutable(now[name], before[name], name, null),
      ),
    ],
  },
};
