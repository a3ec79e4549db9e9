import type { SourcePlace } from '../../schema/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { defaultWebhookPath } from '../../../base/util/kubernetes-words.ts';
import type { ManifestDocument } from '../declaration.ts';
import { builtInResources } from '../rbac/generated/built-in-resources.ts';
import type { DeclaredWebhook } from './read-webhook.ts';

/** A webhook configuration, and the declarations of its webhooks in the same order. */
export interface WebhookConfiguration {
  readonly document: ManifestDocument;
  readonly webhooks: readonly DeclaredWebhook[];
}

const configurations = {
  defaulting: {
    kind: 'MutatingWebhookConfiguration',
    name: 'mutating-webhook-configuration',
  },
  validation: {
    kind: 'ValidatingWebhookConfiguration',
    name: 'validating-webhook-configuration',
  },
} as const;

/** Labels that the generated project gives to the operator's namespace and to its Deployment, and therefore to its pods. */
export const operatorLabels = { 'control-plane': 'controller-manager' } as const;

/** Label selector for all objects except those with the operator's labels. */
const notTheOperator = {
  matchExpressions: Object.entries(operatorLabels).map(([key, value]) => ({
    key,
    operator: 'NotIn',
    values: [value],
  })),
};

/**
 * Returns the webhook configurations of a project, the mutating one first. A configuration without webhooks is omitted. Names, paths and
 * form are those of kubebuilder's projects. Source: `admissionregistration.k8s.io/v1`.
 *
 * @param domain domain of the project, used in the names of webhooks whose kind has no domain; undefined if the file PROJECT is missing
 */
export function webhookConfigurations(
  webhooks: readonly DeclaredWebhook[],
  domain: string | undefined,
): readonly WebhookConfiguration[] {
  return (['defaulting', 'validation'] as const).flatMap((role) => {
    const named = webhooks
      .filter((webhook) => webhook.role === role)
      .map((webhook) => ({ webhook, name: webhookName(webhook, domain) }))
      .sort((a, b) => compareCodeUnits(a.name, b.name));
    if (named.length === 0) return [];
    const { kind, name } = configurations[role];
    const document: ManifestDocument = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      webhooks: named.map(({ webhook, name: own }) => webhookDocument(webhook, own)),
    };
    return [{ document, webhooks: named.map(({ webhook }) => webhook) }];
  });
}

/**
 * Returns a webhook name such as `vmemcached-v1alpha1.cache.example.com`. It has at least three parts, because the API server requires
 * them.
 */
function webhookName(
  { role, kind: { group, version, kind } }: DeclaredWebhook,
  domain = 'opsdk.dev',
): string {
  const first = `${role === 'defaulting' ? 'm' : 'v'}${kind.toLowerCase()}-${version}`;
  if (group.includes('.')) return `${first}.${group}`;
  return domain.includes('.') ? `${first}.${domain}` : `${first}.${group === '' ? 'core' : group}.${domain}`;
}

/** Returns the URL path at which the operator serves a webhook. */
export function webhookPath({ role, path, kind }: DeclaredWebhook): string {
  return path ?? defaultWebhookPath(role, kind);
}

function webhookDocument(webhook: DeclaredWebhook, name: string): ManifestDocument {
  const { kind, operations, settings, subresources } = webhook;
  const { failurePolicy = 'Fail', sideEffects = 'None', ...others } = settings;
  const { objectSelector = mayBeOwn(kind) ? notTheOperator : undefined, ...rest } = others;
  const selector = objectSelector === undefined ? {} : { objectSelector };
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: { service: { ...webhookService, path: webhookPath(webhook) } },
    failurePolicy,
    sideEffects,
    ...selector,
    ...rest,
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        operations,
        resources: [kind.plural, ...subresources.map((name) => `${kind.plural}/${name}`)],
      },
    ],
  };
}

/**
 * Returns true for a kind of which `config/default` may have objects: a built-in kind, or one that `op-sdk create monitoring` adds. While
 * the operator does not answer, a webhook for such a kind would refuse the deployment that repairs the operator.
 */
function mayBeOwn({ group, plural }: DeclaredWebhook['kind']): boolean {
  if (group === 'monitoring.coreos.com') return plural === 'servicemonitors' || plural === 'prometheusrules';
  return Object.hasOwn(builtInResources, group) && Object.hasOwn(builtInResources[group] ?? {}, plural);
}

/** Returns the place in the sources from which a field of a configuration comes. */
export function placeInConfiguration(
  { webhooks }: WebhookConfiguration,
  [, index, field, ...rest]: readonly (string | number)[],
): SourcePlace | undefined {
  const webhook = webhooks[Number(index)];
  if (webhook === undefined) return undefined;
  if (field === 'clientConfig') return webhook.placeOf('path');
  if (field === 'rules') {
    const [, part, position] = rest;
    const isSubresource = part === 'resources' && Number(position) > 0;
    return isSubresource ? webhook.placeOf('subresources', Number(position) - 1) : webhook.kindPlace;
  }
  return field === undefined ? webhook.place : webhook.placeOf(String(field), ...rest);
}

/** The Service of the operator's webhooks in config/webhook. kustomize later replaces its name and namespace with those of the project. */
export const webhookService = { name: 'webhook-service', namespace: 'system' } as const;
