import type { TestProject } from 'vitest/node';
import { startControlPlane } from '../../src/testing/index.ts';
import type { SharedControlPlane } from './control-plane.ts';

/** Global set-up of the control-plane rung: one control plane for all of its test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const controlPlane = await startControlPlane({ controllerManager: true, audit: true });
  const { version, url, kubeconfig, kubeconfigText, caCertificate, credentials, auditLog, logs } =
    controlPlane;
  const shared: SharedControlPlane = {
    version,
    url,
    kubeconfig,
    kubeconfigText,
    caCertificate,
    credentials: { certificate: credentials.certificate, key: credentials.key },
    auditLog,
    logs,
  };
  project.provide('controlPlane', shared);
  return () => controlPlane.stop();
}
