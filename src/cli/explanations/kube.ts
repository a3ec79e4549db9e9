import type { ExplainedCodes } from '../../base/errors/index.ts';

export const kubeCodes = {
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
} satisfies ExplainedCodes;
