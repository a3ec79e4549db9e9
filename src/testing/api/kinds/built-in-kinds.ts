import * as admissionregistration from '../../../sdk/k8s/generated/admissionregistration/v1.ts';
import * as apiextensions from '../../../sdk/k8s/generated/apiextensions/v1.ts';
import * as apiregistration from '../../../sdk/k8s/generated/apiregistration/v1.ts';
import * as apps from '../../../sdk/k8s/generated/apps/v1.ts';
import * as authentication from '../../../sdk/k8s/generated/authentication/v1.ts';
import * as authorization from '../../../sdk/k8s/generated/authorization/v1.ts';
import * as autoscalingV1 from '../../../sdk/k8s/generated/autoscaling/v1.ts';
import * as autoscalingV2 from '../../../sdk/k8s/generated/autoscaling/v2.ts';
import * as batch from '../../../sdk/k8s/generated/batch/v1.ts';
import * as certificates from '../../../sdk/k8s/generated/certificates/v1.ts';
import * as coordination from '../../../sdk/k8s/generated/coordination/v1.ts';
import * as core from '../../../sdk/k8s/generated/core/v1.ts';
import * as discovery from '../../../sdk/k8s/generated/discovery/v1.ts';
import * as events from '../../../sdk/k8s/generated/events/v1.ts';
import * as flowcontrol from '../../../sdk/k8s/generated/flowcontrol/v1.ts';
import * as networking from '../../../sdk/k8s/generated/networking/v1.ts';
import * as node from '../../../sdk/k8s/generated/node/v1.ts';
import * as policy from '../../../sdk/k8s/generated/policy/v1.ts';
import * as rbac from '../../../sdk/k8s/generated/rbac/v1.ts';
import * as resource from '../../../sdk/k8s/generated/resource/v1.ts';
import * as scheduling from '../../../sdk/k8s/generated/scheduling/v1.ts';
import * as schedulingAlpha from '../../../sdk/k8s/generated/scheduling/v1alpha3.ts';
import * as storage from '../../../sdk/k8s/generated/storage/v1.ts';
import * as storagemigration from '../../../sdk/k8s/generated/storagemigration/v1.ts';
import type { Resource } from '../../../sdk/api/index.ts';
import {
  objectMetaSchema,
  pathSegmentProblems,
  subdomainProblems,
  type JsonObject,
  type Schema,
} from '../../../kubernetes/objects/index.ts';
import {
  expandedSchema,
  normalizeGoJson,
  tableNameOfKind,
  tableSchema,
} from '../../../kubernetes/tables/index.ts';
import { badRequest } from '../status-error.ts';
import { autoscalingRules } from './rules/autoscaling.ts';
import { claimRules } from './rules/claims.ts';
import { configRules } from './rules/config.ts';
import { cronJobRules } from './rules/cron-jobs.ts';
import { daemonSetRules } from './rules/daemon-sets.ts';
import { endpointSliceRules } from './rules/endpoint-slices.ts';
import { eventRules } from './rules/events.ts';
import { jobRules } from './rules/jobs.ts';
import { networkingRules } from './rules/networking.ts';
import { persistentVolumeRules } from './rules/persistent-volumes.ts';
import { podRules } from './rules/pods.ts';
import { policyRules } from './rules/policy.ts';
import { rbacRules } from './rules/rbac.ts';
import { serviceRules } from './rules/services.ts';
import { smallRules } from './rules/small.ts';
import { statefulSetRules } from './rules/stateful-sets.ts';
import { storageClassRules } from './rules/storage-classes.ts';
import { workloadRules } from './rules/workloads.ts';
import type { BuiltInEntry, ServedKind } from './served-kind.ts';

const modules: readonly Readonly<Record<string, unknown>>[] = [
  ...[admissionregistration, apiextensions, apiregistration, apps, authentication, authorization],
  ...[autoscalingV1, autoscalingV2, batch, certificates, coordination, core, discovery, events, flowcontrol],
  ...[networking, node, policy, rbac, resource, scheduling, schedulingAlpha, storage, storagemigration],
];

/** Rules of built-in kinds. The key is `apiVersion kind`. The other built-in kinds are served with their schema alone. */
const builtInRules: Readonly<Record<string, BuiltInEntry>> = {
  ...autoscalingRules,
  ...claimRules,
  ...configRules,
  ...cronJobRules,
  ...daemonSetRules,
  ...endpointSliceRules,
  ...eventRules,
  ...jobRules,
  ...networkingRules,
  ...persistentVolumeRules,
  ...podRules,
  ...policyRules,
  ...rbacRules,
  ...serviceRules,
  ...smallRules,
  ...statefulSetRules,
  ...storageClassRules,
  ...workloadRules,
};

let served: readonly ServedKind[] | undefined;

/** Kinds whose objects the API server answers or computes, and does not store: reviews, bindings, the status of components. */
export const isNotStored = ({ kind }: Resource): boolean =>
  /(?:Review|^Binding|^ComponentStatus)$/.test(kind);

/** Returns all built-in kinds whose objects are stored. The schema of a kind is read when it is needed first. */
export function builtInKinds(): readonly ServedKind[] {
  served ??= modules.flatMap((module) =>
    Object.values(module).flatMap((value) =>
      isResource(value) && !isNotStored(value) ? [servedKind(value)] : [],
    ),
  );
  return served;
}

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'plural' in value;

function servedKind({ group, version, apiVersion, kind, plural, namespaced }: Resource): ServedKind {
  const entry: BuiltInEntry = builtInRules[`${apiVersion} ${kind}`] ?? schemaAlone;
  const { nameRule, selectableFields = [], scale, normalize, hasStatus, ...rules } = entry;
  const type = tableNameOfKind(apiVersion, kind) ?? '';
  const text: Schema = { type: 'string' };
  const read = once((): Schema => {
    const schema = expandedSchema(type, new Map([[metadataName, objectMetaSchema]]));
    return {
      ...schema,
      properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema },
    };
  });
  const empty = once((): JsonObject => {
    const object: JsonObject = { metadata: {} };
    normalizeGoJson(object, type);
    const { metadata: _, ...rest } = object;
    return rest;
  });
  return {
    group,
    version,
    apiVersion,
    kind,
    listKind: `${kind}List`,
    plural,
    namespaced,
    get schema() {
      return read();
    },
    get hasStatus() {
      return hasStatus ?? tableSchema(type)?.properties?.['status'] !== undefined;
    },
    scale,
    rules: undefined,
    nameRule: nameRule ?? (group === 'rbac.authorization.k8s.io' ? pathSegmentProblems : subdomainProblems),
    selectableFields,
    builtIn: {
      ...rules,
      get empty() {
        return empty();
      },
      hasRules: entry !== schemaAlone,
      normalize: (object) => {
        normalizeGoJson(object, type, () => {
          throw badRequest(
            `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${quantityProblem}`,
          );
        });
        normalize?.(object);
      },
    },
  };
}

const quantityProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const metadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Treatment of a kind without rules. */
const schemaAlone: BuiltInEntry = {
  hasGeneration: false,
  unconditionalUpdate: true,
  returnsDeleted: false,
};
