import type { TestProject } from 'vitest/node';
import { startControlPlane } from '../../src/testing/index.ts';
import { shareable } from './control-plane.ts';

/** Global set-up of the control-plane rung: one control plane for all of its test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const controlPlane = await startControlPlane({ controllerManager: true, audit: true });
  project.provide('controlPlane', shareable(controlPlane));
  return () => controlPlane.stop();
}
