import { join } from 'node:path';
import { expect } from 'vitest';
import { ensureEtcd, orUnavailable } from '../../../../scripts/lib/test-programs.mjs';
import { EtcdCluster } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { createEtcdBackupController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-backup.ts';
import { createEtcdClusterController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-cluster.ts';
import { createEtcdRestoreController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-restore.ts';
import { Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, type TestNodes } from '../../../../src/testing/index.ts';
import type { Controller } from '../../../../src/index.ts';
import { startS3, type S3Server } from '../../../helpers/object-stores.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { bundleExample, type OperatorProgram } from '../operator-program.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { read } from './keys.ts';

const namespace = 'default';
export const key = (name: string) => ({ name, namespace });
export const slow = { timeout: 110_000 };
/** Image of the operator. */
export const image = 'registry.example.com/etcd-operator:v1';
/** Host and port of the Service for clients of the cluster. */
export const client = 'example-client.default.svc:2379';

/** Obtains etcd and a store with the bucket `backups`. Its result is an error if this machine cannot: the tests are skipped then. */
export function obtainBackupPrograms() {
  return orUnavailable(Promise.all([ensureEtcd('3.6.8'), startS3('backups')]));
}

/** The controllers of the operator. */
export function etcdControllers(workloads: Pick<TestNodes, 'resolve'>): readonly Controller[] {
  return [
    createEtcdClusterController({ addressOf: (name) => workloads.resolve(name) }),
    createEtcdBackupController({ image: () => image }),
    createEtcdRestoreController({ image: () => image }),
  ];
}

/** The etcd operator, the EtcdCluster `example`, and a store of which the Secret `aws` has the credentials. */
export class BackupDrill implements AsyncDisposable {
  readonly drill: Drill;
  readonly store: S3Server;
  readonly #program: OperatorProgram;
  readonly #formerImage: string | undefined;

  private constructor(drill: Drill, store: S3Server, program: OperatorProgram) {
    this.drill = drill;
    this.store = store;
    this.#program = program;
    this.#formerImage = process.env['RELATED_IMAGE_OPERATOR'];
    process.env['RELATED_IMAGE_OPERATOR'] = image;
  }

  /** @param etcd folder with the programs of etcd; @param size number of members */
  static async start(etcd: string, store: S3Server, size: number): Promise<BackupDrill> {
    const program = await bundleExample('etcd-operator');
    const drill = await startDrill({
      operator: { project: join(repositoryRoot, 'examples/etcd-operator') },
      runProcesses: {
        // The image has etcd and etcdutl.
        etcd: ({ command: [name = '', ...rest] }) => ({ file: join(etcd, name), args: rest }),
        'etcd-operator': ({ args }) => ({ file: process.execPath, args: [program.main, ...args] }),
      },
      controllers: etcdControllers,
    });
    const started = new BackupDrill(drill, store, program);
    try {
      await started.#fill(size);
      return started;
    } catch (error) {
      await started[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #fill(size: number): Promise<void> {
    const { drill, store } = this;
    const { accessKeyId, secretAccessKey } = store;
    const credentials = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
    await drill.client.create(Secret, { metadata: key('aws'), stringData: { credentials } });
    await drill.client.create(EtcdCluster, { metadata: key('example'), spec: { size } });
    await this.untilReady(size);
  }

  /** Waits until all members of the cluster are ready, and clients reach them. */
  async untilReady(size: number): Promise<void> {
    await eventually(async () => {
      const { status } = await this.drill.client.get(EtcdCluster, key('example'));
      expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size });
      await read(client, 'kept');
    }, slow);
  }

  /** Returns a place in the store. @param path with the bucket; @param awsSecret Secret with the credentials */
  s3(path: string, awsSecret = 'aws') {
    return { path, awsSecret, endpoint: this.store.endpoint };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#formerImage === undefined) delete process.env['RELATED_IMAGE_OPERATOR'];
    else process.env['RELATED_IMAGE_OPERATOR'] = this.#formerImage;
    await this.drill.end();
    await this.#program.remove();
    await this.store[Symbol.asyncDispose]();
  }
}
