import type { TestenvCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const testenvExplanations = {
  'testenv/invalid-version': {
    title: 'A Kubernetes version that is not one',
    explain:
      'The version of a test control plane is a whole release number such as `1.36.3`; a leading `v` is allowed.',
  },
  'testenv/missing-binaries': {
    title: 'The folder in KUBEBUILDER_ASSETS lacks binaries',
    explain:
      'KUBEBUILDER_ASSETS is set, so the binaries of the control plane are taken from that folder and from nowhere else, but not all that are needed are in it. Put the missing ones there, or unset the variable and run `op-sdk testenv install`.',
  },
  'testenv/no-binaries': {
    title: 'No binaries for a control plane',
    explain:
      'etcd, kube-apiserver and kube-controller-manager were neither in KUBEBUILDER_ASSETS nor in the cache, could not be downloaded, and could not be built. The message says what was tried and why each way failed.',
  },
  'testenv/checksum-mismatch': {
    title: 'A downloaded archive is not the published one',
    explain:
      'The SHA-512 of the archive differs from the one in the release index. The file was damaged or replaced on its way; it was deleted and nothing else was tried. Try again, and look into your proxy or mirror if it happens again.',
  },
  'testenv/not-installed': {
    title: 'A version is not installed',
    explain:
      'The cache holds no such version. `op-sdk testenv list` shows what is there, `op-sdk testenv install` gets it.',
  },
  'testenv/start-failed': {
    title: 'The control plane did not start',
    explain:
      'One of etcd, kube-apiserver and kube-controller-manager ended or did not become ready in time. The last lines of its log are in the message; a flag it does not know, a port, or a full disk is the usual cause.',
  },
  'testenv/version-mismatch': {
    title: 'The binaries are of another version than asked for',
    explain:
      'A version was asked for, but the kube-apiserver in KUBEBUILDER_ASSETS or in the cache says that it is another one. Unset KUBEBUILDER_ASSETS, or do not ask for a version.',
  },
  'testenv/managed-flag': {
    title: 'A flag of kube-apiserver that the control plane sets itself',
    explain:
      'Addresses, ports, certificates, storage and the audit log of the test control plane are its own business: other parts of it depend on them. Use the options of `startControlPlane` where there is one.',
  },
  'testenv/not-running': {
    title: 'A control plane that does not run',
    explain: 'The call needs a running API server, but it was killed or the control plane was stopped.',
  },
  'testenv/audit-off': {
    title: 'No audit log',
    explain:
      'Audit events exist only if the control plane was started with `audit: true` or with an audit policy.',
  },
  'testenv/request-refused': {
    title: 'The API server refuses a request of the test set-up',
    explain: 'The message holds the answer of the API server.',
  },
  'testenv/invalid-crd': {
    title: 'A CRD that cannot be installed',
    explain:
      'A file given to `installCrds` holds no CustomResourceDefinition of apiextensions.k8s.io/v1, or the API server refuses it. Nothing is installed if one of the files cannot be read.',
  },
  'testenv/crd-not-established': {
    title: 'A CRD that the API server does not serve',
    explain:
      'The CRD was accepted, but its condition `Established` did not become true; usually its names are taken.',
  },
  'testenv/eventually-timeout': {
    title: 'Something that was awaited did not come true',
    explain:
      '`eventually` tried until its time was up. The message holds the last failure; the error itself is its cause.',
  },
  'testenv/foreign-file': {
    title: 'A file that op-sdk did not write is in the way',
    explain:
      '`testenv run --kubeconfig` replaces only kubeconfig files of former test control planes, never one of yours.',
  },
} satisfies Readonly<Record<TestenvCode, Explanation>>;
