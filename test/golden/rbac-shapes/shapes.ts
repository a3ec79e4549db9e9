import { claimedShapes } from './claimed-shapes.ts';
import { clientShapes } from './client-shapes.ts';
import { escapeShapes } from './escape-shapes.ts';
import { functionShapes } from './function-shapes.ts';
import { kindShapes } from './kind-shapes.ts';
import { readerShapes } from './reader-shapes.ts';
import { refusedShapes } from './refused-shapes.ts';
import { requestShapes } from './request-shapes.ts';
import type { Shape } from './shape.ts';
import { webhookShapes } from './webhook-shapes.ts';

/** In front of each shape, on the line before. `Site`, Deployment, ConfigMap and Secret are cached. */
export const header = [
  `import { createClusterClient, defineController, defineConversion, defineIndex, defineWebhook, externalResource, loadCluster, metadataOnly, operatorCondition, ownedBy, ownerReference, permitted, setControllerReference, watch } from 'opsdk';`,
  `import type { AdmissionContext, CachedReader, Client, ClusterClient, ClusterHandle, ClusterReader, ControllerClient, EventRecorder, KubeObject, LiveClient, LiveReader, Manager, ObjectKey, ObjectOf, Reader, ReconcileContext, Resource, RunnableContext, Stored, WriteOptions, Writer } from 'opsdk';`,
  `import { ConfigMap, Node, Pod, Secret, Service } from 'opsdk/k8s/core/v1';`,
  `import { DaemonSet, Deployment, StatefulSet } from 'opsdk/k8s/apps/v1';`,
  `import { ClusterRole, Role } from 'opsdk/k8s/rbac/v1';`,
  `import { Site } from '../api/site.ts';`,
  `import { keep, sync, use, wrap } from 'outside';`,
  `declare const client: ControllerClient; declare const cluster: ClusterClient; declare const key: ObjectKey; declare const cond: boolean; declare const name: string; declare const site: Stored<Site>;`,
].join(' ');

/** Files beside the shapes. */
const others: Readonly<Record<string, string>> = {
  'src/api/site.ts': `import { defineResource, type CustomResource } from 'opsdk';
export interface Site extends CustomResource<'web.example.com/v1', 'Site'> { spec: { name?: string }; status?: { ready?: boolean } }
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });`,
  'src/main.ts': `import { defineController } from 'opsdk';
import { ConfigMap, Secret } from 'opsdk/k8s/core/v1';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Site } from './api/site.ts';
export const sites = defineController({ for: Site, owns: [Deployment, ConfigMap, Secret], reconcile() {}, failureEvents: false });`,
  'src/lib/remove.ts': `import type { ControllerClient, KubeObject, Resource } from 'opsdk';
export async function remove<T extends KubeObject>(c: ControllerClient, kind: Resource<T>): Promise<void> { await c.delete(kind, { name: 'a' }); }`,
  'src/lib/index.ts': `export * from './remove.ts'; export { remove as take } from './remove.ts';`,
  'src/lib/default.ts': `import type { ControllerClient, KubeObject, Resource } from 'opsdk';
export default async function drop<T extends KubeObject>(c: ControllerClient, kind: Resource<T>): Promise<void> { await c.delete(kind, { name: 'a' }); }`,
  'src/lib/arrow.ts': `import type { ControllerClient, KubeObject, Resource } from 'opsdk';
export default <T extends KubeObject>(c: ControllerClient, kind: Resource<T>) => c.delete(kind, { name: 'a' });`,
  'src/lib/handles.ts': `import type { ControllerClient } from 'opsdk';
export declare const shared: ControllerClient;`,
  'src/lib/lazy.ts': `import type { ControllerClient } from 'opsdk';
import { Service } from 'opsdk/k8s/core/v1';
export const lazy = (c: ControllerClient) => c.update(Service, null!);`,
  'node_modules/outside/package.json': `{ "name": "outside", "version": "1.0.0", "types": "index.d.ts" }`,
  'node_modules/outside/index.d.ts': `export declare function use(value: unknown): void;
export declare function wrap<T>(make: () => T): T;
export declare function keep<T>(value: T): T;
export declare function sync(client: import('opsdk').ControllerClient): void;
export default function log(value: unknown): void;`,
};

export const shapes: readonly Shape[] = [
  ...[kindShapes, functionShapes, claimedShapes],
  ...[clientShapes, readerShapes, requestShapes, webhookShapes],
  ...[refusedShapes, escapeShapes],
].flat();

/** The file of a shape, by its place in the list. */
export const fileOf = (index: number): string => `src/s/shape-${index}.ts`;

/** All files of the project with the shapes. */
export const files: Readonly<Record<string, string>> = {
  ...others,
  ...Object.fromEntries(shapes.map(({ code }, i) => [fileOf(i), `${header}\n${code}\nexport {};\n`])),
};
