// A plain HTTPS client of the API server: an observer that shares no code with what it observes.
import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { parseAllDocuments } from 'yaml';

const resources = {
  Namespace: { prefix: 'api/v1', plural: 'namespaces' },
  ServiceAccount: { prefix: 'api/v1', plural: 'serviceaccounts', namespaced: true },
  Role: { prefix: 'apis/rbac.authorization.k8s.io/v1', plural: 'roles', namespaced: true },
  RoleBinding: { prefix: 'apis/rbac.authorization.k8s.io/v1', plural: 'rolebindings', namespaced: true },
  ClusterRole: { prefix: 'apis/rbac.authorization.k8s.io/v1', plural: 'clusterroles' },
  ClusterRoleBinding: { prefix: 'apis/rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings' },
  CustomResourceDefinition: { prefix: 'apis/apiextensions.k8s.io/v1', plural: 'customresourcedefinitions' },
  Deployment: { prefix: 'apis/apps/v1', plural: 'deployments', namespaced: true },
  Lease: { prefix: 'apis/coordination.k8s.io/v1', plural: 'leases', namespaced: true },
  OperatorCondition: {
    prefix: 'apis/operators.coreos.com/v2',
    plural: 'operatorconditions',
    namespaced: true,
  },
  NginxOperator: { prefix: 'apis/operator.example.com/v1alpha1', plural: 'nginxoperators', namespaced: true },
};

/** The path of an object, such as `/apis/apps/v1/namespaces/default/deployments/web`. */
export function pathOf(kind, name, namespace = 'default') {
  const resource = resources[kind];
  if (resource === undefined) throw new Error(`no path known for ${kind}`);
  const scope = resource.namespaced ? `namespaces/${namespace}/` : '';
  return `/${resource.prefix}/${scope}${resource.plural}/${name}`;
}

/** @param {{ url: string, caCertificate: string, credentials: { certificate: string, key: string } }} plane */
export function apiOf(plane) {
  function request(method, path, body, contentType = 'application/json', accept = undefined) {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    // Node gives a DELETE no length by itself, and the API server sees no body then.
    const length = String(Buffer.byteLength(content ?? ''));
    const headers = {
      ...(content === undefined ? {} : { 'content-type': contentType, 'content-length': length }),
      ...(accept === undefined ? {} : { accept }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        new URL(path, plane.url),
        {
          method,
          ca: plane.caCertificate,
          cert: plane.credentials.certificate,
          key: plane.credentials.key,
          agent: false,
          headers,
        },
        (response) => {
          const parts = [];
          response.on('data', (part) => parts.push(part)).on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8');
            const json = (response.headers['content-type'] ?? '').includes('json') && text !== '';
            resolve({ status: response.statusCode, body: json ? JSON.parse(text) : text });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(content);
    });
  }

  async function must(method, path, body, contentType) {
    const answer = await request(method, path, body, contentType);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  return {
    request,
    /** @returns the object, or undefined if there is none */
    async get(kind, name, namespace) {
      const { status, body } = await request('GET', pathOf(kind, name, namespace));
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`GET ${kind} ${name}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    /** Server-side apply of one object, strictly validated. */
    async apply(object) {
      const path = pathOf(object.kind, object.metadata.name, object.metadata.namespace);
      const query = 'fieldManager=observer&force=true&fieldValidation=Strict';
      return must('PATCH', `${path}?${query}`, JSON.stringify(object), 'application/apply-patch+yaml');
    },
    /** Server-side apply of every document of a YAML file, unchanged. */
    async applyFile(file) {
      const applied = [];
      for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
        const object = document.toJS();
        if (object !== null) applied.push(await this.apply(object));
      }
      return applied;
    },
    patch: (kind, name, patch, namespace) =>
      must('PATCH', pathOf(kind, name, namespace), patch, 'application/merge-patch+json'),
    delete: (kind, name, namespace) =>
      must('DELETE', pathOf(kind, name, namespace), { propagationPolicy: 'Background' }),
  };
}

/** Asks until the answer is true-ish. @throws if it never is */
export async function until(what, question, { timeout = 60_000, interval = 100 } = {}) {
  const deadline = performance.now() + timeout;
  for (;;) {
    const answer = await question();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`not seen within ${timeout / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
