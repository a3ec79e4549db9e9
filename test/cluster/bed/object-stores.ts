import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureObjectStores } from '../../../scripts/lib/test-programs.mjs';
import { Pod, Service, type Container } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { createServiceAccountKey } from '../../helpers/google-front.ts';
import { bundleProgram } from './bundle-program.ts';
import type { ClusterBed } from './cluster-bed.ts';
import { busyboxFiles, pushLayerImage, type ImageFile } from './layer-image.ts';

/** Object stores in Pods, as Pods reach them. */
export interface BedObjectStores extends AsyncDisposable {
  /** A server of Amazon's S3 protocol, which checks signatures. */
  readonly s3: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** A server of Google Cloud Storage behind a front that checks tokens, but no rights. */
  readonly gcs: {
    readonly endpoint: string;
    /** The JSON file with the key of a service account. */
    readonly serviceAccount: string;
  };
}

const port = 8080;

/**
 * Starts both object stores in a namespace, as the Services `s3` and `gcs`, and waits for nothing: clients may have to try again at first.
 * @param buckets names of empty buckets that both have
 * @throws ProgramsUnavailable if the servers were not obtained before the bed started
 */
export async function startObjectStores(
  bed: ClusterBed,
  client: KubeClient,
  namespace: string,
  buckets: readonly string[],
): Promise<BedObjectStores> {
  const image = await pushImage(bed);
  const urlOf = (name: string): string => `http://${name}.${namespace}.svc:${port}`;
  const s3 = {
    ...{ endpoint: urlOf('s3'), region: 'us-east-1' },
    ...{ accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret-key' },
  };
  const key = createServiceAccountKey(urlOf('gcs'));
  const folders = buckets.map((bucket) => `/data/buckets/${bucket}`).join(' ');
  const container = (name: string, script: string, environment: Record<string, string> = {}): Container => ({
    ...{ name, image, command: ['sh', '-c', script] },
    env: Object.entries(environment).map(([name, value]) => ({ name, value })),
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  });
  const makeBuckets = `mkdir -p /data/attributes ${folders}`;
  const store = `fake-gcs-server -scheme http -host 127.0.0.1 -port 4443 -log-level error -filesystem-root /data/buckets`;
  const pods: Readonly<Record<string, readonly Container[]>> = {
    s3: [
      container(
        's3',
        `${makeBuckets} && exec versitygw --quiet --port :${port} posix --sidecar /data/attributes /data/buckets`,
        { ROOT_ACCESS_KEY: s3.accessKeyId, ROOT_SECRET_KEY: s3.secretAccessKey, VGW_REGION: s3.region },
      ),
    ],
    gcs: [
      container('store', `${makeBuckets} && exec ${store} -external-url ${urlOf('gcs')}`),
      container('front', 'exec google-front', {
        ENDPOINT: urlOf('gcs'),
        EMAIL: key.email,
        PUBLIC_KEY: key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      }),
    ],
  };
  for (const [name, containers] of Object.entries(pods)) {
    const labels = { 'object-store': name };
    const metadata = { name, namespace };
    await client.create(Pod, {
      metadata: { ...metadata, labels },
      spec: {
        terminationGracePeriodSeconds: 0,
        securityContext: { fsGroup: 65_532 },
        containers: [...containers],
        volumes: [{ name: 'data', emptyDir: {} }],
      },
    });
    await client.create(Service, { metadata, spec: { selector: labels, ports: [{ port }] } });
  }
  return {
    s3,
    gcs: { endpoint: urlOf('gcs'), serviceAccount: key.json },
    async [Symbol.asyncDispose]() {
      for (const name of Object.keys(pods)) {
        await client.delete(Pod, { name, namespace }, { ignoreNotFound: true });
        await client.delete(Service, { name, namespace }, { ignoreNotFound: true });
      }
    },
  };
}

/** Both servers, the front and a shell, on the base of operators, which has Node for the front. */
async function pushImage({ registry, base }: ClusterBed): Promise<string> {
  const folder = await ensureObjectStores();
  const program = (name: string, content: Uint8Array): ImageFile => ({
    path: `usr/local/bin/${name}`,
    content,
    mode: 0o755,
  });
  const reference = `${registry}/bed/object-stores:1`;
  await pushLayerImage({
    reference,
    base,
    files: [
      ...['versitygw', 'fake-gcs-server'].map((name) => program(name, readFileSync(join(folder, name)))),
      program('google-front', await bundleProgram(new URL('google-front-program.ts', import.meta.url))),
      ...busyboxFiles(),
    ],
    config: { User: '65532:65532', Env: ['PATH=/usr/local/bin:/bin'] },
  });
  return reference;
}
