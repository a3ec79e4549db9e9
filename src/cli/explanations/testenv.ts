import type { TestenvCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const testenvExplanations = {
  'testenv/invalid-version': {
    title: 'An invalid Kubernetes version',
    explain:
      'The version of a test control plane is a full release number such as `1.36.3`; a leading `v` is allowed.',
  },
  'testenv/missing-binaries': {
    title: 'The folder in KUBEBUILDER_ASSETS lacks binaries',
    explain:
      'KUBEBUILDER_ASSETS is set, so the binaries of the control plane are read from that folder only, but some are missing there. Put the missing ones there, or unset the variable and run `op-sdk testenv install`.',
  },
  'testenv/no-binaries': {
    title: 'No binaries for a control plane',
    explain:
      'etcd, kube-apiserver and kube-controller-manager were neither in KUBEBUILDER_ASSETS nor in the cache, could not be downloaded, and could not be built. The message says what was tried and why each way failed.',
  },
  'testenv/checksum-mismatch': {
    title: 'A downloaded archive is not the published one',
    explain:
      'The SHA-512 of the archive differs from the one that is expected: that of `OPSDK_ENVTEST_SHA512`, else that which comes with op-sdk, else that of the release index. The file was damaged or replaced in transit; it was deleted and nothing else was tried. Try again, and check your proxy or mirror if it happens again.',
  },
  'testenv/not-installed': {
    title: 'A version is not installed',
    explain:
      'The cache does not have this version. `op-sdk testenv list` shows the installed versions, `op-sdk testenv install` installs one.',
  },
  'testenv/start-failed': {
    title: 'The control plane did not start',
    explain:
      'One of etcd, kube-apiserver and kube-controller-manager ended or did not become ready in time. The last lines of its log are in the message; a flag it does not know, a port, or a full disk is the usual cause.',
  },
  'testenv/version-mismatch': {
    title: 'The binaries have another version than requested',
    explain:
      'The kube-apiserver in KUBEBUILDER_ASSETS or in the cache reports another version than the requested one. Unset KUBEBUILDER_ASSETS, or do not request a version.',
  },
  'testenv/managed-flag': {
    title: 'A flag of kube-apiserver that the control plane sets itself',
    explain:
      'Addresses, ports, certificates, storage and the audit log of the test control plane are set by op-sdk: other parts of it depend on them. Use the options of `startControlPlane` where there is one.',
  },
  'testenv/not-running': {
    title: 'The control plane does not run',
    explain: 'The call needs a running API server, but it was killed or the control plane was stopped.',
  },
  'testenv/audit-off': {
    title: 'The audit log is off',
    explain:
      'Audit events exist only if the control plane was started with `audit: true` or with an audit policy.',
  },
  'testenv/request-refused': {
    title: 'The API server refuses a request of the test set-up',
    explain: 'The message has the answer of the API server.',
  },
  'testenv/invalid-crd': {
    title: 'A CRD that cannot be installed',
    explain:
      'A file given to `installCrds` contains no CustomResourceDefinition of apiextensions.k8s.io/v1, or the API server refuses it. Nothing is installed if one of the files cannot be read.',
  },
  'testenv/crd-not-established': {
    title: 'A CRD that the API server does not serve',
    explain:
      'The CRD was accepted, but its condition `Established` did not become true; usually its names are taken.',
  },
  'testenv/invalid-webhook': {
    title: 'A webhook configuration that cannot be installed',
    explain:
      'A file given to `startControlPlane({ webhooks })` contains no MutatingWebhookConfiguration and no ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1, two of them have the same name, or the API server refuses one. Nothing is installed if one of the files cannot be read.',
  },
  'testenv/webhooks-not-asked': {
    title: 'The API server does not use the webhook configurations yet',
    explain:
      'The configurations of `startControlPlane({ webhooks })` are stored, but the API server, which follows them by a watch, did not use them within ten seconds. On a machine that is very busy, run it again.',
  },
  'testenv/eventually-timeout': {
    title: 'A condition was not met in time',
    explain:
      '`eventually` tried until its time was up. The message holds the last failure; the error itself is its cause.',
  },
  'testenv/foreign-file': {
    title: 'A file that op-sdk did not write would be overwritten',
    explain:
      '`testenv run --kubeconfig` replaces only kubeconfig files of former test control planes, never your own files.',
  },
  'testenv/cannot-join': {
    title: 'The control plane of an audit is not the one that is asked for',
    explain:
      'Under `op-sdk rbac audit`, `startControlPlane` joins the control plane of the audit. It cannot start another version, other flags or feature gates there, nor stop or restart the API server, as other tests use it too. Skip such tests in the audit: the environment variable `OPSDK_CONTROL_PLANE` is set there.',
  },
} satisfies Readonly<Record<TestenvCode, Explanation>>;
