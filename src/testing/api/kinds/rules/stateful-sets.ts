import {
  FieldSet,
  invalidValue,
  labelProblems,
  objectOf,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import {
  choiceErrors,
  immutable,
  intOrPercentErrors,
  invalidSelector,
  nameErrors,
  nonNegativeFields,
  objectsOf,
  over100Errors,
  specOf,
} from './checks.ts';
import { claimSpecErrors, claimWarnings, normalizeClaim } from './claims.ts';
import { templateErrors } from './pod-errors.ts';
import { dropDisabledOfTemplate, normalizeTemplate } from './pod-spec.ts';
import {
  alwaysErrors,
  changedTemplateWarnings,
  countErrors,
  isNone,
  isUnusable,
  mismatchErrors,
  ownSelectorErrors,
  scale,
  selectorChange,
  workload,
} from './workloads.ts';

function normalizeStatefulSet(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  if (strategy['type'] === undefined) {
    strategy['type'] = 'RollingUpdate';
    ensureObject(strategy, 'rollingUpdate');
  }
  if (strategy['type'] === 'RollingUpdate' && strategy['rollingUpdate'] !== undefined)
    setDefaults(objectOf(strategy['rollingUpdate']), { partition: 0, maxUnavailable: 1 });
  setDefaults(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
  normalizeTemplate(spec['template']);
  for (const claim of objectsOf(spec['volumeClaimTemplates'])) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    normalizeClaim(claim);
  }
}

function statefulSetErrors(object: JsonObject, isNew: boolean): readonly FieldError[] {
  const spec = specOf(object);
  const claims = objectsOf(spec['volumeClaimTemplates']);
  const {
    podManagementPolicy: policy,
    updateStrategy,
    persistentVolumeClaimRetentionPolicy,
    template,
  } = spec;
  const { type, rollingUpdate } = objectOf(updateStrategy);
  const errors: FieldError[] = [];
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(
      invalidValue('spec.podManagementPolicy', policy ?? '', "must be 'OrderedReady' or 'Parallel'"),
    );
  const at = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete' && rollingUpdate !== undefined)
    errors.push(invalidValue(at, rollingUpdate ?? null, "only allowed for updateStrategy 'RollingUpdate'"));
  else if (type === 'RollingUpdate') errors.push(...rollingErrors(objectOf(rollingUpdate), at));
  else if (type !== 'OnDelete')
    errors.push(
      invalidValue(
        'spec.updateStrategy',
        { Type: type ?? '', RollingUpdate: null },
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  for (const name of ['whenDeleted', 'whenScaled'])
    errors.push(
      ...choiceErrors(
        objectOf(persistentVolumeClaimRetentionPolicy)[name],
        `spec.persistentVolumeClaimRetentionPolicy.${name}`,
        ['Retain', 'Delete'],
      ),
    );
  if (isNew)
    for (const [index, claim] of claims.entries())
      errors.push(...claimSpecErrors(objectOf(claim['spec']), `spec.volumeClaimTemplates[${index}].spec`));
  errors.push(
    ...nonNegativeFields(spec, 'spec', 'replicas', 'minReadySeconds'),
    ...nonNegativeFields(objectOf(spec['ordinals']), 'spec.ordinals', 'start'),
    ...(isNew ? nameErrors(spec['serviceName'], 'spec.serviceName') : []),
    ...ownSelectorErrors(spec, 'statefulset'),
    ...(isUnusable(spec['selector'])
      ? [invalidSelector(spec['selector'], 'spec.selector', '')]
      : [...mismatchErrors(spec), ...templateErrors(withClaims(template, claims), 'spec.template')]),
    ...alwaysErrors(spec, 'StatefulSet'),
  );
  return errors;
}

function rollingErrors(update: JsonObject, at: string): readonly FieldError[] {
  const { maxUnavailable } = update;
  const field = `${at}.maxUnavailable`;
  return [
    ...nonNegativeFields(update, at, 'partition'),
    ...(maxUnavailable === undefined
      ? []
      : [
          ...intOrPercentErrors(maxUnavailable, field),
          ...(isNone(maxUnavailable) ? [invalidValue(field, maxUnavailable, 'cannot be 0')] : []),
          ...over100Errors(maxUnavailable, field),
        ]),
  ];
}

/** Returns the template that the server checks: with the volumes of the claims first, and without names that the set determines. */
function withClaims(template: Json | undefined, claims: readonly JsonObject[]): JsonObject {
  const { hostname: _, subdomain: __, ...spec } = objectOf(objectOf(template)['spec']);
  const names = new Set(claims.map(({ metadata }) => jsonTextOf(objectOf(metadata)['name'])));
  const volumes = [
    ...[...names].map((name): JsonObject => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...objectsOf(spec['volumes']).filter(({ name }) => !names.has(jsonTextOf(name))),
  ];
  return { ...objectOf(template), spec: { ...spec, volumes } };
}

function statefulSetChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const names = ['volumeClaimTemplates', 'serviceName', 'podManagementPolicy'];
  return [
    ...selectorChange(now, before),
    ...names.flatMap((name) => immutable(specOf(now)[name], specOf(before)[name], `spec.${name}`)),
  ];
}

/** Returns the warnings about claims and the history. The server names the claims differently for new sets and for changed ones. */
function claimsWarnings(spec: JsonObject, part: string): readonly string[] {
  return [
    ...objectsOf(spec['volumeClaimTemplates']).flatMap((claim, index) =>
      claimWarnings(objectOf(claim['spec']), `spec.volumeClaimTemplates[${index}]${part}`),
    ),
    ...(Number(spec['revisionHistoryLimit'] ?? 0) < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ];
}

export const statefulSetRules: Readonly<Record<string, BuiltInEntry>> = {
  'apps/v1 StatefulSet': {
    ...workload,
    scale,
    statusIgnores: FieldSet.of(['f:spec']),
    nameRule: labelProblems,
    normalize: normalizeStatefulSet,
    prepareCreate: (object) => {
      object['status'] = { replicas: 0, availableReplicas: 0 };
      dropDisabledOfTemplate(specOf(object)['template']);
    },
    prepareUpdate: (object) => dropDisabledOfTemplate(specOf(object)['template']),
    validate: (object) => statefulSetErrors(object, true),
    validateUpdate: (now, before) => [...statefulSetErrors(now, false), ...statefulSetChanges(now, before)],
    warnings: (now, before) => [
      ...changedTemplateWarnings(now, before),
      ...claimsWarnings(specOf(now), before === undefined ? '' : '.Spec'),
    ],
    validateStatus: (now) =>
      countErrors(
        now,
        ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
        'status.readyReplicas',
      ),
  },
};
