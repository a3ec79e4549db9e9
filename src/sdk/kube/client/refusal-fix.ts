import type { CallTarget } from './call-target.ts';
import type { Status } from './status.ts';

/**
 * Returns fixes for a refusal, by the form of the API server's answer; every check of the server uses HTTP 403, not only RBAC.
 * Sources: apiserver `responsewriters.ForbiddenErrorMessage` (authorization), `plugin/pkg/admission` of kube-apiserver, and
 * apiserver `pkg/admission/plugin`.
 */
export function fixForRefusal(status: number, reply: Status, target: CallTarget): readonly string[] {
  const { message = '' } = reply;
  for (const { pattern, fix } of refusals) {
    const found = pattern.exec(message);
    if (found !== null) return [fix(found, target)];
  }
  if (status !== 403) return [];
  const terminating = reply.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (terminating === true)
    return [
      `wait until the namespace ${target.namespace ?? ''} is deleted and create it again, or use another namespace`,
    ];
  return ['read the message: a check of the API server refused the request, more RBAC rules do not help'];
}

interface Refusal {
  readonly pattern: RegExp;
  readonly fix: (found: RegExpExecArray, target: CallTarget) => string;
}

/** The first that matches counts: a webhook may quote any of the others. */
const refusals: readonly Refusal[] = [
  {
    pattern: /^admission webhook "([^"]*)" denied the request/,
    fix: ([, name]) =>
      `change the object so that the admission webhook ${name} accepts it, or change the webhook`,
  },
  {
    pattern: /ValidatingAdmissionPolicy '([^']*)' with binding '[^']*' denied request/,
    fix: ([, name]) =>
      `change the object so that the ValidatingAdmissionPolicy ${name} accepts it, or change the policy`,
  },
  {
    pattern: /violates PodSecurity "([^":]*)/,
    fix: ([, level]) =>
      `set the securityContext as the message says, or give the namespace the label pod-security.kubernetes.io/enforce with a level below ${level}`,
  },
  {
    pattern: /is forbidden: exceeded quota: ([^,\s]+)/,
    fix: ([, quota]) => `raise the ResourceQuota ${quota}, or delete objects that count against it`,
  },
  {
    pattern: /is forbidden: failed quota: ([^,\s:]+): must specify/,
    fix: ([, quota]) =>
      `set the resources of each container that the ResourceQuota ${quota} counts, or create a LimitRange with defaults`,
  },
  {
    pattern: /is attempting to grant RBAC permissions not currently held/,
    fix: () =>
      'give the identity every permission that the role grants, or the verb escalate (roles) or bind (bindings) on it',
  },
  {
    pattern:
      /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers/,
    fix: () =>
      "give the identity the verb update on the owner's subresource finalizers, such as resources: ['<plural>/finalizers']",
  },
  {
    pattern: /\bUser "(?:[^"\\]|\\.)*" cannot (\S+) resource "([^"]+)" in API group "([^"]*)"/,
    fix: ([, verb, resource, group]) =>
      `give the identity the rule { apiGroups: ['${group}'], resources: ['${resource}'], verbs: ['${verb}'] }`,
  },
  {
    pattern: /\bUser "(?:[^"\\]|\\.)*" cannot (\S+) path "([^"]+)"/,
    fix: ([, verb, path]) =>
      `give the identity the rule { nonResourceURLs: ['${path}'], verbs: ['${verb}'] }`,
  },
];
