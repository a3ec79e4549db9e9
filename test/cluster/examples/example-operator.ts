import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Namespace, Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeObject, Resource } from '../../../src/sdk/api/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { answersTo } from '../bed/audit.ts';
import { clusterApi } from '../bed/cluster-api.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { createExampleProject, type OperatorProject } from '../bed/operator-project.ts';

/** Patience of tests with Pods, in milliseconds. */
export const slow = { timeout: 200_000, interval: 250 };

const managers = 'control-plane=controller-manager';

/** An operator of the examples, deployed by op-sdk with the role that was inferred from its code. */
export class ExampleOperator implements AsyncDisposable {
  readonly client: KubeClient;
  /** Namespace of its custom resources. It enforces the restricted Pod Security Standard. */
  readonly namespace: string;
  readonly #bed: ClusterBed;
  readonly #project: OperatorProject;

  private constructor(bed: ClusterBed, project: OperatorProject, client: KubeClient, namespace: string) {
    this.#bed = bed;
    this.#project = project;
    this.client = client;
    this.namespace = namespace;
  }

  /** Builds the image of an example, and deploys it. @param name of its folder in `examples` */
  static async deploy(bed: ClusterBed, name: string): Promise<ExampleOperator> {
    const project = createExampleProject(bed, name);
    const cluster = await loadCluster({ kubeconfig: bed.kubeconfig });
    const client = createClient({ cluster, fieldManager: 'test', onWarning: () => undefined });
    const operator = new ExampleOperator(bed, project, client, name.replace('operator', 'clusters'));
    try {
      await client.create(Namespace, {
        metadata: {
          name: operator.namespace,
          labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      });
      const image = await project.pushImage('v1');
      await project.opSdk('deploy', '--image', image, '--timeout', '3m');
    } catch (error) {
      await operator[Symbol.asyncDispose]();
      throw error;
    }
    return operator;
  }

  /** Deploys it again as it is. */
  async deployAgain(): Promise<void> {
    await this.#project.opSdk('deploy', '--timeout', '3m');
  }

  /** Deletes the Deployment alone, as the READMEs say, and waits until no operator runs. */
  async remove(): Promise<void> {
    const { namespace } = this.#project;
    const [deployment] = (await this.client.list(Deployment, { namespace })).items;
    await this.client.delete(Deployment, { name: deployment?.metadata.name ?? '', namespace });
    await eventually(async () => expect(await this.#pods()).toEqual([]), slow);
  }

  /** Ends its Pod at once: another one takes its place when the lease is over. */
  async kill(): Promise<void> {
    const { namespace } = this.#project;
    for (const name of await this.#pods())
      await this.client.delete(Pod, { name, namespace }, { gracePeriodSeconds: 0 });
  }

  async #pods(): Promise<readonly string[]> {
    const { items } = await this.client.list(Pod, {
      namespace: this.#project.namespace,
      labelSelector: managers,
    });
    return items.map(({ metadata }) => metadata.name);
  }

  /** Has it look at an object now. By itself it looks only now and then at what sends no event, such as nodes that cannot be reached. */
  async poke(kind: Resource<KubeObject>, name: string): Promise<void> {
    const annotations = { 'example.com/poked': String(performance.now()) };
    await this.client.mergePatch(kind, { name, namespace: this.namespace }, { metadata: { annotations } });
  }

  /** Deletes the objects of a kind, and waits until its operator has let go of them. */
  async deleteAll(kind: Resource<KubeObject>): Promise<void> {
    const { namespace, client } = this;
    for (const { metadata } of (await client.list(kind, { namespace })).items)
      await client.delete(kind, { ...metadata, name: metadata.name ?? '' });
    await eventually(async () => expect((await client.list(kind, { namespace })).items).toEqual([]), slow);
  }

  /** Asserts that the role was enough for all that it has asked for, in all of its Pods. */
  expectNothingForbidden(): void {
    const { count, forbidden } = answersTo(this.#bed, this.#project.namespace);
    expect(count).toBeGreaterThan(100);
    expect(forbidden).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // With its definitions go the custom resources, and all that belongs to them.
    await this.#project.opSdk('undeploy', '--yes');
    await this.client.delete(Namespace, { name: this.namespace }, { ignoreNotFound: true });
    await eventually(
      async () => expect(await this.client.find(Namespace, { name: this.namespace })).toBeUndefined(),
      slow,
    );
    this.#project[Symbol.dispose]();
    await this.client.close();
  }
}

/** Kills the API server, which the bed starts again, and waits until it answers. */
export async function restartApiServer(bed: ClusterBed): Promise<void> {
  process.kill(Number(readFileSync(join(bed.folder, 'kube-apiserver.pid'), 'utf8')), 'SIGKILL');
  const { request } = clusterApi(bed);
  await eventually(async () => expect(await request('GET', '/readyz')).toMatchObject({ status: 200 }), slow);
}
