import { metricsRegistry, type ObjectKey } from 'opsdk';
import { Gauge } from 'prom-client';

const managedResources = new Gauge({
  name: 'prometheus_operator_managed_resources',
  help: 'Number of objects that a configuration is made of, by kind and state: selected, or rejected because something in them is invalid',
  labelNames: ['controller', 'namespace', 'name', 'resource', 'state'] as const,
  registers: [metricsRegistry],
});

/** Numbers of objects that are selected, and of those among them that are left out. */
export interface ResourceCount {
  readonly resource: string;
  readonly selected: number;
  readonly rejected: number;
}

/** Shows what the configuration of an object is made of. */
export function countResources(
  controller: string,
  { namespace = '', name }: ObjectKey,
  counts: readonly ResourceCount[],
): void {
  for (const { resource, selected, rejected } of counts) {
    managedResources.set({ controller, namespace, name, resource, state: 'selected' }, selected - rejected);
    managedResources.set({ controller, namespace, name, resource, state: 'rejected' }, rejected);
  }
}

/** Removes the series of an object that was deleted. */
export function forgetResources(
  controller: string,
  { namespace = '', name }: ObjectKey,
  resources: readonly string[],
): void {
  for (const resource of resources)
    for (const state of ['selected', 'rejected'] as const)
      managedResources.remove({ controller, namespace, name, resource, state });
}
