import { FieldSet } from '../../apply/field-set.ts';
import { invalidValue, required, type FieldError } from '../../field-error.ts';
import { equal, goJson, isJsonObject, listOf, objectOf, type JsonObject } from '../../json.ts';
import { unsupportedHere } from '../../unsupported.ts';
import type { BuiltInEntry } from '../served-kind.ts';
import { dropEmpty, ensureObject, setDefaults } from '../go-form.ts';
import { normalizeTemplate, templateErrors } from './pod-spec.ts';

function normalizeDeployment(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  ensureObject(object, 'status');
  setDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = ensureObject(spec, 'strategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate')
    setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  normalizeTemplate(ensureObject(spec, 'template'));
  dropEmpty(spec, 'selector.matchLabels');
  if (spec['minReadySeconds'] === 0) delete spec['minReadySeconds'];
  if (spec['paused'] === false) delete spec['paused'];
}

function specErrors(object: JsonObject): readonly FieldError[] {
  const spec = objectOf(object['spec']);
  const template = objectOf(spec['template']);
  const errors: FieldError[] = [];
  const { selector } = spec;
  const matchLabels = objectOf(objectOf(selector)['matchLabels']);
  if (selector === undefined) errors.push(required('spec.selector'));
  else if (Object.keys(objectOf(selector)).length === 0)
    errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for deployment'));
  const replicas = spec['replicas'];
  if (typeof replicas === 'number' && replicas < 0)
    errors.push(invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'));
  const labels = objectOf(objectOf(template['metadata'])['labels']);
  const matches = Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
  if (!matches || selector === undefined)
    errors.push({
      type: 'FieldValueInvalid',
      field: 'spec.template.metadata.labels',
      body: `Invalid value: ${Object.keys(labels).length === 0 ? 'null' : goJson(labels)}: \`selector\` does not match template \`labels\``,
    });
  return [...errors, ...templateErrors(template, 'spec.template')];
}

function selectorErrors(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [selector, old] = [objectOf(now['spec'])['selector'], objectOf(before['spec'])['selector']];
  return equal(selector, old) ? [] : [invalidValue('spec.selector', selector ?? null, 'field is immutable')];
}

/** Selectors of expressions are not judged here. */
function refuse(_verb: string, object: JsonObject): void {
  const selector = objectOf(objectOf(object['spec'])['selector']);
  if (listOf(selector['matchExpressions']).filter(isJsonObject).length > 0)
    throw unsupportedHere('matchExpressions in the selector of a Deployment', 'use matchLabels');
}

export const workloadRules: Readonly<Record<string, BuiltInEntry>> = {
  'apps/v1 Deployment': {
    plural: 'deployments',
    hasStatus: true,
    hasGeneration: true,
    empty: {
      spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
      status: {},
    },
    unconditionalUpdate: true,
    returnsDeleted: false,
    // Its status endpoint takes annotations and more of the metadata.
    statusIgnores: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']),
    normalize: normalizeDeployment,
    prepareCreate: (object) => void (object['status'] = {}),
    validate: specErrors,
    validateUpdate: (now, before) => [...specErrors(now), ...selectorErrors(now, before)],
    refuse,
  },
};
