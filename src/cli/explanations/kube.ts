import type { KubeCode, TestenvCode, TestingCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const kubeExplanations = {
  'kube/no-cluster': {
    title: 'No cluster is configured',
    explain:
      'Nothing says which API server to use: no --kubeconfig, no KUBECONFIG, no ~/.kube/config, and the process does not run inside a cluster. Name a kubeconfig file in one of these ways, or start a test control plane.',
  },
  'kube/kubeconfig-unreadable': {
    title: 'A kubeconfig file cannot be read',
    explain:
      'The file that was named does not exist, may not be read, is not YAML, or has aliases that contain themselves or expand without limit.',
  },
  'kube/kubeconfig-invalid': {
    title: 'A kubeconfig file is incomplete or contradicts itself',
    explain:
      'A context, cluster or user that is referred to is missing, a field has the wrong type, or a certificate cannot be decoded. The message names the file and the entry.',
  },
  'kube/unsupported-kubeconfig': {
    title: 'A kubeconfig asks for something that op-sdk cannot do',
    explain:
      'For example basic authentication, which API servers have not accepted since Kubernetes 1.19, or a SOCKS proxy. It is refused here because ignoring it would connect in another way than you meant.',
  },
  'kube/in-cluster-incomplete': {
    title: 'The in-cluster configuration is incomplete',
    explain:
      'KUBERNETES_SERVICE_HOST is set, so the process seems to run in a pod, but the token or the CA of the ServiceAccount is not mounted. Check automountServiceAccountToken.',
  },
  'kube/credentials-failed': {
    title: 'The credentials could not be obtained',
    explain:
      'A token or certificate file vanished, or the credential plugin or identity provider of the kubeconfig failed. The message holds what the plugin wrote to stderr, without its secrets. Plugins get KUBERNETES_EXEC_INFO as from kubectl; one with interactiveMode: Always needs a terminal.',
  },
  'kube/unreachable': {
    title: 'The API server cannot be reached',
    explain:
      'No connection could be made: nothing listens there, the name does not resolve, or the network drops the packets.',
  },
  'kube/tls': {
    title: 'The TLS handshake with the API server failed',
    explain:
      "The server's certificate is not signed by the configured CA, does not carry the name that is used, has expired, or the server refused the client certificate.",
  },
  'kube/timeout': {
    title: 'The API server did not answer in time',
    explain:
      'The client stopped waiting. Whether the server carried out the request is unknown; repeat it if that is safe.',
  },
  'kube/connection-lost': {
    title: 'The connection to the API server broke',
    explain:
      'The connection ended in the middle of an exchange, for example because the API server was restarted. Whether the server carried out the request is unknown.',
  },
  'kube/connection-closed': {
    title: 'The client has been closed',
    explain: 'A request was made after close(): the manager or the test that owned the client has stopped.',
  },
  'kube/bad-response': {
    title: 'The answer is not what an API server sends',
    explain:
      'The answer is not valid HTTP/1.1, its body is not JSON, or not an object of Kubernetes. A proxy may have answered instead of the API server. An HTTP answer that two readers could understand differently, such as one with two lengths, is refused as a whole, and its connection is closed.',
  },
  'kube/not-found': {
    title: 'The object does not exist',
    explain: 'The API server knows the type but not the object, or not the namespace it would be in.',
  },
  'kube/type-not-served': {
    title: 'The API server does not serve the type',
    explain:
      'Its CustomResourceDefinition is not installed, or the version is not served, or the aggregated API server is unavailable. Install the CRDs (`make install`).',
  },
  'kube/unauthorized': {
    title: 'The API server does not accept the credentials',
    explain:
      'The token or certificate is invalid or has expired; fresh credentials were read once before this was reported. A server with an http:// address gets no credentials at all, as with kubectl.',
  },
  'kube/forbidden': {
    title: 'RBAC or an admission check forbids the request',
    explain:
      'RBAC: the identity in use has no rule for this verb and resource; declare the rule that the fix names and generate the role again. Admission: a quota, a policy, a webhook, Pod Security or a namespace that is being deleted refuses the object, whoever sends it; the message names it.',
  },
  'kube/already-exists': {
    title: 'The object exists already',
    explain: 'An object of that type and name exists. Apply or update it instead of creating it.',
  },
  'kube/conflict': {
    title: 'The write conflicts with another one',
    explain:
      'The object changed since it was read, another field manager owns a field, or a precondition failed. Read it again and repeat the change.',
  },
  'kube/invalid': {
    title: 'The API server finds the object invalid',
    explain:
      'A field is missing, unknown, or has a value that the schema or an admission rule does not allow. The message lists them.',
  },
  'kube/too-many-requests': {
    title: 'The API server is overloaded or limits this client',
    explain:
      'It kept asking to try again later. The request was repeated as often as it allows before this was reported.',
  },
  'kube/expired': {
    title: 'The resource version or continue token has expired',
    explain: 'The server no longer has that part of its history. List again from the start.',
  },
  'kube/api-error': {
    title: 'The API server refused the request',
    explain: 'The message comes from the server.',
  },
  'kube/invalid-request': {
    title: 'A request has an invalid name, namespace, type, path or header',
    explain:
      'The name is missing, the namespace is missing for a namespaced kind or given for a cluster-scoped one, or apiVersion and kind differ from the type that is used. It is refused before it is sent, because the API server would interpret it differently. The same holds for a raw request whose method, path or header has characters that would end its line.',
  },
  'kube/apply-read-only-fields': {
    title: 'An applied object carries fields that the server owns',
    explain:
      'Server-side apply sends what you want to own. resourceVersion, uid, managedFields and status mark an object that was read from the server; applying it would claim every field of it. Build the object from what you want; write the status with applyStatus.',
  },
  'kube/unsafe-integer': {
    title: 'An integer is too large for JavaScript',
    explain:
      'JavaScript is exact only up to 2^53-1. The field was rounded when it was read, and writing it would change the stored value. Apply or patch the other fields instead, or send the exact text with client.raw.',
  },
} satisfies Readonly<Record<KubeCode, Explanation>>;

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

export const testingExplanations = {
  'testing/fast-check-missing': {
    title: 'The package fast-check is not installed',
    explain:
      'expectRoundTrip generates objects with fast-check, which it does not bring: only projects with conversions need it. Install it with `npm install --save-dev fast-check`.',
  },
  'testing/no-schema': {
    title: 'The schema of a version that is converted was not found',
    explain:
      'expectRoundTrip generates objects from the schemas in config/crd/bases, or in the files that `crds` names. Hub and spokes must all be versions of the CustomResourceDefinition there: run `op-sdk generate manifests`.',
  },
  'testing/no-valid-objects': {
    title: 'No object could be generated that a schema allows',
    explain:
      'Objects are generated field by field, and those that the schema as a whole refuses, or `where` does, are thrown away. If nearly all are, the schema combines fields in a way that chance does not meet. Narrow such fields for the test, or test the conversion with objects of your own.',
  },
  'testing/round-trip-failed': {
    title: 'A conversion loses or changes data',
    explain:
      'The error shows the smallest object that was found, what it was converted to, and where it differs afterwards. Run the test with the `seed` of the message to see the same failure again. Fields that may be lost belong to `lossy`.',
  },
} satisfies Readonly<Record<TestingCode, Explanation>>;
