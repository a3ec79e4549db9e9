import type { SourcePlace } from '../../schema/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { defaultWebhookPath } from '../../../base/util/kubernetes-words.ts';
import type { ManifestDocument } from '../declaration.ts';
import { builtInResources } from '../rbac/generated/built-in-resources.ts';
import type { DeclaredWebhook } from './read-webhook.ts';

/** A configuration with the declarations of its webhooks, in their order. */
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

/** The labels that the scaffold gives the operator's namespace, its Deployment, and hence its pods. */
export const operatorLabels = { 'control-plane': 'controller-manager' } as const;

/** All objects but those with the operator's labels. */
const notTheOperator = {
  matchExpressions: Object.entries(operatorLabels).map(([key, value]) => ({
    key,
    operator: 'NotIn',
    values: [value],
  })),
};

/**
 * Returns the webhook configurations of a project, mutating first; those without webhooks are omitted. Source:
 * `admissionregistration.k8s.io/v1`; names, paths and form as those of kubebuilder's projects.
 *
 * @param domain of the project, for the names of webhooks of kinds without a domain; undefined if PROJECT is missing
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

/** Returns a name such as `vmemcached-v1alpha1.cache.example.com`, with at least three parts, as the API server requires. */
function webhookName(
  { role, kind: { group, version, kind } }: DeclaredWebhook,
  domain = 'opsdk.dev',
): string {
  const first = `${role === 'defaulting' ? 'm' : 'v'}${kind.toLowerCase()}-${version}`;
  if (group.includes('.')) return `${first}.${group}`;
  return domain.includes('.') ? `${first}.${domain}` : `${first}.${group === '' ? 'core' : group}.${domain}`;
}

/** Returns the path at which a webhook is served. */
export function webhookPath({ role, path, kind }: DeclaredWebhook): string {
  return path ?? defaultWebhookPath(role, kind);
}

function webhookDocument(webhook: DeclaredWebhook, name: string): ManifestDocument {
  const { kind, operations, settings, subresources } = webhook;
  const { failurePolicy = 'Fail', sideEffects = 'None', ...others } = settings;
  const { objectSelector = isBuiltIn(kind) ? notTheOperator : undefined, ...rest } = others;
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

/** True if Kubernetes itself defines a kind. */
function isBuiltIn({ group, plural }: DeclaredWebhook['kind']): boolean {
  return Object.hasOwn(builtInResources, group) && Object.hasOwn(builtInResources[group] ?? {}, plural);
}

/** Returns the place in the sources of a part of a configuration. */
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

/** The Service of an operator's webhooks in config/webhook, before kustomize gives it the names of the project. */
export const webhookService = { name: 'webhook-service', namespace: 'system' } as const;
