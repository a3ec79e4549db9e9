import { FindingList } from '../../base/errors/index.ts';
import { readCrdDefinitions } from '../manifest-files.ts';
import { rulesOf, type CrdDocument } from '../../kubernetes/crd/index.ts';
import {
  subdomainProblems,
  objectMetaSchema,
  type Schema,
  pathSegmentProblems,
  labelProblems,
  listOf,
  objectOf,
  type JsonObject,
  FieldSet,
  invalidValue,
  required,
  type FieldError,
  goJson,
  isObject,
} from '../../kubernetes/objects/index.ts';
import { expandedSchema, tableNameOfKind } from '../../kubernetes/tables/index.ts';
import { jsonTextOf, isEqualJson } from '../../base/util/json-map.ts';
import {
  type ServedKind,
  type BuiltInEntry,
  KindRegistry,
  ensureObject,
  setDefaults,
  dropEmpty,
} from './kinds/served-kind.ts';
import { InMemoryTestApi } from './in-memory-test-api.ts';
import type { TestApi, TestApiOptions } from './types.ts';
import { configRules } from './kinds/rules/config.ts';
import { serviceRules } from './kinds/rules/services.ts';
import { unsupportedHere } from './status-error.ts';
import { normalizeTemplate, templateErrors } from './kinds/rules/pod-spec.ts';

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
  return isEqualJson(selector, old)
    ? []
    : [invalidValue('spec.selector', selector ?? null, 'field is immutable')];
}

/** Refuses a selector with `matchExpressions`, because this test server does not evaluate them. */
function refuse(_verb: string, object: JsonObject): void {
  const selector = objectOf(objectOf(object['spec'])['selector']);
  if (listOf(selector['matchExpressions']).filter(isObject).length > 0)
    throw unsupportedHere('matchExpressions in the selector of a Deployment', 'use matchLabels');
}

const workloadRules: Readonly<Record<string, BuiltInEntry>> = {
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
    // The status endpoint of Deployments also accepts annotations and further metadata.
    statusIgnores: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']),
    normalize: normalizeDeployment,
    prepareCreate: (object) => void (object['status'] = {}),
    validate: specErrors,
    validateUpdate: (now, before) => [...specErrors(now), ...selectorErrors(now, before)],
    refuse,
  },
};

/**
 * An API server in memory, for unit tests of controllers. Like a real API server, it has schemas, defaults, conflicts, server-side apply,
 * watches and garbage collection. It starts in milliseconds and needs no binaries. Requests that it could not answer like a real API server
 * are refused with `testapi/unsupported`; docs/testing.md lists them.
 * @throws OpSdkError `testapi/unknown-kind`, `testapi/invalid-object`; the errors of the CRDs
 * @example
 * await using api = await createTestApi({ kinds: [Nginx, Deployment], objects: [nginx] });
 * api.add(nginxController);
 * await api.settle();
 * expect(await api.client.get(Deployment, key)).toMatchObject({ spec: { replicas: 2 } });
 */
export async function createTestApi(options: TestApiOptions): Promise<TestApi> {
  const crds = await readCrdDefinitions(options.crds);
  const custom = crds.map((crd) => customKinds(crd, options.cel));
  const registry = new KindRegistry([...builtInKinds(), ...(await Promise.all(custom)).flat()]);
  const findings = new FindingList();
  for (const { apiVersion, kind } of options.kinds) {
    if (registry.ofType(apiVersion, kind) !== undefined) continue;
    const isCustom = /\./.test(apiVersion) && !/\.k8s\.io\//.test(apiVersion);
    findings.add({
      code: 'testapi/unknown-kind',
      message: `kinds: the test API has no schema of ${apiVersion} ${kind}`,
      fix: isCustom
        ? ['run op-sdk generate manifests, or name the file of its CustomResourceDefinition in crds']
        : ['test it against a real API server: startControlPlane of opsdk/testing'],
    });
  }
  findings.throwIfAny();
  const api = new InMemoryTestApi(options, registry);
  try {
    await api.start();
  } catch (error) {
    await api[Symbol.asyncDispose]();
    throw error;
  }
  return api;
}

/**
 * Returns the kinds that a CRD declares, one for each served version, with their CEL rules.
 * @param cel `assume-valid` leaves out the rules. Default: `evaluate`
 */
export async function customKinds(
  { spec }: CrdDocument,
  cel: TestApiOptions['cel'] = 'evaluate',
): Promise<readonly ServedKind[]> {
  const { group, scope, names, versions } = spec;
  const kinds = versions
    .filter(({ served }) => served)
    .map(async ({ name: version, schema, subresources, selectableFields = [] }) => {
      const { scale } = subresources ?? {};
      const root = schema.openAPIV3Schema as Schema;
      return {
        group,
        version,
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        listKind: names.listKind ?? `${names.kind}List`,
        plural: names.plural,
        namespaced: scope === 'Namespaced',
        schema: {
          ...root,
          properties: {
            ...root.properties,
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: objectMetaSchema,
          },
        },
        rules: cel === 'evaluate' ? await rulesOf(root) : undefined,
        hasStatus: subresources?.status !== undefined,
        scale:
          scale === undefined
            ? undefined
            : {
                spec: scale.specReplicasPath.replace(/^\./, ''),
                status: scale.statusReplicasPath.replace(/^\./, ''),
                selector: scale.labelSelectorPath?.replace(/^\./, ''),
              },
        nameRule: subdomainProblems,
        selectableFields: selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
        builtIn: undefined,
      };
    });
  return Promise.all(kinds);
}

/** Sets the label `kubernetes.io/metadata.name` of a namespace to the namespace's name. */
function label(object: JsonObject): void {
  const metadata = ensureObject(object, 'metadata');
  const name = jsonTextOf(metadata['name']);
  if (name !== '')
    metadata['labels'] = { ...objectOf(metadata['labels']), 'kubernetes.io/metadata.name': name };
}

const namespaceRules: Readonly<Record<string, BuiltInEntry>> = {
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

/** Returns the supported built-in kinds: only those whose behaviour is verified against a real API server. */
export function builtInKinds(): readonly ServedKind[] {
  return Object.entries(builtInRules).map(
    ([type, { plural, namespaced = true, hasStatus = false, nameRule, selectableFields = [], ...rules }]) => {
      const [apiVersion = '', kind = ''] = type.split(' ');
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      return {
        group,
        version,
        apiVersion,
        kind,
        listKind: `${kind}List`,
        plural,
        namespaced,
        schema: schemaOf(apiVersion, kind),
        rules: undefined,
        hasStatus,
        scale: undefined,
        nameRule:
          nameRule ?? (group === 'rbac.authorization.k8s.io' ? pathSegmentProblems : subdomainProblems),
        selectableFields,
        builtIn: rules,
      };
    },
  );
}

const metadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function schemaOf(apiVersion: string, kind: string): Schema {
  const name = tableNameOfKind(apiVersion, kind);
  if (name === undefined) throw new TypeError(`no built-in kind ${apiVersion} ${kind}`);
  const text: Schema = { type: 'string' };
  const schema = expandedSchema(name, new Map([[metadataName, objectMetaSchema]]));
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema },
  };
}

/** Rules of the supported built-in kinds. The key is `apiVersion kind`. Other built-in kinds are refused. */
const builtInRules: Readonly<Record<string, BuiltInEntry>> = {
  ...configRules,
  ...namespaceRules,
  ...serviceRules,
  ...workloadRules,
};
