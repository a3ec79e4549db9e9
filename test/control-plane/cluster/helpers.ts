import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { isOpSdkError, type Finding } from '../../../src/base/errors/index.ts';
import {
  type ApplyRequest,
  type ObjectOutcome,
  type RemoveRequest,
  applyObjects,
  removeObjects,
  titleOf,
} from '../../../src/cluster/index.ts';
import { groupOf } from '../../../src/base/util/kubernetes-words.ts';
import { readManifest, type PlacedObject } from '../../../src/kubernetes/yaml/manifest-object.ts';
import type { SharedControlPlane } from '../../helpers/control-plane.ts';

/** A client of the control plane, as the commands use it; `as` is who it pretends to be, as with `kubectl --as`. */
export async function clientOf(
  plane: SharedControlPlane,
  options: {
    readonly fieldManager?: string;
    readonly as?: string;
    readonly onWarning?: (text: string) => void;
  } = {},
): Promise<KubeClient> {
  const { fieldManager = 'op-sdk', as, onWarning = () => undefined } = options;
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
  const headers = { ...(await cluster.credentials.headers()), 'impersonate-user': as ?? '' };
  const credentials = { headers: () => Promise.resolve(headers), refresh: () => false };
  const identity = as === undefined ? cluster : { ...cluster, credentials };
  return createClient({ cluster: identity, fieldManager, onWarning });
}

/** Objects as they come from a manifest, with places. */
export function manifest(...documents: readonly object[]): readonly PlacedObject[] {
  return readManifest(documents.map((each) => JSON.stringify(each)).join('\n---\n'), 'all.yaml');
}

function line({ apiVersion, kind, name, action }: ObjectOutcome): string {
  return `${titleOf({ kind, group: groupOf(apiVersion) }, name)} ${action}`;
}

/** Applies, and gives the lines of the outcome. */
export async function apply(
  client: KubeClient,
  objects: readonly PlacedObject[],
  options: Partial<ApplyRequest> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await applyObjects({ client, objects, onOutcome: (outcome) => lines.push(line(outcome)), ...options });
  return lines;
}

/** Deletes, and gives the lines of the outcome. */
export async function remove(
  client: KubeClient,
  objects: readonly PlacedObject[],
  options: Partial<RemoveRequest> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await removeObjects({
    client,
    objects,
    timeout: 60_000,
    interval: 50,
    onImpact: () => Promise.resolve(),
    onOutcome: (outcome) => lines.push(line(outcome)),
    ...options,
  });
  return lines;
}

/** The findings that a call fails with. */
export async function findingsOf(call: Promise<unknown>): Promise<readonly Finding[]> {
  try {
    await call;
  } catch (error) {
    if (isOpSdkError(error)) return error.findings;
    throw error;
  }
  throw new Error('it did not fail');
}

/** A CustomResourceDefinition of a group of its own, and an object of it. */
export function widget(
  unique: string,
  namespace: string,
): { readonly crd: object; readonly object: object; readonly group: string; readonly name: string } {
  const group = `${unique}.example.com`;
  const name = `widgets.${group}`;
  return {
    group,
    name,
    crd: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } },
                },
              },
            },
          },
        ],
      },
    },
    object: {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'one', namespace },
      spec: { size: 1 },
    },
  };
}

/** A Deployment that the control plane makes Pods of; no node runs them. */
export function deployment(name: string, namespace: string, more: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'example.com/none:v1' }] },
      },
      ...more,
    },
  };
}
