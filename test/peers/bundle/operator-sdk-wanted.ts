import { isDeepStrictEqual } from 'node:util';
import type { Difference } from './operator-sdk-compare.ts';

/** A difference that op-sdk wants. One that is in no bundle any more is to be removed from the list. */
export interface WantedDifference {
  /** Of the whole path. */
  readonly path: RegExp;
  /** What operator-sdk writes. Default: nothing. */
  readonly theirs?: unknown;
  /** What op-sdk writes, or how it looks. Default: nothing. */
  readonly ours?: unknown;
  readonly reason: string;
}

const nothingChosen = "what Go's types write for a field that nobody has set";
const madeByOpSdk =
  'says which tool made the bundle; operator-sdk has removed it from its own expected bundles';
const certificates = 'the test removes it: the Secret is made by cert-manager, which OLM does not have';
const helperRole = 'a role for users, which OLM v0 makes itself and leaves behind: --user-roles keeps it';

export const wantedDifferences: readonly WantedDifference[] = [
  { path: /metadata\.creationTimestamp$/, theirs: null, reason: nothingChosen },
  {
    path: /^manifests\/cache\.example\.com_memcacheds\.yaml status$/,
    theirs: { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: null },
    reason: nothingChosen,
  },
  {
    path: /^manifests\/[a-z-]+_v1_service\.yaml status$/,
    theirs: { loadBalancer: {} },
    reason: nothingChosen,
  },
  { path: /deployments\[0\]\.spec\.strategy$/, theirs: {}, reason: nothingChosen },
  { path: /containers\[0\]\.resources$/, theirs: {}, reason: nothingChosen },
  {
    path: /^tests\/scorecard\/config\.yaml (stages\[0\]\.tests\[\d\]\.)?storage$/,
    theirs: { spec: { mountPath: {} } },
    reason: nothingChosen,
  },
  {
    path: /^csv spec\.icon$/,
    theirs: [{ base64data: '', mediatype: '' }],
    reason:
      'an icon without a picture, which a base has as long as nobody gives it one: catalogues show a broken image',
  },
  {
    path: /(volumeMounts|volumes|ports)$/,
    ours: [],
    reason: 'an empty list of the manifests is copied, as all that they say; it means the same as no list',
  },
  {
    path: /securityContext\.allowPrivateEscalation$/,
    ours: false,
    reason:
      'a field of the manifests that Kubernetes does not know is left to be seen, not dropped in silence',
  },
  {
    path: /^csv metadata\.annotations\.operators\.operatorframework\.io\/builder$/,
    ours: /^op-sdk-v/,
    reason: madeByOpSdk,
  },
  {
    path: /^csv metadata\.annotations\.operators\.operatorframework\.io\/project_layout$/,
    ours: /^(go\.kubebuilder\.io\/v4|helm\.sdk\.operatorframework\.io\/v1|unknown)$/,
    reason: madeByOpSdk,
  },
  {
    path: /^metadata\/annotations\.yaml annotations\.operators\.operatorframework\.io\.metrics\./,
    ours: /./,
    reason: madeByOpSdk,
  },
  {
    path: /^bundle\.Dockerfile LABEL operators\.operatorframework\.io\.metrics\./,
    ours: true,
    reason: madeByOpSdk,
  },
  {
    path: /^csv metadata\.annotations\.containerImage$/,
    ours: 'quay.io/example/memcached-operator:v0.0.1',
    reason: 'catalogues show it, and require it for certification',
  },
  {
    path: /^csv metadata\.annotations\.(capabilities|createdAt)$/,
    ours: /^(Basic Install|2022-11-08T16:44:38Z)$/,
    reason: 'what a base lacks that catalogues ask for; operator-sdk writes it into the bases that it makes',
  },
  {
    path: /^csv spec\.customresourcedefinitions\.owned\[0\]\.(description|displayName)$/,
    ours: /^Memcached/,
    reason: 'from the schema of the kind; operator-sdk has it only where it reads Go types',
  },
  {
    path: /^csv spec\.webhookdefinitions\[0\]\.admissionReviewVersions$/,
    theirs: null,
    ours: ['v1'],
    reason: 'the test fills in what the API server requires of a CustomResourceDefinition',
  },
  {
    path: /^manifests\/memcached-operator-(memcached-(admin|editor|viewer)-role|metrics-reader)_rbac\.authorization\.k8s\.io_v1_clusterrole\.yaml$/,
    theirs: true,
    ours: false,
    reason: helperRole,
  },
  {
    path: /containers\[\d\]\.volumeMounts(\[0\])?$/,
    theirs: /"mountPath":"\/tmp\/k8s-webhook-server\/serving-certs"/,
    reason: certificates,
  },
  {
    path: /spec\.volumes(\[0\])?$/,
    theirs: /"secretName":"webhook-server-cert"/,
    reason: certificates,
  },
];

/** Whether a difference is the wanted one. A pattern is held against text, and against all else as JSON. */
export function isWanted({ path, theirs, ours }: Difference, wanted: WantedDifference): boolean {
  return wanted.path.test(path) && fits(theirs, wanted.theirs) && fits(ours, wanted.ours);
}

function fits(value: unknown, wanted: unknown): boolean {
  if (!(wanted instanceof RegExp)) return isDeepStrictEqual(value, wanted);
  if (value === undefined || value === null) return false;
  return wanted.test(typeof value === 'string' ? value : JSON.stringify(value));
}
