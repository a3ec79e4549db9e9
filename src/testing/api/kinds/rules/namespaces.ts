import { labelProblems } from '../../objects/names.ts';
import { listOf, objectOf, jsonTextOf, type JsonObject } from '../../json.ts';
import type { BuiltInEntry } from '../served-kind.ts';
import { ensureObject, setDefaults } from '../go-form.ts';

/** Every namespace carries its own name. */
function label(object: JsonObject): void {
  const metadata = ensureObject(object, 'metadata');
  const name = jsonTextOf(metadata['name']);
  if (name !== '')
    metadata['labels'] = { ...objectOf(metadata['labels']), 'kubernetes.io/metadata.name': name };
}

export const namespaceRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 Namespace': {
    plural: 'namespaces',
    namespaced: false,
    hasStatus: true,
    nameRule: labelProblems,
    selectableFields: ['status.phase'],
    hasGeneration: false,
    empty: { spec: {}, status: {} },
    unconditionalUpdate: true,
    returnsDeleted: true,
    normalize: (object) => {
      ensureObject(object, 'spec');
      ensureObject(object, 'status');
      setDefaults(ensureObject(object, 'status'), {});
      label(object);
    },
    prepareCreate: (object) => {
      object['spec'] = { finalizers: ['kubernetes'] };
      object['status'] = { phase: 'Active' };
    },
    prepareUpdate: (now, before) => {
      now['spec'] = {
        ...objectOf(now['spec']),
        finalizers: [...listOf(objectOf(before['spec'])['finalizers'])],
      };
    },
  },
};
