import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { apiRequest } from '../../src/testing/http/api-request.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../src/testing/index.ts';

/** The part of a control plane that may be used by many test files at once: nobody can stop or kill it. */
export type SharedControlPlane = Pick<
  ControlPlane,
  'version' | 'url' | 'kubeconfig' | 'kubeconfigText' | 'caCertificate' | 'credentials' | 'auditLog' | 'logs'
>;

declare module 'vitest' {
  export interface ProvidedContext {
    controlPlane?: SharedControlPlane;
  }
}

let own: Promise<SharedControlPlane> | undefined;

/**
 * The control plane of this test run, with kube-controller-manager and an audit log. Test files share it, so everything a
 * test makes has a name or a namespace of its own (see {@link uniqueNamespace}, {@link uniqueName}), CRDs included.
 * Tests that kill or freeze the API server start their own.
 *
 * Where the run has none (the set-up file is not configured), one is started for this file; it ends with the worker process.
 */
export function sharedControlPlane(): Promise<SharedControlPlane> {
  const shared = inject('controlPlane');
  if (shared !== undefined) return Promise.resolve(shared);
  own ??= startControlPlane({ controllerManager: true, audit: true }).then(shareable);
  return own;
}

/** What of a control plane may be shared, as plain data. */
export function shareable(controlPlane: ControlPlane): SharedControlPlane {
  const { version, url, kubeconfig, kubeconfigText, caCertificate, auditLog, logs } = controlPlane;
  const { certificate, key } = controlPlane.credentials;
  return {
    version,
    url,
    kubeconfig,
    kubeconfigText,
    caCertificate,
    credentials: { certificate, key },
    auditLog,
    logs,
  };
}

/** A DNS label that no other test uses: `<prefix>-<ten hex digits>`. */
export function uniqueName(prefix = 'test'): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** Makes a namespace that no other test uses, and waits for its `default` ServiceAccount. Needs kube-controller-manager. */
export async function uniqueNamespace(
  controlPlane: Pick<ControlPlane, 'url' | 'caCertificate' | 'credentials'>,
  prefix = 'test',
): Promise<string> {
  const name = uniqueName(prefix);
  const created = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  });
  if (created.status !== 201) throw new Error(`namespace ${name} was not created: ${created.text}`);
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 60_000,
    interval: 30,
  });
  return name;
}
