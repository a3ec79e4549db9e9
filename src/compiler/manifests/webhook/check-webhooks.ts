import { formatWhere, type Finding, type FindingList } from '../../../base/errors/index.ts';
import { label1123Problem } from '../../../kubernetes/objects/index.ts';
import { isJsonMap, jsonListOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { labelRequirements, labelsMatch, LabelSelectorError } from '../../../base/util/label-selector.ts';
import type { CustomKind } from '../crd/check-group.ts';
import type { KindWithSchema } from '../crd/kind-version.ts';
import { hasStatus } from '../crd/crd-document.ts';
import { checkWebhookConfiguration } from './rules/check-configuration.ts';
import type { DeclaredWebhook } from './read-webhook.ts';
import {
  operatorLabels,
  placeInConfiguration,
  webhookPath,
  type WebhookConfiguration,
} from './webhook-documents.ts';

/** Checks webhook configurations by the rules of Kubernetes. Reports each problem at the declaration of the webhook. */
export function judgeWebhooks(
  findings: FindingList,
  configurations: readonly WebhookConfiguration[],
  kinds: readonly CustomKind<KindWithSchema>[],
): void {
  const webhooks = configurations.flatMap((configuration) => configuration.webhooks);
  for (const configuration of configurations) {
    for (const { path, message, fix } of checkWebhookConfiguration(configuration.document)) {
      // The name of a webhook comes from its kind and version, so a repeated name means a repeated webhook, which another check reports.
      if (path[2] === 'name' && isTwin(configuration.webhooks, Number(path[1]))) continue;
      const where = placeInConfiguration(configuration, path);
      findings.add({ code: 'manifests/invalid-webhook', message, ...(where && { where }), fix: [fix] });
    }
  }
  findings.add(...twins(webhooks), ...samePaths(webhooks));
  for (const webhook of webhooks) findings.add(...checkSubresources(webhook, kinds));
}

const idOf = ({ role, kind: { group, version, kind } }: DeclaredWebhook): string =>
  `${role} ${group}/${version} ${kind}`;

function isTwin(webhooks: readonly DeclaredWebhook[], index: number): boolean {
  const own = webhooks[index];
  return own !== undefined && webhooks.filter((each) => idOf(each) === idOf(own)).length > 1;
}

/** Reports webhooks with the same kind, version and role (defaulting or validation). */
function twins(webhooks: readonly DeclaredWebhook[]): readonly Finding[] {
  return pairs(webhooks, idOf).map(([first, second]) => {
    const { kind, role } = second;
    const part = role === 'defaulting' ? 'default' : 'validate';
    return {
      code: 'manifests/duplicate-webhook',
      message: `${kind.kind} ${kind.version} has two webhooks with \`${part}\`, the first at ${formatWhere(first.place)}`,
      where: second.place,
      fix: ['join the two into one defineWebhook'],
    };
  });
}

/** Reports webhooks with the same path, because the webhook server could not distinguish their requests. */
function samePaths(webhooks: readonly DeclaredWebhook[]): readonly Finding[] {
  return pairs(webhooks, webhookPath)
    .filter(([first, second]) => idOf(first) !== idOf(second))
    .map(([first, second]) => ({
      code: 'manifests/duplicate-webhook',
      message: `two webhooks have the path ${webhookPath(second)}, the first at ${formatWhere(first.placeOf('path'))}`,
      where: second.placeOf('path'),
      fix: ['give one of them another `path`'],
    }));
}

function pairs(
  webhooks: readonly DeclaredWebhook[],
  keyOf: (webhook: DeclaredWebhook) => string,
): readonly (readonly [DeclaredWebhook, DeclaredWebhook])[] {
  const taken = new Map<string, DeclaredWebhook>();
  return webhooks.flatMap((webhook) => {
    const first = taken.get(keyOf(webhook));
    if (first === undefined) taken.set(keyOf(webhook), webhook);
    return first === undefined ? [] : [[first, webhook] as const];
  });
}

/**
 * Subresources whose requests contain an object of another kind, or no object. Sources: kubernetes `pkg/registry/core/rest/storage_core.go`
 * and the corresponding files of the other groups; apiextensions `customresource_handler.go`.
 */
const ofOtherKinds: ReadonlySet<string> = new Set([
  ...['scale', 'eviction', 'binding', 'token', 'log'],
  ...['exec', 'attach', 'portforward', 'proxy'],
]);

function checkSubresources(
  webhook: DeclaredWebhook,
  kinds: readonly CustomKind<KindWithSchema>[],
): readonly Finding[] {
  const { kind, subresources } = webhook;
  const own = kinds.find(
    ({ storage }) => storage.group.value === kind.group && storage.kind.value === kind.kind,
  );
  const version = own?.versions.find((each) => each.version.value === kind.version);
  return subresources.flatMap((name, index): readonly Finding[] => {
    const problem = subresourceProblem(name, subresources.indexOf(name) < index, kind.kind, version);
    if (problem === undefined) return [];
    return [
      {
        code: 'manifests/invalid-webhook',
        message: `the subresource '${name}' of a webhook of ${kind.kind} is not valid: ${problem}`,
        where: webhook.placeOf('subresources', index),
        fix: ['remove this subresource'],
      },
    ];
  });
}

function subresourceProblem(
  name: string,
  isTwice: boolean,
  kind: string,
  version: KindWithSchema | undefined,
): string | undefined {
  if (isTwice) return 'it is listed twice';
  if (ofOtherKinds.has(name)) return `requests for this subresource do not contain a ${kind}`;
  const problem = label1123Problem(name);
  if (problem !== undefined) return problem;
  if (version === undefined) return undefined;
  if (name !== 'status') return 'a custom resource has no such subresource';
  return hasStatus(version) ? undefined : `${kind} ${version.version.value} has no status subresource`;
}

/**
 * Objects that the operator or the cluster must write before the operator can answer webhook requests. `labelled` means that these objects
 * have the operator's labels.
 */
const needed: Readonly<Record<string, Readonly<Record<string, 'labelled' | 'plain'>>>> = {
  '': {
    namespaces: 'labelled',
    pods: 'labelled',
    ...{ configmaps: 'plain', endpoints: 'plain', events: 'plain', nodes: 'plain' },
    ...{ secrets: 'plain', serviceaccounts: 'plain', services: 'plain' },
  },
  apps: { deployments: 'labelled', replicasets: 'labelled' },
  'discovery.k8s.io': { endpointslices: 'plain' },
  'coordination.k8s.io': { leases: 'plain' },
  'apiextensions.k8s.io': { customresourcedefinitions: 'plain' },
  'authentication.k8s.io': { tokenreviews: 'plain' },
  'authorization.k8s.io': { subjectaccessreviews: 'plain' },
  'rbac.authorization.k8s.io': {
    ...{ clusterroles: 'plain', clusterrolebindings: 'plain', roles: 'plain', rolebindings: 'plain' },
  },
};

/**
 * Reports webhooks that may keep their own operator from starting. Before the operator answers, the API server rejects each request that
 * the webhook must check, including requests that are needed to start the operator.
 *
 * @param namespace namespace of the operator; undefined if it is not known
 */
export function blockingWebhooks(
  configurations: readonly WebhookConfiguration[],
  namespace: string | undefined,
): readonly Finding[] {
  return configurations.flatMap(({ document, webhooks }) =>
    jsonListOf(document['webhooks']).flatMap((entry, index): readonly Finding[] => {
      const webhook = webhooks[index];
      if (webhook === undefined || !isJsonMap(entry) || entry['failurePolicy'] !== 'Fail') return [];
      const { group, plural, kind } = webhook.kind;
      const ofGroup = Object.hasOwn(needed, group) ? needed[group] : undefined;
      const isWild = group === '*' || plural === '*';
      const need = isWild
        ? 'plain'
        : ofGroup !== undefined && Object.hasOwn(ofGroup, plural)
          ? ofGroup[plural]
          : undefined;
      if (need === undefined || isSpared(entry, need, namespace)) return [];
      const role = webhook.role === 'defaulting' ? 'default' : 'validate';
      return [
        {
          code: 'manifests/webhook-blocks-operator',
          message: `while the operator does not answer, \`${role}\` of ${kind} refuses all ${plural}, including those that the operator needs to start`,
          where: webhook.kindPlace,
          fix: [
            `pass over the operator's namespace: namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['${namespace ?? '<namespace>'}'] }] }`,
            ...(need === 'labelled' ? ['or over its objects: leave `objectSelector` out'] : []),
            "or write failurePolicy: 'Ignore'",
          ],
        },
      ];
    }),
  );
}

/**
 * True if a selector of the webhook excludes the operator's objects or its namespace. A condition that refers to the objects or to the
 * namespace is assumed to exclude them.
 */
function isSpared(webhook: JsonMap, need: 'labelled' | 'plain', namespace: string | undefined): boolean {
  const ofNamespace = {
    ...operatorLabels,
    ...(namespace === undefined ? {} : { 'kubernetes.io/metadata.name': namespace }),
  };
  const conditions = jsonListOf(webhook['matchConditions']).map((each) =>
    isJsonMap(each) ? jsonTextOf(each['expression']) : '',
  );
  return (
    passesOver(webhook['namespaceSelector'], ofNamespace) ||
    (need === 'labelled' && passesOver(webhook['objectSelector'], operatorLabels)) ||
    conditions.some((expression) => /namespace|labels|userInfo/.test(expression))
  );
}

function passesOver(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isJsonMap(selector)) return false;
  try {
    return !labelsMatch(labelRequirements(selector), labels);
  } catch (error) {
    // Another check reports selector operators that Kubernetes does not support.
    if (error instanceof LabelSelectorError) return true;
    throw error;
  }
}
